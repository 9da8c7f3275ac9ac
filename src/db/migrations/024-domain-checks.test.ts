import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { up } from './024-domain-checks.ts';

onEachDatabase('migration 024, checks of domains', (open, kind) => {
  test('existing domains are checked within a day if they are verified', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const startedAt = Date.now();
    await db.transaction().execute(async (trx) => {
      for (const [host, verified_at] of [['a.example', 2] as const, ['b.example', null] as const]) {
        const row = { account_id: accountId, host, token: host, verified_at, created_at: 1 };
        await trx.insertInto('domains').values(row).execute();
      }
      for (const index of ['domains_next_check', 'domains_failing'])
        await sql`drop index ${sql.id(index)}`.execute(trx);
      for (const column of ['next_check_at', 'failed_checks', 'leads_here']) {
        await sql`alter table domains drop column ${sql.id(column)}`.execute(trx);
      }
      await up(trx as never, kind);
    });
    const domains = await db.selectFrom('domains').selectAll().orderBy('host').execute();
    const [verified, waiting] = domains.map(({ next_check_at }) => next_check_at);
    assert.ok(verified! >= startedAt && verified! <= Date.now() + 86_400_000);
    assert.equal(waiting, null);
    assert.deepEqual(
      domains.map(({ failed_checks, leads_here }) => [failed_checks, leads_here]),
      [
        [0, null],
        [0, null],
      ],
    );
  });
});
