import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { type Failure, ValidationError } from '../errors.ts';
import { type LoginInstructions, loginInstructions } from '../mail/login-instructions.ts';
import { enqueue } from '../mail/outbox.ts';
import { createDefaultPages } from '../pages/default-pages.ts';
import { createUser, emailMistake } from '../users/create-user.ts';
import { hashPassword, passwordMistake } from '../users/password.ts';
import { type Addresses, getAccount, signInUrl, siteUrl } from './account.ts';
import { recordPlanChange } from './plan-changes.ts';
import { countCustomer, createFreePlan, type PlanRow, raiseCustomersVersion } from './plans.ts';
import { isSubdomainHeld, isSubdomainTaken, normalSubdomain, subdomainMistake } from './subdomain.ts';

/** The interface's fields as they were sent; `undefined` where one was not. */
export interface CreateCustomerInput {
  accountName: string | undefined;
  accountSubdomain: string | undefined;
  userName: string | undefined;
  userEmail: string | undefined;
  userPassword: string | undefined;
  userPasswordConfirmation: string | undefined;
  skipDefaultPages: string | undefined;
}

/** A customer that breaks no rule, with its password hashed: all that is left to do is to write it. */
export interface PreparedCustomer {
  accountName: string;
  subdomain: string;
  userName: string;
  userEmail: string;
  passwordHash: string;
  withDefaultPages: boolean;
}

/** What of the configuration a new customer's message needs. */
export interface CustomerSettings extends Addresses {
  mailFrom: string;
}

/**
 * Checks everything and hashes the password: the slow part, done before the transaction.
 * @throws ValidationError with every rule that is broken.
 */
export async function prepareCustomer(db: Db, input: CreateCustomerInput): Promise<PreparedCustomer> {
  const accountName = (input.accountName ?? '').trim();
  const subdomain = normalSubdomain(input.accountSubdomain ?? '');
  const userName = (input.userName ?? '').trim();
  const userEmail = (input.userEmail ?? '').trim();
  const password = input.userPassword ?? '';

  const failures: Failure[] = [];
  const check = (field: string, mistake: string | undefined) => {
    if (mistake) failures.push([field, mistake]);
  };
  check('account_name', nameMistake(accountName));
  // Asked early so that all failures come together; the unique index decides, in createCustomer.
  const subdomainProblem = subdomainMistake(subdomain) ?? ((await isSubdomainTaken(db, subdomain)) ? TAKEN : undefined);
  check('account_subdomain', subdomainProblem);
  check('user_name', nameMistake(userName));
  check('user_email', emailMistake(userEmail));
  check('user_password', passwordMistake(password));
  check('user_password_confirmation', confirmationMistake(password, input.userPasswordConfirmation ?? ''));
  if (failures.length > 0) throw new ValidationError(failures);

  const passwordHash = await hashPassword(password);
  const withDefaultPages = input.skipDefaultPages !== '1';
  return { accountName, subdomain, userName, userEmail, passwordHash, withDefaultPages };
}

/**
 * Creates the customer's account with its admin user, free plan, default pages and login instructions, all or nothing,
 * on the default plan of the account it is created under. Returns the new account's id.
 * @throws ValidationError when somebody else was faster with the subdomain.
 */
export async function createCustomer(
  trx: Trx,
  accountId: number,
  customer: PreparedCustomer,
  { actor, ...settings }: CustomerSettings & { actor: string },
): Promise<number> {
  await raiseCustomersVersion(trx, accountId);
  const seller = await getAccount(trx, accountId);
  const plan = await getDefaultPlan(trx, accountId);
  const { id, userId } = await createAccount(trx, {
    ...customer,
    parentId: accountId,
    planId: plan.id,
    editor: seller.editor,
  });
  await countCustomer(trx, accountId, plan.id, 1);
  await recordPlanChange(trx, accountId, { customerId: id, kind: 'created', from: null, to: plan, actor });
  if (customer.withDefaultPages) await createDefaultPages(trx, id, { accountName: customer.accountName, userId });
  const { accountName, subdomain, userName, userEmail } = customer;
  const instructions: LoginInstructions = {
    userName,
    userEmail,
    accountName,
    senderName: seller.name,
    siteUrl: siteUrl(subdomain, settings),
    signInUrl: signInUrl(subdomain, settings),
  };
  await enqueue(trx, id, settings.mailFrom, loginInstructions(instructions));
  return id;
}

const TAKEN = 'has already been taken';

/** An account with its first user and the plan every account starts with. */
export async function createAccount(
  trx: Trx,
  input: {
    parentId: number | null;
    planId: number | null;
    editor: 'markdown_format' | 'wysiwyg_format';
    accountName: string;
    subdomain: string;
    userName: string;
    userEmail: string;
    passwordHash: string | null;
  },
): Promise<{ id: number; userId: number }> {
  const taken = new ValidationError([['account_subdomain', TAKEN]]);
  if (await isSubdomainHeld(trx, input.subdomain)) throw taken;
  const id = await insertAccount(trx, input).catch((error: unknown) => {
    throw violatedUniqueRule(error) === 'accounts_subdomain' ? taken : error;
  });
  const userId = await createUser(trx, id, {
    name: input.userName,
    email: input.userEmail,
    role: 'owner',
    passwordHash: input.passwordHash,
  });
  await createFreePlan(trx, id);
  return { id, userId };
}

async function insertAccount(trx: Trx, input: Parameters<typeof createAccount>[1]): Promise<number> {
  const { id } = await trx
    .insertInto('accounts')
    .values({
      parent_id: input.parentId,
      plan_id: input.planId,
      own_plan_name: 'Self-hosted',
      own_plan_price_cents: 0,
      name: input.accountName,
      subdomain: input.subdomain,
      status: 'active',
      editor: input.editor,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function getDefaultPlan(trx: Trx, accountId: number): Promise<PlanRow> {
  return trx
    .selectFrom('plans')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_default', '=', 1)
    .executeTakeFirstOrThrow();
}

function confirmationMistake(password: string, confirmation: string): string | undefined {
  if (password !== confirmation) return "doesn't match";
  // Two blanks are equal, and still it is a required field.
  return confirmation === '' ? "can't be blank" : undefined;
}

/** What is wrong with the name of an account or user, as the end of a sentence; undefined when nothing is. */
export function nameMistake(name: string): string | undefined {
  if (name === '') return "can't be blank";
  if (name.includes('\0')) return 'contains a NUL character';
  if ([...name].length > 255) return 'is too long (maximum is 255 characters)';
  return undefined;
}
