import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { getPlan } from '../plans/plans.ts';
import { parseLanguage } from '../sites/change-site.ts';
import { type AccountValues, checkAccountValues } from './create-account.ts';
import type { PreparedCustomer } from './create-customer.ts';

interface InvitedCustomerInput extends AccountValues {
  /** One of the seller's plans; undefined for its default plan. */
  planId?: number | undefined;
  /** A BCP 47 tag; undefined for the language of the seller's site. */
  language?: string | undefined;
}

/**
 * Checks a customer whose first user chooses a password by a mailed link.
 * @throws ValidationError with every broken rule; AppError `not_found` for the plan.
 */
export async function prepareInvitedCustomer(
  db: Db | Trx,
  accountId: number,
  { planId, language: tag, ...input }: InvitedCustomerInput,
): Promise<PreparedCustomer> {
  const { values, failures } = await checkAccountValues(db, input);
  const language = tag === undefined ? undefined : parseLanguage(tag);
  if (tag !== undefined && language === undefined) failures.push({ field: 'language', code: 'not_a_language' });
  if (failures.length > 0) throw new ValidationError(failures);
  if (planId !== undefined) await getPlan(db, accountId, planId);
  return { ...values, passwordHash: null, withDefaultPages: true, planId, language };
}
