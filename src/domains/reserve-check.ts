import type { Trx } from '../db/database.ts';
import { findUpperAccounts } from '../tenancy/find-upper-accounts.ts';
import { reserveShare } from '../users/mail-budget.ts';

const HOUR_MS = 3_600_000;

/** How many checks an hour the service makes, over all processes, and of one account. A check asks at most 12 questions. */
const CHECKS_PER_HOUR = 1200;
const CHECKS_PER_ACCOUNT = 60;

/**
 * How many of them an hour a top-level account, and each of its customers, has for itself and all accounts below, whatever others need.
 * Anybody can create accounts, so that a budget of each account bounds nobody.
 */
const SHARE_OF_TOP_LEVEL = 300;
const SHARE_OF_CUSTOMER = 100;

/** Checks beyond a share use this part of the checks alone: others find the rest for their shares. */
const PART_BEYOND_SHARES = 1 / 2;

/** Thrown to roll back what was counted for a check that has to wait. */
export class CheckPostponed extends Error {
  /** After this time there are checks again; undefined if there are none for any account. */
  readonly delayMs: number | undefined;

  constructor(delayMs?: number) {
    super('The check has to wait.');
    this.delayMs = delayMs;
  }
}

/**
 * Counts a check of an account's domain, and returns whether it is beyond a share; such checks are made if others leave some. Budgets are
 * locked in one order, after the domain, which nobody waits for.
 * @throws CheckPostponed
 */
export async function reserveCheck(trx: Trx, accountId: number, mayExceedShare: boolean): Promise<boolean> {
  const hasRoom = async (name: string, count: number, periodMs = HOUR_MS) =>
    (await reserveShare(trx, { key: `domain checks${name}`, count, periodMs })) === 0;
  // Until all are there again: a hundred domains that come back one by one would push those of others to the end of the queue.
  if (!(await hasRoom(` account ${accountId}`, CHECKS_PER_ACCOUNT))) throw new CheckPostponed(HOUR_MS);
  const { topLevelId, customerId } = await findUpperAccounts(trx, accountId);
  // Checks beyond a customer's share are not counted for its agency, so its other customers lose nothing.
  const isWithinShare =
    (await hasRoom(` customer ${customerId}`, SHARE_OF_CUSTOMER)) &&
    (await hasRoom(` top-level ${topLevelId}`, SHARE_OF_TOP_LEVEL));
  if (isWithinShare) {
    if (!(await hasRoom('', CHECKS_PER_HOUR))) throw new CheckPostponed();
    return false;
  }
  // A part of the same budget, which is whole again after that part of the hour.
  const [count, periodMs] = [CHECKS_PER_HOUR * PART_BEYOND_SHARES, HOUR_MS * PART_BEYOND_SHARES];
  if (!mayExceedShare || !(await hasRoom('', count, periodMs))) throw new CheckPostponed(periodMs);
  return true;
}
