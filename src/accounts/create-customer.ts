import { assertKeyActive } from '../api-keys/assert-key-active.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { type Creator, recordCreations } from '../audit/record-creations.ts';
import { currentTraceparent } from '../db/connection-turns.ts';
import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { BrokenRule } from '../field-error.ts';
import { createDefaultPages } from '../pages/default-pages.ts';
import { recordPlanChange } from '../plans/plan-changes.ts';
import { countNewCustomer, countNewCustomerOn, countTrial } from '../plans/plans.ts';
import { type CopiedSite, writeSite } from '../templates/write-site.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { hashPassword, validatePassword } from '../users/password.ts';
import { checkNesting } from './check-nesting.ts';
import { type AccountValues, checkAccountValues, createAccount } from './create-account.ts';
import { type CustomerSettings, mailLoginInstructions } from './mail-login-instructions.ts';
import { beginTrial, hasTrial } from './trial.ts';

/** The API's fields as they were sent; `undefined` if a field was not sent. */
interface CreateCustomerInput {
  accountName: string | undefined;
  accountSubdomain: string | undefined;
  userName: string | undefined;
  userEmail: string | undefined;
  userPassword: string | undefined;
  userPasswordConfirmation: string | undefined;
  skipDefaultPages: string | undefined;
}

/** A valid customer with its password hashed, ready to be written. */
export interface PreparedCustomer extends AccountValues {
  /** Null for a user who chooses a password by a mailed link. */
  passwordHash: string | null;
  withDefaultPages: boolean;
  /** Undefined for the seller's default plan. */
  planId?: number | undefined;
  /** Undefined for the language of the site that the customer starts from, or else of the seller's site. */
  language?: string | undefined;
  /** A site to start from instead of the default pages: see `create-customer-from-site.ts`. */
  site?: CopiedSite | undefined;
  /** An id that was reserved (`reserveAccountId`). */
  id?: number | undefined;
}

/**
 * Checks everything and hashes the password. This is the slow part, done before the transaction.
 * @throws ValidationError with every broken rule.
 */
export async function prepareCustomer(
  db: Db,
  accountId: number,
  input: CreateCustomerInput,
): Promise<PreparedCustomer> {
  const { values, failures } = await checkAccountValues(db, {
    accountName: input.accountName ?? '',
    subdomain: input.accountSubdomain ?? '',
    userName: input.userName ?? '',
    userEmail: input.userEmail ?? '',
  });
  const password = input.userPassword ?? '';
  const wrongPassword = validatePassword(password);
  if (wrongPassword) failures.push({ field: 'user_password', ...wrongPassword });
  const wrongConfirmation = validateConfirmation(password, input.userPasswordConfirmation ?? '');
  if (wrongConfirmation) failures.push({ field: 'user_password_confirmation', ...wrongConfirmation });
  if (input.skipDefaultPages?.includes('\0')) failures.push({ field: 'skip_default_pages', code: 'nul_character' });
  if (failures.length > 0) throw new ValidationError(failures);

  const passwordHash = await hashPassword(password, accountId);
  const withDefaultPages = input.skipDefaultPages !== '1';
  return { ...values, passwordHash, withDefaultPages };
}

/**
 * Creates the customer's account with its owner, free plan, default pages or copied site, and login instructions, all or
 * nothing. The customer is on the chosen plan, or the seller's default plan. Returns the new account's id.
 * @throws AppError `unauthorized`, `suspended` for the key; ValidationError when the subdomain is the service's own, or was
 * taken in the meantime; RateLimited when the mailbox has received too much mail; LimitReached when the plan has no room for
 * the copied site; Refusal when the seller is on the last level of accounts.
 */
export async function createCustomer(
  trx: Trx,
  accountId: number,
  customer: PreparedCustomer,
  settings: CustomerSettings,
  by: Creator | Actor,
): Promise<number> {
  const seller = await raiseCustomersVersion(trx, accountId);
  if ('keyId' in by && by.keyId !== undefined) await assertKeyActive(trx, accountId, by.keyId);
  if (seller.parent_id !== null) await checkNesting(trx, accountId);
  const { planId, site, language = site?.language ?? seller.language } = customer;
  const plan = await (planId === undefined
    ? countNewCustomer(trx, accountId)
    : countNewCustomerOn(trx, accountId, planId));
  const inherited = { parentId: accountId, planId: plan.id, editor: site?.editor ?? seller.editor, language };
  const { id, userId } = await createAccount(trx, { ...customer, ...inherited }, settings);
  const isTrial = hasTrial(plan);
  if (isTrial) {
    await beginTrial(trx, accountId, id, plan);
    await countTrial(trx, accountId, plan.id, 1);
  }
  await recordPlanChange(trx, accountId, { customerId: id, kind: 'created', from: null, to: plan, isTrial, by });
  if (site) await writeSite(trx, id, site, userId);
  else if (customer.withDefaultPages) {
    const owner = { name: customer.accountName, language };
    await createDefaultPages(trx, id, { ...owner, userId, maxPages: plan.max_pages });
  }
  await mailLoginInstructions(trx, { ...seller, id: accountId }, { ...customer, id, userId }, settings);
  const details = { name: customer.accountName, ...(site?.template && { template: site.template.name }) };
  await recordCreation(trx, accountId, { id, details }, by);
  // The customer's log names the seller, but not the seller's users, keys or addresses.
  const event = { action: 'account.created', subject: `account_${id}`, details };
  await recordAuditEvent(trx, id, { userId: null, name: seller.name, ip: null }, event);
  return id;
}

/** Records the creation in the seller's log. */
async function recordCreation(
  trx: Trx,
  accountId: number,
  { id, details }: { id: number; details: { name: string; template?: string } },
  by: Creator | Actor,
): Promise<void> {
  const [action, subject] = ['customer.created', `customer_${id}`];
  if ('name' in by) await recordAuditEvent(trx, accountId, by, { action, subject, details });
  else {
    const created = [subject, details.name, currentTraceparent()] as const;
    await recordCreations(trx, accountId, { ...by, action, subjects: [created], at: Date.now() });
  }
}

function validateConfirmation(password: string, confirmation: string): BrokenRule | undefined {
  if (password !== confirmation) return { code: 'mismatch' };
  // Two blank values are equal, but the confirmation is required.
  return confirmation === '' ? { code: 'blank' } : undefined;
}
