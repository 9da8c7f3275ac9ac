import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { isTopLevel } from '../tenancy/is-top-level.ts';

/**
 * Puts the admin app of the account's customers at one of its domains, or its site there again. The app is at one domain: from
 * another, it goes away. Returns the id of the domain where it was before; undefined if it was at none.
 * @throws AppError `not_found`; Refusal for an account that is not top-level, and without a brand, since the app would show the
 * product's name there.
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

/** Links in messages lead to the host, which its owner can lead elsewhere. So it must be an agency's that the operator knows. */
async function requireBrand(trx: Trx, accountId: number): Promise<void> {
  if (!(await isTopLevel(trx, accountId))) throw new Refusal('conflict', { reason: 'not_top_level' });
  const brand = await trx.selectFrom('brands').select('version').where('account_id', '=', accountId).executeTakeFirst();
  if (!brand) throw new Refusal('conflict', { reason: 'no_brand' });
}
