import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { type BrandRow, findOwnBrand } from './brand.ts';
import { type BrandFields, checkBrandFields, readBrandFields } from './brand-fields.ts';

export interface ChangeBrandInput extends BrandFields<string | undefined> {
  /** The version that the user saw, 0 for none; undefined to overwrite any version. */
  seenVersion?: number | undefined;
}

/**
 * Creates or changes the account's brand, and returns it. `undefined` leaves a field unchanged, and an empty text clears it.
 * @throws AppError `not_found`; ValidationError with every wrong field; Refusal when another user has changed the brand
 * since the version that the user saw.
 */
export async function changeBrand(
  trx: Trx,
  accountId: number,
  { seenVersion, ...input }: ChangeBrandInput,
  by: Actor,
): Promise<BrandRow> {
  await lockAccount(trx, accountId);
  const account = await trx
    .selectFrom('accounts')
    .select(['accent', 'parent_id as parentId'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!account) throw notFound('The account');
  const before = await findOwnBrand(trx, accountId);
  if (seenVersion !== undefined && seenVersion !== (before?.version ?? 0)) {
    throw new Refusal('conflict', { reason: 'brand_changed' });
  }
  const given = readBrandFields(input);
  const failures = await checkBrandFields(trx, accountId, given, {
    isNew: !before,
    isTopLevel: account.parentId === null,
  });
  if (failures.length > 0) throw new ValidationError(failures);
  const changed = Object.entries(given).filter(([name, value]) => before?.[name as keyof BrandRow] !== value);
  if (before && changed.length === 0) return before;
  const values = { ...given, version: (before?.version ?? 0) + 1, changed_at: Date.now() };
  if (before) {
    await trx.updateTable('brands').set(values).where('account_id', '=', accountId).execute();
  } else {
    // The check has refused a new brand without a name.
    const row = { ...values, account_id: accountId, name: given.name!, accent: given.accent ?? account.accent };
    await trx.insertInto('brands').values(row).execute();
  }
  const brand = (await findOwnBrand(trx, accountId))!;
  const details = { ...Object.fromEntries(changed), name: brand.name };
  await recordAuditEvent(trx, accountId, by, { action: 'brand.changed', subject: `account_${accountId}`, details });
  return brand;
}

/** Removes the account's brand, if it has one. Its customers then see the next brand above, or the product's name. */
export async function removeBrand(trx: Trx, accountId: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  const brand = await findOwnBrand(trx, accountId);
  if (!brand) return;
  await trx.deleteFrom('brands').where('account_id', '=', accountId).execute();
  const event = { action: 'brand.removed', subject: `account_${accountId}`, details: { name: brand.name } };
  await recordAuditEvent(trx, accountId, by, event);
}
