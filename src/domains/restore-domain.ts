import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { takeRemoval } from '../removals/removals.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { checkDomainCount } from './add-domain.ts';

/**
 * Restores a removed host with its token, its proof and its place in the list.
 * @throws AppError `not_found`; `conflict` if it is too late, or if an account has the host by now
 */
export async function restoreDomain(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await raiseContentVersion(trx, accountId, Date.now());
  const domain = await takeRemoval(trx, accountId, 'domain', id);
  // The account is locked, so the host cannot be added in between. Without this check, the insert would break two rules,
  // and databases differ in which one they report.
  const again = await trx
    .selectFrom('domains')
    .select('id')
    .where('account_id', '=', accountId)
    .where('host', '=', domain.host)
    .executeTakeFirst();
  if (again) throw new Refusal('conflict', { reason: 'domain_added_since' });
  await checkDomainCount(trx, accountId);
  await checkPlanLimit(trx, accountId, 'domains');
  // An account's admin app is at one domain at most.
  const app = await trx
    .selectFrom('domains')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_app', '=', 1)
    .executeTakeFirst();
  try {
    await trx
      .insertInto('domains')
      .values(app ? { ...domain, is_app: 0 } : domain)
      .execute();
  } catch (error) {
    if (violatedUniqueRule(error) !== 'domains_verified_host') throw error;
    throw new Refusal('conflict', { reason: 'domain_lost_since' });
  }
  const event = { action: 'domain.restored', subject: `domain_${id}`, details: { host: domain.host } };
  await recordAuditEvent(trx, accountId, by, event);
}
