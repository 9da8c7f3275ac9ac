import { type Compilable, type CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from './database.ts';

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
