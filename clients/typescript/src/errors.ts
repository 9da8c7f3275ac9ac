/** The `errors` of an answer: a sentence, sentences, or pairs of field and message. */
export type Errors = string | readonly string[] | readonly (readonly [field: string, message: string])[];

/** A failed request. Nothing was changed, unless the status is 0, or 500 or more. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The status of the answer; 0 if there was no answer. */
  readonly status: number;
  readonly errors: Errors;
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(status: number, errors: Errors, requestId?: string, options?: ErrorOptions) {
    super(sentenceOf(errors), options);
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
  }

  /** The messages by the names of fields; empty if the service named none. */
  get fields(): Readonly<Record<string, string>> {
    if (typeof this.errors === 'string') return {};
    return Object.fromEntries(this.errors.filter((error) => typeof error !== 'string'));
  }
}

/** 400, 413, 414, 422: the request breaks rules. It would be refused again. */
export class InvalidRequest extends ApiError {
  override readonly name = 'InvalidRequest';
}

/** 401, 403: the key is invalid, or does not have the scope of the operation. */
export class NotAllowed extends ApiError {
  override readonly name = 'NotAllowed';
}

/** 404: the path or the object does not exist. */
export class NotFound extends ApiError {
  override readonly name = 'NotFound';
}

/** 410: the changes since the version are no longer known. Read the whole list. */
export class Gone extends ApiError {
  override readonly name = 'Gone';
}

/** 412: the object has changed since the ETag in `ifMatch`. */
export class Outdated extends ApiError {
  override readonly name = 'Outdated';
}

/** 429 after the last attempt. */
export class RateLimited extends ApiError {
  override readonly name = 'RateLimited';
}

/** 5xx, or no answer, after the last attempt. */
export class Unavailable extends ApiError {
  override readonly name = 'Unavailable';
}

export function errorOf(status: number, errors: Errors, requestId: string | undefined): ApiError {
  const kind = kinds[status] ?? (status >= 500 ? Unavailable : ApiError);
  return new kind(status, errors, requestId);
}

const kinds: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequest,
  401: NotAllowed,
  403: NotAllowed,
  404: NotFound,
  410: Gone,
  412: Outdated,
  413: InvalidRequest,
  414: InvalidRequest,
  422: InvalidRequest,
  429: RateLimited,
};

function sentenceOf(errors: Errors): string {
  if (typeof errors === 'string') return errors;
  return errors.map((error) => (typeof error === 'string' ? error : `${error[0]} ${error[1]}`)).join('; ');
}
