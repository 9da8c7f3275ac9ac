import { type Kysely, sql } from 'kysely';

/** Adds the server, and its timeline, on which the database was last used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table database_timeline (
      only_row integer not null primary key check (only_row = 1),
      timeline text not null
    )`,
    "insert into database_timeline (only_row, timeline) values (1, '')",
  ]) {
    await sql.raw(statement).execute(db);
  }
}
