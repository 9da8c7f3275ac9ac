import { type Kysely, sql } from 'kysely';
import type { Db } from '../src/db/database.ts';
import type { Migration } from '../src/db/migrations.ts';

/**
 * Returns migrations that a later version might have, for PostgreSQL: they add a column with a default, a column without and an
 * index to each table, and one more table.
 */
export async function laterMigrations(db: Db): Promise<Migration[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`.execute(
    db,
  );
  const additions = rows.map(({ name }, index): Migration => {
    const up = async (trx: Kysely<unknown>) => {
      await sql`alter table ${sql.table(name)} add column later text`.execute(trx);
      await sql`alter table ${sql.table(name)} add column counted_later bigint not null default 0`.execute(trx);
    };
    return [`${900 + index}-add-to-${name.replaceAll('_', '-')}`, () => ({ up })];
  });
  const indexes = rows.map(({ name }) => ({ name: `${name}_later`, on: `on ${name} (counted_later)` }));
  const create: Migration = [
    '998-create-table',
    () => ({ up: (trx) => sql`create table later (id bigint not null primary key)`.execute(trx).then(() => {}) }),
  ];
  return [...additions, create, ['999-indexes', () => ({ indexes })]];
}
