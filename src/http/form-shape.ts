import { AppError } from '../errors.ts';

export type Scalar = string | number | boolean;
/** The fields of one object of a request. */
export type Fields = Map<string, Scalar>;

/** The name and the fields of an object that a request may have, in any encoding. */
export interface ObjectShape {
  /** The object's name: `page` in `page[name]`. */
  readonly object: string;
  readonly fields: ReadonlySet<string>;
}

export function malformed(): AppError {
  return new AppError('malformed', 'The request is malformed.');
}

/** @throws AppError `malformed` */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw malformed();
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
