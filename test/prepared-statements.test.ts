import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { preparedQueries } from '../src/db/prepared.ts';
import { openTestDatabase } from './databases.ts';
import { root } from './documents.ts';

/**
 * A connection keeps its prepared statements when a migration adds a column. Statements that return `*` then fail with "cached plan
 * must not change result type".
 */
test('prepared statements name the columns that they return', async (t) => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const preparing = files.filter((file) => /\/prepared(?:-rows)?\.ts'/.test(readFileSync(join(root, file), 'utf8')));
  for (const file of preparing) await import(pathToFileURL(join(root, file)).href);
  const { db } = await openTestDatabase(t, 'postgres');
  const statements = [...preparedQueries].map((compile) => compile(db).sql);
  assert.ok(statements.length > 50);
  assert.deepEqual(statements.filter(returnsStar), []);
});

test('the check of prepared statements finds statements that return all columns', () => {
  for (const sql of [
    'select * from "plans"',
    'select "plans".* from "plans"',
    'update "plans" set "name" = $1 returning *',
    'with "a" as (select "id" from "b") select "c".*, "a"."id" from "c"',
    'insert into "a" ("b") values ($1) returning "a".*',
  ]) {
    assert.ok(returnsStar(sql), sql);
  }
  for (const sql of [
    'select count(*) from "plans"',
    'select "a" * "b" as "c" from "plans"',
    'select "id" from (select * from "plans") as "p"',
    'with "a" as (select * from "b") select "a"."id" from "a"',
    'select 1 where exists (select * from "plans")',
  ]) {
    assert.equal(returnsStar(sql), false, sql);
  }
});

/** True if the statement itself, rather than a part in parentheses, returns `*`. */
function returnsStar(sql: string): boolean {
  let outer = sql;
  for (let before = ''; before !== outer; ) {
    before = outer;
    outer = outer.replace(/\([^()]*\)/g, '');
  }
  return /(?:\b(?:select|returning|distinct)|,)\s*(?:"\w+"\.|\w+\.)?\*/.test(outer);
}
