import { CompiledQuery, sql } from 'kysely';
import { dialectOf, type Trx } from './database.ts';

/** How many rows one statement of SQLite inserts: a statement takes as long as some rows. PostgreSQL gets all rows with one. */
const ROWS_PER_INSERT = 50;

type Value = string | number | null;

/** Rows of one table, each with a value for each column. */
export interface RowsOfTable {
  table: string;
  columns: readonly string[];
  rows: readonly (readonly Value[])[];
}

/**
 * Inserts rows as fast as the database can: with `copy` on PostgreSQL. The caller must not send another query of the
 * transaction before this resolves.
 */
export async function loadRows(trx: Trx, { table, columns, rows }: RowsOfTable): Promise<void> {
  if (rows.length === 0) return;
  const target = sql`${sql.table(table)} (${sql.join(columns.map((column) => sql.id(column)))})`.compile(trx).sql;
  if (dialectOf(trx) === 'postgres') {
    await trx.executeQuery(CompiledQuery.raw(`copy ${target} from stdin`, [rows.map(toCopyLine).join('')]));
    return;
  }
  const places = `(${columns.map(() => '?').join(', ')})`;
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const part = rows.slice(start, start + ROWS_PER_INSERT);
    const statement = `insert into ${target} values ${part.map(() => places).join(', ')}`;
    await trx.executeQuery(CompiledQuery.raw(statement, part.flat()));
  }
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
