/** The options of a call. */
export interface CallOptions {
  /** The ETag that the object must still have: see `etagOf`. */
  ifMatch?: string;
  /** The key with which a change is made only once. Default: a new key for each call. Pass a key to repeat a call after a crash. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The path of an operation, and how its input is sent. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The object that contains the fields. */
  readonly object?: string;
  readonly isUpload?: true;
  /** The members of a document that is sent as the body. The fields are then in the query. */
  readonly document?: readonly string[];
  /** True if the answer is text instead of JSON. */
  readonly isText?: true;
  /** True if the answer has the id of the new object on request. */
  readonly hasId?: true;
}
