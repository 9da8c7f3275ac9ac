import { notFound } from '../../errors.ts';
import { parseId } from '../../parse-id.ts';

/** The names of the objects in error messages, by the prefixes of their ids. */
const names = {
  account: 'The customer',
  change: 'The price change',
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

/** Returns the id in a path. @throws AppError `not_found` if the text is not an id */
export function idInPath(prefix: IdPrefix, text: string): number {
  const id = parseId(prefix, text);
  if (id === undefined) throw notFound(names[prefix]);
  return id;
}
