import { type RawBuilder, sql } from 'kysely';
import type { Trx } from './database.ts';

/** The most rows, and the most bytes of long texts, that are read at once. */
const MAX_PART = { rows: 1000, bytes: 4 * 1024 * 1024 };

interface RowsToRead {
  table: string;
  /** The columns that rows are ordered by. */
  key: readonly string[];
  /** Columns of any length: the longer their texts, the fewer rows a part has. */
  long: readonly string[];
  /** Undefined selects all rows. */
  where?: RawBuilder<unknown>;
}

type Row = Record<string, string | number | null>;

/** Reads rows in the order of the key, whatever their number and the length of their texts. */
export async function* readInParts(trx: Trx, rowsToRead: RowsToRead): AsyncGenerator<Row> {
  for await (const rows of readParts(trx, rowsToRead)) yield* rows;
}

/** Reads rows in the order of the key, in parts that fit into memory however long the texts are. */
export async function* readParts(trx: Trx, rowsToRead: RowsToRead): AsyncGenerator<Row[]> {
  const { table, key, long, where = sql`true` } = rowsToRead;
  let after: unknown[] | undefined;
  for (;;) {
    // First read the sizes of the next rows, then the rows themselves until a part is full. Both queries see one snapshot.
    const sizes = await readSizes(trx, rowsToRead, after);
    if (sizes.length === 0) return;
    for (let start = 0; start < sizes.length; ) {
      const stop = endOfPart(sizes, start);
      const last = key.map((column) => sizes[stop - 1]![column]);
      const { rows } = await sql<Row>`select * from ${sql.table(table)}
        where ${where} and ${isAfter(key, after)} and (${columns(key)}) <= (${sql.join(last)})
        order by ${columns(key)}`.execute(trx);
      yield rows;
      after = last;
      start = stop;
    }
    if (long.length === 0 && sizes.length < MAX_PART.rows) return;
  }
}

/** Reads the rows with these ids, whose sizes are known, in the order of the ids given. */
export async function* readByIds(
  trx: Trx,
  { table, where }: Required<Pick<RowsToRead, 'table' | 'where'>>,
  ids: readonly { id: number; size: number }[],
): AsyncGenerator<Row> {
  for (let start = 0; start < ids.length; ) {
    const stop = Math.min(endOfPart(ids, start), start + MAX_PART.rows);
    const part = ids.slice(start, stop).map(({ id }) => id);
    const { rows } = await sql<Row>`select * from ${sql.table(table)}
      where ${where} and id in (${sql.join(part)})`.execute(trx);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of part) yield byId.get(id)!;
    start = stop;
  }
}

function endOfPart(sizes: readonly { size?: unknown }[], start: number): number {
  let stop = start;
  let bytes = 0;
  do bytes += Number(sizes[stop++]!.size);
  while (stop < sizes.length && bytes + Number(sizes[stop]!.size) <= MAX_PART.bytes);
  return stop;
}

async function readSizes(
  trx: Trx,
  { table, key, long, where = sql`true` }: RowsToRead,
  after: unknown[] | undefined,
): Promise<Row[]> {
  const { rows } = await sql<Row>`select ${columns(key)}, ${sizeOf(long)} as size from ${sql.table(table)}
    where ${where} and ${isAfter(key, after)} order by ${columns(key)} limit ${sql.lit(MAX_PART.rows)}`.execute(trx);
  return rows;
}

/** Returns an expression for the bytes of the texts in the columns. */
export function sizeOf(long: readonly string[]): RawBuilder<number> {
  const lengths = long.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  return lengths.length === 0 ? sql`0` : sql`${sql.join(lengths, sql` + `)}`;
}

function columns(key: readonly string[]) {
  return sql.join(key.map((column) => sql.ref(column)));
}

function isAfter(key: readonly string[], after: unknown[] | undefined) {
  return after === undefined ? sql`true` : sql`(${columns(key)}) > (${sql.join(after)})`;
}
