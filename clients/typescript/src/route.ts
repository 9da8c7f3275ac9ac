/** How a call is made. */
export interface CallOptions {
  /** The ETag that the thing must still have: see `etagOf`. */
  ifMatch?: string;
  /** Names a change, so that it is done once. Each call has one of its own if it is not given; give one to repeat a call after a crash. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Where an operation is, and how it takes its input. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The object that the fields are in. */
  readonly object?: string;
  readonly isUpload?: true;
  /** The members of the document that is its body: the fields are in the query then. */
  readonly document?: readonly string[];
  /** Whether the answer is a text, and no JSON. */
  readonly isText?: true;
  /** Whether the answer has the id of what was created, if it is asked for. */
  readonly hasId?: true;
}
