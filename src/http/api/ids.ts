import { notFound } from '../../errors.ts';

/** The nouns for the things that ids in the API name, by the prefixes of the ids. */
const names = {
  account: 'The customer',
  change: 'The change of the price',
  delivery: 'The delivery',
  domain: 'The domain',
  event: 'The event',
  key: 'The API key',
  media: 'The image',
  page: 'The page',
  plan: 'The plan',
  redirect: 'The redirect',
  revision: 'The revision',
  user: 'The user',
  webhook: 'The webhook',
};

export type IdPrefix = keyof typeof names;

/** Reads an id like "account_12", or its number alone; undefined for other text. */
export function parseId(prefix: IdPrefix, text: string): number | undefined {
  const bare = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : text;
  return /^[1-9]\d{0,14}$/.test(bare) ? Number(bare) : undefined;
}

/** Reads the id in a path. @throws AppError `not_found` for text that is no id */
export function idInPath(prefix: IdPrefix, text: string): number {
  const id = parseId(prefix, text);
  if (id === undefined) throw notFound(names[prefix]);
  return id;
}
