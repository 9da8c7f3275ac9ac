import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { up } from './017-domain-notes.ts';

onEachDatabase('migration 017, notes on domains', (open) => {
  test('a lost domain keeps its note as a code, and other domains have none until the next check', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const rows = [
      ['a.example', null, 5, 'Another account has proved that the domain is theirs.'],
      ['b.example', null, 6, 'There is no TXT record at _freehold.b.example.'],
      ['c.example', 2, 7, 'There is no TXT record at _freehold.c.example.'],
      ['d.example', 2, 8, null],
    ] as const;
    await db.transaction().execute(async (trx) => {
      for (const [host, verified_at, checked_at, last_error] of rows) {
        const row = { account_id: accountId, host, token: host, verified_at, checked_at, last_error, created_at: 1 };
        await trx.insertInto('domains').values(row).execute();
      }
      await up(trx as never);
    });
    const domains = await db.selectFrom('domains').select(['checked_at', 'last_error']).orderBy('host').execute();
    assert.deepEqual(
      domains.map((domain) => ({ ...domain })),
      [
        { checked_at: 5, last_error: '[{"code":"lost"}]' },
        { checked_at: null, last_error: null },
        { checked_at: 7, last_error: null },
        { checked_at: 8, last_error: null },
      ],
    );
  });
});
