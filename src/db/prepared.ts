import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Expression,
  type Insertable,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely';
import { type Db, dialectOf, type Trx } from './database.ts';
import type { Schema } from './schema.ts';

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Returns a placeholder for a parameter of a prepared query. */
export type Parameter<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]> & Expression<P[K]>;

const preparedSql = new Set<string>();

/** Functions that compile the prepared queries: a test checks all of them. */
export const preparedQueries = new Set<(db: Db) => CompiledQuery<unknown>>();

/** Runs a reading statement on a connection that the database chooses. */
type Reader = (sql: string, parameters: readonly unknown[]) => unknown[];

const readers = new WeakMap<object, Reader>();

/**
 * Lets prepared queries outside transactions bypass the connection pool. SQLite answers at once, and finding a connection
 * would take as long as the answer.
 */
export function readDirectly(adapter: object, reader: Reader): void {
  readers.set(adapter, reader);
}

/** True if the statement comes from `prepared()`. There are few of these, so it pays to name them on the server. */
export function isPrepared(text: string): boolean {
  return preparedSql.has(text);
}

/**
 * Returns a query that is built and compiled once for each database, and then run with new parameters. Building a query with
 * Kysely takes several times as long as SQLite takes to answer it. On SQLite, the query also bypasses Kysely's executor,
 * which would take 15 % of the time to create a page.
 *
 * The query must name the columns that it returns, instead of `*`: after a migration has added a column, PostgreSQL refuses
 * a prepared `*` on connections that are older.
 */
export function prepared<P extends object, R>(build: (db: Db, parameter: Parameter<P>) => Compilable<R>) {
  const fill = filler(build);
  return async (db: Db | Trx, parameters: P): Promise<R[]> => {
    const query = fill(db, parameters);
    if (db.isTransaction) return (await runIn(db, query)).rows;
    const reader = readers.get(db.getExecutor().adapter);
    return reader ? (reader(query.sql, query.parameters) as R[]) : (await db.executeQuery<R>(query)).rows;
  };
}

/**
 * Like `prepared`, for the insertion of one row. Returns the row's id, or undefined if a conflict prevented the insertion.
 * SQLite knows the id of the last inserted row, and takes a third longer if it has to return one.
 */
export function preparedInsertion<P extends object, T extends TableWithId>(
  build: (db: Db, parameter: Parameter<P>) => InsertQueryBuilder<Schema, T, InsertResult>,
) {
  const fill = filler<P, { id: number }>((db, parameter) => {
    const insertion = build(db, parameter);
    return dialectOf(db) === 'sqlite'
      ? (insertion as unknown as Compilable<{ id: number }>)
      : insertion.returning(sql<number>`id`.as('id'));
  });
  return async (trx: Trx, parameters: P): Promise<number | undefined> => {
    const { rows, numAffectedRows, insertId } = await runIn(trx, fill(trx, parameters));
    if (dialectOf(trx) === 'postgres') return rows[0]?.id;
    // If nothing was inserted, `insertId` is still that of the previous row.
    return numAffectedRows ? Number(insertId) : undefined;
  };
}

/** Inserts one row with these columns by a prepared statement. Returns its id. */
export function preparedInsert<T extends TableWithId, C extends keyof Insertable<Schema[T]> & string>(
  table: T,
  columns: readonly C[],
): (trx: Trx, row: Pick<Insertable<Schema[T]>, C>) => Promise<number> {
  type Row = Pick<Insertable<Schema[T]>, C>;
  const insert = preparedInsertion<Row, T>((db, parameter) => {
    const values = Object.fromEntries(columns.map((column) => [column, parameter(column)]));
    // The caller's types guarantee the columns and their types.
    return db.insertInto(table).values(values as InsertObject<Schema, T>);
  });
  return async (trx, row) => (await insert(trx, row))!;
}

type TableWithId = { [T in keyof Schema]: Schema[T] extends { id: unknown } ? T : never }[keyof Schema];

const connections = new WeakMap<object, DatabaseConnection>();

/**
 * Runs the query directly on the transaction's connection. The connection serves all queries of the transaction and nothing
 * else, so it knows when the transaction is over. Kysely would send a statement only after the answer to the previous one;
 * PostgreSQL gets the statements of `runTogether` without a pause.
 */
async function runIn<R>(trx: Db | Trx, query: CompiledQuery<R>): Promise<QueryResult<R>> {
  const executor = trx.getExecutor();
  let connection = connections.get(executor);
  if (!connection) {
    connection = await executor.provideConnection(async (own) => own);
    connections.set(executor, connection);
  }
  return connection.executeQuery<R>(query);
}

/** Builds the query for each database at its first use. Returns a function that fills in the parameters. */
function filler<P extends object, R>(build: (db: Db, parameter: Parameter<P>) => Compilable<R>) {
  const compiled = new WeakMap<object, CompiledQuery<R>>();
  const compile = (db: Db | Trx) => build(db, (name) => sql.val(new Placeholder(name)) as never).compile();
  preparedQueries.add(compile);
  return (db: Db | Trx, parameters: P): CompiledQuery<R> => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = compile(db);
      preparedSql.add(query.sql);
      compiled.set(adapter, query);
    }
    const values = query.parameters.map((slot) =>
      slot instanceof Placeholder ? parameters[slot.name as keyof P] : slot,
    );
    return { ...query, parameters: values };
  };
}
