import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { isTopLevel } from '../tenancy/is-top-level.ts';

/**
 * Makes one of the account's domains serve the admin app of its customers, or its site again. An account's app is at one
 * domain at most, so another domain loses it. Returns the id of the domain where the app was before; undefined if it was at
 * none.
 * @throws AppError `not_found`; Refusal if the account is not top-level, or has no brand: the app would show the product's
 * name there
 */
export async function changeDomainUse(
  trx: Trx,
  accountId: number,
  { id, isApp }: { id: number; isApp: boolean },
  by: Actor,
): Promise<number | undefined> {
  await raiseContentVersion(trx, accountId, Date.now());
  const domains = await trx
    .selectFrom('domains')
    .select(['id', 'host', 'is_app'])
    .where('account_id', '=', accountId)
    .execute();
  const domain = domains.find((one) => one.id === id);
  if (!domain) throw notFound('The domain');
  const before = domains.find(({ is_app }) => is_app === 1)?.id;
  if ((domain.is_app === 1) === isApp) return before;
  if (isApp) await requireBrand(trx, accountId);
  const ofAccount = () => trx.updateTable('domains').where('account_id', '=', accountId);
  if (isApp) await ofAccount().set({ is_app: 0 }).where('is_app', '=', 1).execute();
  await ofAccount()
    .set({ is_app: isApp ? 1 : 0 })
    .where('id', '=', id)
    .execute();
  const details = { host: domain.host, use: isApp ? 'app' : 'site' };
  await recordAuditEvent(trx, accountId, by, { action: 'domain.use_changed', subject: `domain_${id}`, details });
  return before;
}

/**
 * Checks that the account is top-level and has a brand. Links in messages will lead to the host, whose owner can point it
 * anywhere. So the host must belong to an agency that the operator knows.
 */
async function requireBrand(trx: Trx, accountId: number): Promise<void> {
  if (!(await isTopLevel(trx, accountId))) throw new Refusal('conflict', { reason: 'not_top_level' });
  const brand = await trx.selectFrom('brands').select('version').where('account_id', '=', accountId).executeTakeFirst();
  if (!brand) throw new Refusal('conflict', { reason: 'no_brand' });
}
