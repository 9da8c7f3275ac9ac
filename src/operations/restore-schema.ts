import { sql } from 'kysely';
import type { Dialect, Trx } from '../db/database.ts';
import { appliedMigrations, applyMissing } from '../db/migrate.ts';
import { type TableName, tableNames } from './tables.ts';

/**
 * Empties the database and brings it to the schema of the backup, ready to take rows in any order. Returns a function that
 * reinstates the constraints after loading; it fails if the rows break them.
 */
export function prepareLoading(
  trx: Trx,
  dialect: Dialect,
  names: readonly TableName[],
  migrations: readonly string[],
): Promise<() => Promise<void>> {
  return dialect === 'sqlite' ? prepareSqlite(trx, names, migrations) : preparePostgres(trx, names, migrations);
}

/** Tables that no backup contains, and that migrations create. */
const ownTables = ['migrations', 'database_timeline'] as const;

async function prepareSqlite(trx: Trx, names: readonly TableName[], migrations: readonly string[]) {
  // Foreign keys are checked at the commit: accounts and plans refer to each other, and pages may refer to later pages.
  await sql`pragma defer_foreign_keys = on`.execute(trx);
  // Other connections keep reading the old tables in their snapshots.
  for (const name of names.toReversed()) await sql`drop table ${sql.table(name)}`.execute(trx);
  for (const name of ownTables) await sql`drop table if exists ${sql.table(name)}`.execute(trx);
  await applyMissing(trx, 'sqlite', migrations);
  return suspendIndexes(trx, 'sqlite');
}

/**
 * Drops all indexes except those of primary keys and unique constraints. Returns a function that creates them again after
 * loading: sorting all entries at once takes half as long as inserting them one by one.
 */
async function suspendIndexes(trx: Trx, dialect: Dialect): Promise<() => Promise<void>> {
  const { rows: indexes } = await (dialect === 'sqlite'
    ? sql<Index>`
        select name, sql as definition from sqlite_master
        where type = 'index' and sql is not null and tbl_name in (${sql.join(tableNames)}) order by name`
    : sql<Index>`
        select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
        from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
        where i.indrelid in (${oids(tableNames)}) and c.oid is null order by 1`
  ).execute(trx);
  for (const { name } of indexes) await sql`drop index ${sql.raw(name)}`.execute(trx);
  return async () => {
    for (const { definition } of indexes) await sql.raw(definition).execute(trx);
  };
}

interface Index {
  name: string;
  definition: string;
}

async function preparePostgres(trx: Trx, names: readonly TableName[], migrations: readonly string[]) {
  const applied = await appliedMigrations(trx);
  if (applied.join() !== migrations.toSorted().join()) {
    await dropTables(trx, names);
    await applyMissing(trx, 'postgres', migrations);
    return suspendRules(trx);
  }
  // If the schema is right already, the tables stay and their rows are deleted: a transaction that is already reading sees
  // the old rows, where it would find new tables empty. Every transaction locks accounts first, so this lock cannot cause a
  // deadlock.
  await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in access exclusive mode`.execute(trx);
  const resume = await suspendRules(trx);
  // The search index refers to accounts, and no backup contains it.
  await emptySearch(trx, 'postgres');
  for (const name of names.toReversed()) await sql`delete from ${sql.table(name)}`.execute(trx);
  return resume;
}

async function dropTables(trx: Trx, names: readonly TableName[]): Promise<void> {
  const { rows: functions } = await sql<{ name: string }>`
    select distinct tgfoid::regprocedure::text as name from pg_trigger
    where not tgisinternal and tgrelid in (${oids(names)})`.execute(trx);
  const list = sql.join([...names, ...ownTables].map((name) => sql.table(name)));
  await sql`drop table if exists ${list} cascade`.execute(trx);
  for (const { name } of functions) await sql`drop function ${sql.raw(name)}`.execute(trx);
}

/** Empties the search index, which has the pages of the replaced database. The next search fills it again. */
export async function emptySearch(trx: Trx, dialect: Dialect): Promise<void> {
  for (const table of ['search_accounts', 'search_queue', 'search_pages', 'search_vocabulary'] as const) {
    await trx.deleteFrom(table).execute();
  }
  if (dialect === 'sqlite') await sql`insert into search_words (search_words) values ('delete-all')`.execute(trx);
}

/**
 * Drops foreign keys and indexes and disables triggers. Returns a function that reinstates them; PostgreSQL then checks all
 * rows at once.
 */
async function suspendRules(trx: Trx): Promise<() => Promise<void>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.oid in (${oids(tableNames)})`.execute(trx);
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid in (${oids(tableNames)}) order by conname`.execute(trx);
  const alter = (table: string, change: string) => sql.raw(`alter table ${table} ${change}`).execute(trx);

  for (const { table, name } of keys) await alter(table, `drop constraint ${name}`);
  for (const { name } of tables) await alter(name, 'disable trigger user');
  const makeIndexes = await suspendIndexes(trx, 'postgres');
  return async () => {
    await makeIndexes();
    for (const { name } of tables) await alter(name, 'enable trigger user');
    for (const { table, name, definition } of keys) await alter(table, `add constraint ${name} ${definition}`);
  };
}

function oids(names: readonly TableName[]) {
  return sql`select to_regclass(name) from unnest(${names}::text[]) as name`;
}
