import { type Actor, service } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { removeKeptMail } from '../mail/file-transport.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { type CustomerRow, changeCustomer } from './change-customer.ts';
import { deleteAccount } from './delete-account.ts';

/**
 * Takes a customer offline as a suspension does, and deletes it for good after 30 days. Until then its data is kept and its
 * subdomain stays reserved. Deleting a deleted customer changes nothing. Returns the customer as before.
 * @throws AppError `not_found`; `conflict` while it has customers.
 */
export function deleteCustomer(
  trx: Trx,
  accountId: number,
  customerId: number,
  by: Actor,
  now = Date.now(),
): Promise<CustomerRow> {
  return changeCustomer(trx, accountId, { kind: 'delete', id: customerId }, by, now);
}

/** Undoes the deletion and restores the customer's earlier status. Returns the customer as it was while deleted. */
export function undeleteCustomer(trx: Trx, accountId: number, customerId: number, by: Actor): Promise<CustomerRow> {
  return changeCustomer(trx, accountId, { kind: 'undelete', id: customerId }, by);
}

/** Deletes the customers whose 30 days are over for good. Their remaining data is purged afterwards. Returns how many. */
export async function deleteDueCustomers(db: Db, dataDir: string, now = Date.now()): Promise<number> {
  const due = await db
    .selectFrom('accounts')
    .select(['id', 'parent_id'])
    .where('deletes_at', 'is not', null)
    .where('deletes_at', '<=', now)
    .execute();
  const failures: unknown[] = [];
  for (const { id, parent_id } of due) {
    await deleteForGood(db, dataDir, { id, sellerId: parent_id!, now }).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length;
}

async function deleteForGood(
  db: Db,
  dataDir: string,
  { id, sellerId, now }: { id: number; sellerId: number; now: number },
): Promise<void> {
  const messages = await db.transaction().execute(async (trx) => {
    await raiseCustomersVersion(trx, sellerId);
    const due = trx.selectFrom('accounts').select('id').where('id', '=', id).where('deletes_at', '<=', now);
    // Another user may have just restored the customer or deleted it for good.
    if (!(await due.executeTakeFirst())) return [];
    return deleteAccount(trx, id, { releaseSubdomain: false }, service);
  });
  await removeKeptMail(dataDir, messages);
}
