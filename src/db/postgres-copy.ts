import pg from 'pg';

/** The methods of a connection by which `pg` lets a query send rows; its types leave them out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Whether the statement is one that `CopyFrom` sends, with the rows as its only parameter. */
export function isCopyFrom(text: string): boolean {
  return text.startsWith('copy ') && text.endsWith(' from stdin');
}

/**
 * A `copy … from stdin` with all of its rows. The caller sends nothing else on the connection before it has ended: the server
 * would take that for rows. A query of `pg`'s own class, since a connection that pipelines refuses others, such as those of
 * pg-copy-streams.
 */
export class CopyFrom extends pg.Query {
  readonly #rows: string;
  readonly done: Promise<pg.QueryResult>;

  constructor(text: string, rows: string) {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    super(text, (error: Error | null | undefined, result: unknown) =>
      error ? reject(error) : resolve(result as pg.QueryResult),
    );
    this.#rows = rows;
    this.done = promise;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows));
    connection.endCopyFrom();
  }
}
