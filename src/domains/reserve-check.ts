import type { Trx } from '../db/database.ts';
import { findUpperAccounts } from '../tenancy/find-upper-accounts.ts';
import { reserveShare } from '../users/mail-budget.ts';

const HOUR_MS = 3_600_000;

/** How many checks an hour all processes make together, and how many for one account. A check asks at most 12 queries. */
const CHECKS_PER_HOUR = 1200;
const CHECKS_PER_ACCOUNT = 60;

/**
 * The guaranteed checks an hour of a top-level account, and of each of its customers, each including all accounts below.
 * Budgets for single accounts would not limit anyone, since anybody can create accounts.
 */
const SHARE_OF_TOP_LEVEL = 300;
const SHARE_OF_CUSTOMER = 100;

/** The part of all checks that may exceed shares. The rest is left for other accounts' shares. */
const PART_BEYOND_SHARES = 1 / 2;

/** Thrown to roll back the counts of a check that has to wait. */
export class CheckPostponed extends Error {
  /** After this time the account has checks again; undefined if there are none for any account. */
  readonly delayMs: number | undefined;

  constructor(delayMs?: number) {
    super('The check has to wait.');
    this.delayMs = delayMs;
  }
}

/**
 * Counts a check of an account's domain. Returns true if it exceeds a share, which is allowed if others leave checks. Locks
 * the budgets in a fixed order, after the domain, whose lock no transaction waits for.
 * @throws CheckPostponed
 */
export async function reserveCheck(trx: Trx, accountId: number, mayExceedShare: boolean): Promise<boolean> {
  const hasRoom = async (name: string, count: number, periodMs = HOUR_MS) =>
    (await reserveShare(trx, { key: `domain checks${name}`, count, periodMs })) === 0;
  // Waits for the whole budget: a hundred domains that come back one by one would push those of others to the end of the
  // queue.
  if (!(await hasRoom(` account ${accountId}`, CHECKS_PER_ACCOUNT))) throw new CheckPostponed(HOUR_MS);
  const { topLevelId, customerId } = await findUpperAccounts(trx, accountId);
  // Checks beyond a customer's share do not count for its agency, so its other customers lose nothing.
  const isWithinShare =
    (await hasRoom(` customer ${customerId}`, SHARE_OF_CUSTOMER)) &&
    (await hasRoom(` top-level ${topLevelId}`, SHARE_OF_TOP_LEVEL));
  if (isWithinShare) {
    if (!(await hasRoom('', CHECKS_PER_HOUR))) throw new CheckPostponed();
    return false;
  }
  // Uses part of the same budget, which is full again after that part of the hour.
  const [count, periodMs] = [CHECKS_PER_HOUR * PART_BEYOND_SHARES, HOUR_MS * PART_BEYOND_SHARES];
  if (!mayExceedShare || !(await hasRoom('', count, periodMs))) throw new CheckPostponed(periodMs);
  return true;
}
