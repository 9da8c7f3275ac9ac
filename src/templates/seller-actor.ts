import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';

/**
 * Returns the actor with which a seller changes a customer's pages. Pages and revisions name the customer's owner, since they
 * need a user of their own account, as default pages do. The audit log names the seller.
 */
export async function sellerActor(trx: Trx, siteId: number): Promise<UserActor> {
  const owner = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .select(['users.id', 'sellers.name'])
    .where('users.account_id', '=', siteId)
    .orderBy((e) => e.case().when('users.removed_at', 'is', null).then(0).else(1).end())
    .orderBy((e) => e.case().when('users.role', '=', 'owner').then(0).else(1).end())
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst();
  if (!owner) throw notFound('The site');
  return { userId: owner.id, name: owner.name, ip: '', isSeller: true };
}
