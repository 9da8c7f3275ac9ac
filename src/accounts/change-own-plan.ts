import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { validateName } from '../name.ts';
import { parseCents } from '../plans/money.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { getAccount } from './account.ts';

/**
 * Sets the name and price of the plan that a top-level account sees as its own. No account sells that plan.
 * @throws ValidationError with every field that breaks a rule; AppError `conflict` for a customer, whose plan is one of its
 * seller's.
 */
export async function changeOwnPlan(
  trx: Trx,
  accountId: number,
  input: { name: string; price: string },
  by: Actor,
): Promise<void> {
  const name = input.name.trim();
  const problem = validateName(name);
  const cents = parseCents(input.price);
  const failures: FieldError[] = [];
  if (problem) failures.push({ field: 'name', ...problem });
  if (cents === undefined) failures.push({ field: 'price', code: 'not_an_amount' });
  if (cents === undefined || failures.length > 0) throw new ValidationError(failures);

  await raiseContentVersion(trx, accountId, Date.now());
  const { parent_id, subdomain, own_plan_name: from } = await getAccount(trx, accountId);
  if (parent_id !== null) {
    throw new AppError('conflict', `"${subdomain}" is a customer: put it on another of its seller's plans instead.`);
  }
  await trx
    .updateTable('accounts')
    .set({ own_plan_name: name, own_plan_price_cents: cents })
    .where('id', '=', accountId)
    .execute();
  const event = { action: 'account.plan_changed', subject: `account_${accountId}`, details: { from, to: name } };
  await recordAuditEvent(trx, accountId, by, event);
}
