import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import { issueKey } from './issue-key.ts';
import { revokeKeyAndIssued } from './revoke-key-and-issued.ts';

test('revoking a key with all keys that it issued reads no other keys of the account', async (t) => {
  const { db } = await openTestDatabase(t, 'sqlite');
  const { accountId, userId } = await makeAccount(db);
  const statements = new Set<string>();
  const prepare = DatabaseSync.prototype.prepare;
  await db.transaction().execute(async (trx) => {
    const input = { userId, name: 'Shop', expiresAt: null };
    const { id: keyId } = await issueKey(trx, accountId, input, operator);
    const { id } = await issueKey(trx, accountId, input, { ...operator, keyId });
    t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
      if (text.includes('api_keys')) statements.add(text);
      return prepare.call(this, text);
    });
    assert.deepEqual(await revokeKeyAndIssued(trx, accountId, keyId, operator), [id]);
    t.mock.restoreAll();
  });
  const plans = [...statements].map(async (text) => {
    const plan = sql<{ detail: string }>`explain query plan ${sql.raw(text.replaceAll('?', 'null'))}`;
    return (await plan.execute(db)).rows.map(({ detail }) => detail);
  });
  const searches = (await Promise.all(plans)).flat().filter((detail) => detail.includes('api_keys'));
  assert.ok(searches.some((detail) => detail.includes('api_keys_issued_by')));
  // An index that begins with the account would read all keys of the account for each key.
  for (const detail of searches) assert.match(detail, /INTEGER PRIMARY KEY|api_keys_issued_by/);
});
