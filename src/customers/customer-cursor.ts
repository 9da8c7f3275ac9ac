import { AppError } from '../errors.ts';
import type { CustomerCursor, CustomerSort } from './list-customers.ts';

/** Returns the cursor of a list of customers as text for a query parameter. */
export function writeCursor({ id, key }: CustomerCursor): string {
  return `${id}-${key}`;
}

/**
 * Reads a cursor from its text.
 * @throws AppError `malformed` for text that is no cursor of a list in this order
 */
export function readCursor(text: string, sort: CustomerSort): CustomerCursor {
  const [, id, key] = /^(\d{1,15})-(.*)$/s.exec(text) ?? [];
  if (key === undefined || (sort !== 'name' && !/^\d{1,15}$/.test(key))) {
    throw new AppError('malformed', '"after" must be "next" of the previous part.');
  }
  return { id: Number(id), key: sort === 'name' ? key : Number(key) };
}
