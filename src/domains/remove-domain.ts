import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { recordRemoval } from '../removals/removals.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { type DomainRow, getDomain } from './domain.ts';

/**
 * Removes a host and its token from the account. If it is added again, it must be proved again. The removal by a user can
 * be undone for 10 minutes, by the operator not. Returns the removed domain.
 * @throws AppError `not_found` if the account has no such domain
 */
export async function removeDomain(trx: Trx, accountId: number, host: string, by: Actor): Promise<DomainRow> {
  const { userId } = by;
  await raiseContentVersion(trx, accountId, Date.now());
  const domain = await getDomain(trx, accountId, host);
  await trx.deleteFrom('domains').where('account_id', '=', accountId).where('id', '=', domain.id).execute();
  if (userId !== null) {
    await recordRemoval(trx, accountId, { kind: 'domain', subjectId: domain.id, userId, payload: domain });
  }
  const event = { action: 'domain.removed', subject: `domain_${domain.id}`, details: { host } };
  await recordAuditEvent(trx, accountId, by, event);
  return domain;
}
