import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type Insertable,
  type InsertObject,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Db, Trx } from './database.ts';
import type { Schema } from './schema.ts';

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Parameter<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]> & Expression<P[K]>;

const preparedSql = new Set<string>();

/** Runs a statement that reads, on whatever connection is for that. */
type Reader = (sql: string, parameters: readonly unknown[]) => unknown[];

const readers = new WeakMap<object, Reader>();

/**
 * Lets prepared queries outside transactions go straight to the database: where that answers at once, as SQLite does,
 * finding a connection takes as long as the answer.
 */
export function readDirectly(adapter: object, reader: Reader): void {
  readers.set(adapter, reader);
}

/** Whether this text comes from `prepared()`, and so from a bounded set worth naming on the server. */
export function isPrepared(text: string): boolean {
  return preparedSql.has(text);
}

/**
 * A query built and compiled once for each database and then run with new parameters: for the few that run with every
 * request, where building one with Kysely takes several times as long as SQLite takes to answer it.
 */
export function prepared<P extends object, R>(build: (db: Db, parameter: Parameter<P>) => Compilable<R>) {
  const compiled = new WeakMap<object, { query: CompiledQuery<R>; fill: (parameters: P) => unknown[] }>();

  return async (db: Db | Trx, parameters: P): Promise<R[]> => {
    const { adapter } = db.getExecutor();
    let entry = compiled.get(adapter);
    if (!entry) {
      const query = build(db, (name) => sql.val(new Placeholder(name)) as never).compile();
      preparedSql.add(query.sql);
      const slots = query.parameters;
      entry = {
        query,
        fill: (values) => slots.map((slot) => (slot instanceof Placeholder ? values[slot.name as keyof P] : slot)),
      };
      compiled.set(adapter, entry);
    }
    const values = entry.fill(parameters);
    const reader = db.isTransaction ? undefined : readers.get(adapter);
    if (reader) return reader(entry.query.sql, values) as R[];
    const { rows } = await db.executeQuery<R>({ ...entry.query, parameters: values });
    return rows;
  };
}

/** Puts one row with these columns into the table, as `prepared` does; returns its id. */
export function preparedInsert<T extends TableWithId, C extends keyof Insertable<Schema[T]> & string>(
  table: T,
  columns: readonly C[],
): (trx: Trx, row: Pick<Insertable<Schema[T]>, C>) => Promise<number> {
  type Row = Pick<Insertable<Schema[T]>, C>;
  const insert = prepared<Row, { id: number }>((db, parameter) => {
    const values = Object.fromEntries(columns.map((column) => [column, parameter(column)]));
    // Which columns there are, and of what types, has been checked where the function is called.
    return db
      .insertInto(table)
      .values(values as InsertObject<Schema, T>)
      .returning(sql<number>`id`.as('id'));
  });
  return async (trx, row) => (await insert(trx, row))[0]!.id;
}

type TableWithId = { [T in keyof Schema]: Schema[T] extends { id: unknown } ? T : never }[keyof Schema];
