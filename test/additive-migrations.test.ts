import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { LAST_OFFLINE_MIGRATION } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations.ts';
import { root } from './documents.ts';

/**
 * Migrations that remove something, each with the version that stopped using it. The previous version must work without it: see
 * docs/howto/new-migration.md.
 */
const removing: ReadonlySet<string> = new Set([
  // 1.0.0: foreign keys that other foreign keys imply. No version refers to them by name.
  '071-implied-foreign-keys',
  // 1.0.0: an index. The older index `redirects_in_order` serves the same queries.
  '081-superfluous-index',
]);

test('migrations only add to the schema, so that the previous version keeps working', () => {
  const files = globSync('src/db/migrations/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  for (const file of files) {
    const name = basename(file, '.ts');
    if (name <= LAST_OFFLINE_MIGRATION || removing.has(name)) continue;
    assert.deepEqual(problemsOf(readFileSync(join(root, file), 'utf8')), [], file);
  }
});

test('migrations are applied in the order of their names', () => {
  const names = migrations.map(([name]) => name);
  assert.deepEqual(names, names.toSorted());
});

test('the check of migrations finds changes that would break the previous version', () => {
  for (const sql of [
    'alter table pages drop column body',
    'drop table pages',
    'drop index pages_changed',
    'alter table pages rename column name to title',
    'alter table pages rename to sheets',
    'alter table pages alter column position type bigint',
    'alter table pages alter column name set not null',
    'alter table pages add column colour text not null',
    "alter table pages add column colour text not null check (colour <> '')",
    'alter table pages add constraint named check (length(name) > 0)',
    'create unique index pages_name on pages (account_id, name)',
    'create index pages_name on pages (account_id, name)',
    'create trigger pages_kept before delete on pages',
  ]) {
    assert.equal(problemsOf(`await sql\`${sql}\`.execute(db);`).length, 1, sql);
  }
  for (const source of [
    '`alter table pages add column colour text`',
    "`alter table pages add column colour text not null default ''`",
    '`create table colours (id integer, name text not null)`, "create unique index colours_name on colours (name)"',
    '`create table colours (id integer)`, `create trigger colours_kept before delete on colours`',
    'const later = "update pages set colour = 1";',
    '/** Does not drop table pages. */ // nor alter column x type y',
    "export const indexes = [{ name: 'pages_name', on: 'on pages (account_id, name)' }];",
  ]) {
    assert.deepEqual(problemsOf(source), [], source);
  }
});

/** Returns why the previous version would break. Reads the source without running it, so it misses SQL that is assembled from parts. */
function problemsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const created = new Set([...code.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, table]) => table!));
  const problems: string[] = [];
  const find = (pattern: RegExp, advice: string, isAllowed: (match: RegExpExecArray) => boolean = () => false) => {
    for (const match of code.matchAll(pattern)) if (!isAllowed(match)) problems.push(`${match[0]}: ${advice}`);
  };
  const isNew = ([, table]: RegExpExecArray) => created.has(table!);
  find(
    /\b(?:drop (?:table|index|column|constraint|trigger|function)|rename (?:column|to)) \w+/gi,
    'a later version removes it',
  );
  find(/\balter column \w+ (?:type|set not null)\b[^'"`]*/gi, 'add a column, and fill both');
  find(/\badd column \w+[^`"\n]*\bnot null\b[^`"\n]*/gi, 'give it a default', ([text]) => / default /i.test(text));
  find(/\badd constraint \w+[^'"`]*/gi, 'the version before does not know it');
  find(/\bcreate (?:unique )?index (?:if not exists )?\w+ on (\w+)/gi, 'export it as one of `indexes`', isNew);
  find(/\bcreate trigger \w+ (?:before|after) [a-z ]+ on (\w+)/gi, 'the version before does not know it', isNew);
  return problems;
}
