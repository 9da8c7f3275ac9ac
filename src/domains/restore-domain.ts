import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { takeRemoval } from '../removals/take-removal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import type { DomainRow } from './domain.ts';

/**
 * Gives a removed host back to the account: with its token, as proved as it was, and in its old place among the others.
 * @throws AppError `not_found`; `conflict` when it is too late, or when somebody has the host by now.
 */
export async function restoreDomain(trx: Trx, accountId: number, id: number): Promise<DomainRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const domain = await takeRemoval(trx, accountId, 'domain', id);
  // Nobody of the account adds one meanwhile; two rules would be broken, and which is told differs.
  const again = await trx
    .selectFrom('domains')
    .select('id')
    .where('account_id', '=', accountId)
    .where('host', '=', domain.host)
    .executeTakeFirst();
  if (again) throw new Refusal('conflict', { reason: 'domain_added_since' });
  try {
    await trx.insertInto('domains').values(domain).execute();
  } catch (error) {
    if (violatedUniqueRule(error) !== 'domains_verified_host') throw error;
    throw new Refusal('conflict', { reason: 'domain_lost_since' });
  }
  return domain;
}
