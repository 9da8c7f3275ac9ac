import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from './sqlite.ts';

/** Ways to lose one of the database files, each with the end of the error. */
const losses: ReadonlyArray<[what: string, lose: (file: string) => Promise<void>, message: RegExp]> = [
  [
    'the database file is moved away',
    (file) => rename(file, `${file}-elsewhere`),
    /freehold\.db was removed or moved away\.$/,
  ],
  ['the database file is removed', (file) => rm(file), /freehold\.db was removed or moved away\.$/],
  [
    'the database file is replaced by a copy',
    async (file) => {
      await copyFile(file, `${file}-copy`);
      await rename(`${file}-copy`, file);
    },
    /freehold\.db was replaced by another file\.$/,
  ],
  ['the write-ahead log is removed', (file) => rm(`${file}-wal`), /freehold\.db-wal was removed or moved away\.$/],
];

for (const [what, lose, message] of losses) {
  test(`no transaction succeeds after ${what}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
    const db = openSqlite(folder);
    t.after(async () => {
      await db.destroy();
      await rm(folder, { recursive: true });
    });
    const write = () => db.transaction().execute((trx) => sql`insert into things values (1)`.execute(trx));
    await db.transaction().execute((trx) => sql`create table things (number integer)`.execute(trx));
    await write();
    await lose(join(folder, 'freehold.db'));
    for (const attempt of ['the first', 'the next']) {
      await assert.rejects(write(), { code: 'unavailable', message }, attempt);
    }
  });
}
