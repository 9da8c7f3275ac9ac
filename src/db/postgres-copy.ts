import pg from 'pg';

/** The methods of a connection that let a query of `pg` send rows; its types leave them out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** True if `CopyFrom` has to send the statement, whose only parameter is the rows. */
export function isCopyFrom(text: string): boolean {
  return text.startsWith('copy ') && text.endsWith(' from stdin');
}

/**
 * A `copy … from stdin` statement with all of its rows. The caller must send nothing else on the connection until it has
 * ended: the server would take that for rows. It extends `pg.Query`, since a connection that pipelines refuses other
 * classes, such as those of pg-copy-streams.
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
