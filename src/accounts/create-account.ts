import type { Addresses } from '../addresses.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { preparedInsertManyForIds } from '../db/prepared-rows.ts';
import { reserveIds } from '../db/reserve-ids.ts';
import type { BodyFormat } from '../db/schema.ts';
import { ValidationError } from '../errors.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { validateName } from '../name.ts';
import { createFreePlan, createFreePlans } from '../plans/plans.ts';
import { createUser, createUsers, validateEmail } from '../users/create-user.ts';
import { nameKey } from './name-key.ts';
import { isSubdomainHeld, isSubdomainTaken, normalSubdomain, ownSubdomain, validateSubdomain } from './subdomain.ts';

/** The details of a new account and its first user. */
export interface AccountValues {
  accountName: string;
  subdomain: string;
  userName: string;
  userEmail: string;
}

interface CreateAccountInput extends AccountValues {
  /** An id that was reserved (`reserveAccountId`); undefined for the next free one. */
  id?: number | undefined;
  parentId: number | null;
  planId: number | null;
  editor: BodyFormat;
  /** The language of the site: a BCP 47 tag. */
  language: string;
  passwordHash: string | null;
}

/** Returns the values in their stored form, and every rule that they break. */
export async function checkAccountValues(
  db: Db | Trx,
  input: AccountValues,
): Promise<{ values: AccountValues; failures: FieldError[] }> {
  const values = normalAccountValues(input);
  const { subdomain } = values;
  // Checked early so that all failures are reported together. The unique index decides, in `createAccount`.
  const isTaken = validateSubdomain(subdomain) === undefined && (await isSubdomainTaken(db, subdomain));
  return { values, failures: validateAccountValues(values, isTaken ? { code: 'taken' } : undefined) };
}

/** Returns the values in their stored form. */
export function normalAccountValues(input: AccountValues): AccountValues {
  return {
    accountName: input.accountName.trim(),
    subdomain: normalSubdomain(input.subdomain),
    userName: input.userName.trim(),
    userEmail: input.userEmail.trim(),
  };
}

/** Returns every rule that the values, in their stored form, break. `conflict` is why a valid subdomain is not available. */
export function validateAccountValues(values: AccountValues, conflict: BrokenRule | undefined): FieldError[] {
  const failures: FieldError[] = [];
  const check = (field: string, problem: BrokenRule | undefined) => {
    if (problem) failures.push({ field, ...problem });
  };
  check('account_name', validateName(values.accountName));
  check('account_subdomain', validateSubdomain(values.subdomain) ?? conflict);
  check('user_name', validateName(values.userName));
  check('user_email', validateEmail(values.userEmail));
  return failures;
}

/**
 * Creates an account from validated values, with its owner and the plan that every account starts with.
 * @throws ValidationError when the subdomain is the service's own, or was taken in the meantime.
 */
export async function createAccount(
  trx: Trx,
  input: CreateAccountInput,
  addresses: Addresses,
): Promise<{ id: number; userId: number }> {
  const id = await createEmptyAccount(trx, input, addresses);
  const userId = await createUser(trx, id, {
    name: input.userName,
    email: input.userEmail,
    role: 'owner',
    passwordHash: input.passwordHash,
  });
  await createFreePlan(trx, id);
  return { id, userId };
}

/** The initial values of an account's row. */
type EmptyAccountInput = Omit<NewAccount, 'userName' | 'userEmail' | 'passwordHash'>;

/**
 * Creates an account from validated values, without users or plans. The caller has to add an owner and a plan in the same
 * transaction.
 * @throws ValidationError when the subdomain is the service's own, or was taken in the meantime.
 */
export async function createEmptyAccount(trx: Trx, input: EmptyAccountInput, addresses: Addresses): Promise<number> {
  if (input.subdomain === ownSubdomain(addresses))
    throw new ValidationError([{ field: 'account_subdomain', code: 'reserved' }]);
  // Created only when thrown: capturing an error's stack is expensive.
  const taken = () => new ValidationError([{ field: 'account_subdomain', code: 'taken' }]);
  if (await isSubdomainHeld(trx, input.subdomain)) throw taken();
  return insertAccount(trx, input).catch((error: unknown) => {
    throw violatedUniqueRule(error) === 'accounts_subdomain' ? taken() : error;
  });
}

async function insertAccount(trx: Trx, input: EmptyAccountInput): Promise<number> {
  const row = accountRow(input);
  const [id] = await (input.id === undefined ? insert(trx, [row]) : insertReserved(trx, [{ id: input.id, ...row }]));
  return id!;
}

interface NewAccount extends CreateAccountInput {
  /** The content version and the total size of the pages, if the account gets pages in the same transaction. */
  version?: number;
  pageBytes?: number;
  /** The first day on which the customer pays, by which its trial is over; null without a trial. */
  trialEndsOn?: string | null;
}

/**
 * Creates accounts as `createAccount` does, from values that have been validated against each other and the database.
 * Returns their ids in order.
 * @throws ValidationError when a subdomain was taken in the meantime.
 */
export async function createAccounts(
  trx: Trx,
  inputs: readonly NewAccount[],
): Promise<Array<{ id: number; userId: number }>> {
  const ids = await insert(trx, inputs.map(accountRow)).catch((error: unknown) => {
    if (violatedUniqueRule(error) !== 'accounts_subdomain') throw error;
    throw new ValidationError([{ field: 'account_subdomain', code: 'taken' }]);
  });
  const users = await createUsers(
    trx,
    inputs.map(({ userName: name, userEmail: email, passwordHash }, index) => {
      return { accountId: ids[index]!, name, email, role: 'owner', passwordHash };
    }),
  );
  await createFreePlans(trx, ids);
  return ids.map((id, index) => ({ id, userId: users[index]! }));
}

function accountRow(input: EmptyAccountInput) {
  const now = Date.now();
  return {
    parent_id: input.parentId,
    plan_id: input.planId,
    own_plan_name: 'Self-hosted',
    own_plan_price_cents: 0,
    name: input.accountName,
    name_key: nameKey(input.accountName),
    subdomain: input.subdomain,
    status: 'active' as const,
    editor: input.editor,
    language: input.language,
    content_version: input.version ?? now,
    page_bytes: input.pageBytes ?? 0,
    created_at: now,
    content_changed_at: now,
    trial_ends_on: input.trialEndsOn ?? null,
  };
}

const types = {
  parent_id: 'bigint',
  plan_id: 'bigint',
  own_plan_name: 'text',
  own_plan_price_cents: 'bigint',
  name: 'text',
  name_key: 'text',
  subdomain: 'text',
  status: 'text',
  editor: 'text',
  language: 'text',
  content_version: 'bigint',
  page_bytes: 'bigint',
  created_at: 'bigint',
  content_changed_at: 'bigint',
  trial_ends_on: 'text',
} as const;
const insert = preparedInsertManyForIds('accounts', types);
const insertReserved = preparedInsertManyForIds('accounts', { id: 'bigint', ...types });

/**
 * Reserves and returns an id for an account that is about to be created. No other account ever gets it. The files of the
 * account's images can be stored before the account exists.
 */
export async function reserveAccountId(db: Db): Promise<number> {
  const [id] = await db.transaction().execute((trx) => reserveIds(trx, 'accounts', 1));
  return id!;
}
