import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';
import { tableNames, tables } from '../src/operations/tables.ts';

/** Columns that differ between runs: times, secrets and counters of changes. */
const varying = /(_at|^at|_until|custom_date|hash|last4|secret|message_id|version|changes_known_from)$/;

/** Returns all rows of a database by table. Values that differ between runs are replaced by whether they are set. */
export async function dumpRows(db: Db): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const name of tableNames) {
    const key = sql.join(tables[name].key.map((column) => sql.ref(column)));
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)} order by ${key}`.execute(db);
    dump[name] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          varying.test(column) && value !== null && value !== 0 ? 'some' : value,
        ]),
      ),
    );
  }
  return dump;
}
