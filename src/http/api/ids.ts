import { notFound } from '../../errors.ts';

/** The prefixes of ids in the API. */
type IdPrefix =
  | 'account'
  | 'change'
  | 'delivery'
  | 'domain'
  | 'event'
  | 'key'
  | 'media'
  | 'page'
  | 'plan'
  | 'redirect'
  | 'revision'
  | 'user'
  | 'webhook';

/** Reads an id like "account_12", or its number alone; undefined for other text. */
export function parseId(prefix: IdPrefix, text: string): number | undefined {
  const bare = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : text;
  return /^[1-9]\d{0,14}$/.test(bare) ? Number(bare) : undefined;
}

/** Reads the id in a path. @throws AppError `not_found`, with the name of what is missing, for text that is no id */
export function idInPath(prefix: IdPrefix, text: string, what: string): number {
  const id = parseId(prefix, text);
  if (id === undefined) throw notFound(what);
  return id;
}
