import { CompiledQuery, sql } from 'kysely';
import { type Dialect, dialectOf, type Trx } from './database.ts';

type Value = string | number | null;

/** Rows of one table, each with a value for each column. */
export interface RowsOfTable {
  table: string;
  columns: readonly string[];
  rows: readonly (readonly Value[])[];
}

/**
 * Inserts rows as fast as the database takes them: a statement of SQLite's for each row, and one `copy` for all of them on
 * PostgreSQL. The caller sends no other query of the transaction before it resolves.
 */
export async function loadRows(trx: Trx, { table, columns, rows }: RowsOfTable): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = sql.join(columns.map((column) => sql.id(column)));
  const load: Record<Dialect, () => Promise<void>> = {
    sqlite: async () => {
      const statement = sql`insert into ${sql.table(table)} (${names}) values (${sql.join(first)})`.compile(trx).sql;
      for (const row of rows) await trx.executeQuery(CompiledQuery.raw(statement, [...row]));
    },
    postgres: async () => {
      const statement = sql`copy ${sql.table(table)} (${names}) from stdin`.compile(trx).sql;
      await trx.executeQuery(CompiledQuery.raw(statement, [rows.map(toCopyLine).join('')]));
    },
  };
  await load[dialectOf(trx)]();
}

/** Returns the row in the text format of PostgreSQL's `copy`. */
function toCopyLine(row: readonly Value[]): string {
  return `${row.map(toCopyField).join('\t')}\n`;
}

function toCopyField(value: Value): string {
  if (value === null) return '\\N';
  return typeof value === 'number' ? String(value) : value.replace(/[\\\n\r\t]/g, (character) => escapes[character]!);
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
