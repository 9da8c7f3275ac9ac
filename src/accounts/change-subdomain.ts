import type { Addresses } from '../addresses.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';
import { nextVersion } from '../tenancy/next-version.ts';
import { getAccount } from './account.ts';
import { isSubdomainHeld, normalSubdomain, ownSubdomain, validateSubdomain } from './subdomain.ts';

/**
 * Gives the account another subdomain. The old one is kept from others for 90 days; the account itself may go back.
 * @throws ValidationError when the new one is malformed, reserved or not free.
 */
export async function changeSubdomain(
  trx: Trx,
  accountId: number,
  subdomain: string,
  addresses: Addresses,
  by: Actor,
): Promise<void> {
  const wanted = normalSubdomain(subdomain);
  // Locked before it is read, so that a subdomain given by a concurrent change is kept as well.
  await lockWholeAccount(trx, accountId);
  const { subdomain: old } = await getAccount(trx, accountId);
  if (wanted === old) return;
  const problem =
    validateSubdomain(wanted) ?? (wanted === ownSubdomain(addresses) ? ({ code: 'reserved' } as const) : undefined);
  if (problem) throw new ValidationError([{ field: 'subdomain', ...problem }]);
  const taken = () => new ValidationError([{ field: 'subdomain', code: 'taken' }]);
  const now = Date.now();
  try {
    await trx
      .updateTable('accounts')
      .set({ subdomain: wanted, content_version: nextVersion('content_version', now), content_changed_at: now })
      .where('id', '=', accountId)
      .execute();
  } catch (error) {
    if (violatedUniqueRule(error) === 'accounts_subdomain') throw taken();
    throw error;
  }
  // Checked only now: the account that has it may be giving it up, and this change has waited for that.
  if (await isSubdomainHeld(trx, wanted, accountId)) throw taken();
  await trx.deleteFrom('released_subdomains').where('subdomain', 'in', [wanted, old]).execute();
  await trx
    .insertInto('released_subdomains')
    .values({ subdomain: old, account_id: accountId, released_at: now })
    .execute();
  const event = { action: 'settings.changed', subject: `account_${accountId}`, details: { subdomain: wanted } };
  await recordAuditEvent(trx, accountId, by, event);
}
