import { setImmediate } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import type { Customer } from './customer.ts';
import { type CustomerListInput, listCustomers } from './list-customers.ts';

/** How many customers are in memory at once. */
const PART_SIZE = 500;

/** Yields all customers that match the filter, in parts. Parts may be empty. */
export async function* readAllCustomers(
  db: Db,
  accountId: number,
  input: Pick<CustomerListInput, 'filter' | 'sort'>,
): AsyncGenerator<Customer[]> {
  let after: CustomerListInput['after'];
  do {
    const part = await listCustomers(db, accountId, { ...input, after, limit: PART_SIZE });
    yield part.customers;
    after = part.next ?? undefined;
    // SQLite responds within one turn of the event loop: without this pause, other requests would wait for the whole list.
    await setImmediate();
  } while (after);
}
