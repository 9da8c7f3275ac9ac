import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from './sqlite.ts';

test('no transaction succeeds after the database file has been moved away', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  const db = openSqlite(folder);
  t.after(async () => {
    await db.destroy();
    await rm(folder, { recursive: true });
  });
  const write = () => db.transaction().execute((trx) => sql`insert into things values (1)`.execute(trx));
  await db.transaction().execute((trx) => sql`create table things (number integer)`.execute(trx));
  await write();
  await rename(join(folder, 'freehold.db'), join(folder, 'elsewhere.db'));
  for (const attempt of ['the first', 'the next']) {
    await assert.rejects(
      write(),
      { code: 'unavailable', message: /freehold\.db was removed or moved away\.$/ },
      attempt,
    );
  }
});
