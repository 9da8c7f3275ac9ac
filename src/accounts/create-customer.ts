import { type Addresses, signInUrl } from '../addresses.ts';
import { assertKeyActive } from '../api-keys/assert-key-active.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { type Creator, recordCreations } from '../audit/record-creations.ts';
import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { BrokenRule } from '../field-error.ts';
import { type LoginInstructions, loginInstructions } from '../mail/login-instructions.ts';
import { enqueue } from '../mail/outbox.ts';
import { PUBLIC_URL, siteUrlPlaceholder } from '../mail/placeholders.ts';
import { replyAddress } from '../mail/reply-address.ts';
import { createDefaultPages } from '../pages/default-pages.ts';
import { recordPlanChange } from '../plans/plan-changes.ts';
import { countNewCustomer } from '../plans/plans.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { mailLimitReached, reserveMail } from '../users/mail-budget.ts';
import { makeLink } from '../users/one-time-links.ts';
import { hashPassword, validatePassword } from '../users/password.ts';
import { type AccountValues, checkAccountValues, createAccount } from './create-account.ts';

/** The interface's fields as they were sent; `undefined` where one was not. */
interface CreateCustomerInput {
  accountName: string | undefined;
  accountSubdomain: string | undefined;
  userName: string | undefined;
  userEmail: string | undefined;
  userPassword: string | undefined;
  userPasswordConfirmation: string | undefined;
  skipDefaultPages: string | undefined;
}

/** A customer that breaks no rule, with its password hashed: all that is left to do is to write it. */
interface PreparedCustomer extends AccountValues {
  passwordHash: string;
  withDefaultPages: boolean;
}

/** The configuration that creating a customer needs; the addresses are those that its subdomain must not take. */
interface CustomerSettings extends Addresses {
  mailFrom: string;
  /**
   * How many customers a day may be created with one mail address, which gets a message for each: per top-level
   * account, and for all others together; 0 for no limit.
   */
  customersPerAddress: number;
}

/**
 * Checks everything and hashes the password: the slow part, done before the transaction.
 * @throws ValidationError with every rule that is broken.
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
 * Creates the customer's account with its admin user, free plan, default pages and login instructions, all or nothing,
 * on the default plan of the selling account. Returns the new account's id.
 * @throws AppError `unauthorized`, `suspended` for the key; ValidationError when the subdomain is the service's own, or
 * somebody else was faster with it; RateLimited when the address has been mailed too much.
 */
export async function createCustomer(
  trx: Trx,
  accountId: number,
  customer: PreparedCustomer,
  settings: CustomerSettings,
  by: Creator,
): Promise<number> {
  const seller = await raiseCustomersVersion(trx, accountId);
  if (by.keyId !== undefined) await assertKeyActive(trx, accountId, by.keyId);
  const plan = await countNewCustomer(trx, accountId);
  const place = { parentId: accountId, planId: plan.id, editor: seller.editor, language: seller.language };
  const { id, userId } = await createAccount(trx, { ...customer, ...place }, settings);
  await recordPlanChange(trx, accountId, { customerId: id, kind: 'created', from: null, to: plan, by });
  const { language } = seller;
  if (customer.withDefaultPages) await createDefaultPages(trx, id, { name: customer.accountName, language, userId });
  const { accountName, subdomain, userName, userEmail } = customer;
  const instructions: LoginInstructions = {
    userName,
    userEmail,
    accountName,
    senderName: seller.name,
    accent: seller.accent,
    replyTo: await replyAddress(trx, id),
    siteUrl: siteUrlPlaceholder(subdomain),
    signInUrl: signInUrl(subdomain, { publicUrl: PUBLIC_URL }),
    token: await makeLink(trx, id, userId, 'invitation'),
  };
  // Anybody may be a customer and sell on. An account that the operator has set up has a budget of its own, which no customer
  // can use up.
  const cause = seller.parent_id === null ? `customer of account ${accountId}` : 'customer';
  const wait = await reserveMail(trx, { cause, email: userEmail, perDay: settings.customersPerAddress });
  if (wait > 0) throw mailLimitReached(wait);
  await enqueue(trx, id, settings.mailFrom, loginInstructions(instructions));
  const subjects = [[`customer_${id}`, accountName]] as const;
  await recordCreations(trx, accountId, { ...by, action: 'customer.created', subjects, at: Date.now() });
  // The customer's log names the seller, but not the seller's users, keys or addresses.
  const event = { action: 'account.created', subject: `account_${id}`, details: { name: accountName } };
  await recordAuditEvent(trx, id, { userId: null, name: seller.name, ip: null }, event);
  return id;
}

function validateConfirmation(password: string, confirmation: string): BrokenRule | undefined {
  if (password !== confirmation) return { code: 'mismatch' };
  // Two blanks are equal, and still it is a required field.
  return confirmation === '' ? { code: 'blank' } : undefined;
}
