import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { listPlans } from '../plans/plans.ts';
import { Refusal } from '../refusal.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';

/**
 * Sets the currency of the account's prices, by its ISO 4217 code. Amounts are only labelled and never converted, so another
 * currency can be chosen only while no customer is on a plan with a price.
 * @throws AppError `conflict` once a customer is on such a plan; ValidationError
 */
export async function changeCurrency(trx: Trx, accountId: number, code: string, by: Actor): Promise<string> {
  const currency = code.trim().toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    throw new ValidationError([{ field: 'currency', code: 'not_a_currency' }]);
  }
  await raiseCustomersVersion(trx, accountId);
  const { currency: before } = await trx
    .selectFrom('accounts')
    .select('currency')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (before === currency) return currency;
  const plans = await listPlans(trx, accountId);
  if (before !== null && plans.some(({ price_cents, active_customers }) => price_cents > 0 && active_customers > 0)) {
    throw new Refusal('conflict', { reason: 'currency_in_use', params: { currency: before } });
  }
  await trx.updateTable('accounts').set({ currency }).where('id', '=', accountId).execute();
  const details = { from: before, to: currency, name: currency };
  await recordAuditEvent(trx, accountId, by, {
    action: 'currency.changed',
    subject: `account_${accountId}`,
    details,
  });
  return currency;
}
