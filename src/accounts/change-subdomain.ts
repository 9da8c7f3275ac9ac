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
 * Changes the account's subdomain. The old one stays reserved for 90 days; the account itself may return to it.
 * @throws ValidationError when the new subdomain is malformed, reserved or taken.
 */
export async function changeSubdomain(
  trx: Trx,
  accountId: number,
  subdomain: string,
  addresses: Addresses,
  by: Actor,
): Promise<void> {
  const wanted = normalSubdomain(subdomain);
  // Locks the account before reading it, so that a subdomain set by a concurrent change becomes reserved as well.
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
  // Checked only now: another account may be giving up the subdomain, and the update has waited for that change.
  if (await isSubdomainHeld(trx, wanted, accountId)) throw taken();
  await trx.deleteFrom('released_subdomains').where('subdomain', 'in', [wanted, old]).execute();
  await trx
    .insertInto('released_subdomains')
    .values({ subdomain: old, account_id: accountId, released_at: now })
    .execute();
  const event = { action: 'settings.changed', subject: `account_${accountId}`, details: { subdomain: wanted } };
  await recordAuditEvent(trx, accountId, by, event);
}
