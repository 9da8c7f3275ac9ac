import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { nextVersion } from './next-version.ts';

interface Seller {
  name: string;
  accent: string;
  editor: BodyFormat;
  language: string;
  parent_id: number | null;
}

/**
 * Raises the version of the account's plans and customers. This is the first statement of every transaction that changes
 * plans, customers or the plan of a customer, so that these transactions run one after the other. Returns the seller.
 * @throws AppError `not_found`
 */
export async function raiseCustomersVersion(trx: Trx, accountId: number): Promise<Seller> {
  const [seller] = await raise(trx, { accountId, now: Date.now() });
  if (!seller) throw notFound('The account');
  return seller;
}

const raise = prepared<{ accountId: number; now: number }, Seller>((db, parameter) =>
  db
    .updateTable('accounts')
    .set({ customers_version: nextVersion('customers_version', parameter('now')) })
    .where('id', '=', parameter('accountId'))
    .where('deleted_at', 'is', null)
    .returning(['name', 'accent', 'editor', 'language', 'parent_id']),
);
