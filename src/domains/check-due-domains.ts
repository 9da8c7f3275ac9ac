import { service } from '../audit/record-audit-event.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import { CHECK_LEASE_MS } from './check-schedule.ts';
import type { Dns } from './dns.ts';
import type { DomainRow } from './domain.ts';
import { changeDomain } from './record-check.ts';
import { reportOutage } from './report-outage.ts';
import { CheckPostponed, reserveCheck } from './reserve-check.ts';
import { verifyDomain } from './verify-domain.ts';

interface CheckSettings {
  sitesDomain: string;
  sitesAddresses: readonly string[];
  mailFrom: string;
}

/** How many checks run at once. A DNS server that does not answer must not delay the others. */
const CONCURRENCY = 20;
/**
 * How many of these may exceed the shares of their accounts. Any number of such domains may have a DNS server that does not
 * answer.
 */
const CONCURRENCY_BEYOND_SHARES = 10;

/**
 * Checks due domains until none is left, the budget is used up, or the signal aborts. Checks in progress are then not
 * recorded. If several processes share the database, only one checks each domain. Returns the number of checks.
 */
export async function checkDueDomains(db: Db, dns: Dns, settings: CheckSettings, signal: AbortSignal): Promise<number> {
  let [count, beyondShares] = [0, 0];
  const turns = new FairSemaphore(1);
  const claimNext = async () => {
    while (!signal.aborted) {
      const claimed = await claim(db, beyondShares < CONCURRENCY_BEYOND_SHARES);
      if (claimed === 'postponed') continue;
      if (claimed?.isBeyondShare) beyondShares += 1;
      return claimed;
    }
    return undefined;
  };
  const checkOthers = async () => {
    // Claims run one after another, so that each sees how many checks are in progress.
    for (let claimed = await turns.run(claimNext); claimed; claimed = await turns.run(claimNext)) {
      try {
        await check(db, dns, claimed.domain, settings, signal);
      } finally {
        if (claimed.isBeyondShare) beyondShares -= 1;
      }
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkOthers));
  return count;
}

interface ClaimedDomain {
  readonly domain: DomainRow;
  /** True if the account has used up its share of the checks. */
  readonly isBeyondShare: boolean;
}

/** Claims the domain that has been due for longest. Returns `postponed` if its account has to wait. */
async function claim(db: Db, mayExceedShare: boolean): Promise<ClaimedDomain | 'postponed' | undefined> {
  if (!(await nextDue(db).select('id').executeTakeFirst())) return undefined;
  let domain: DomainRow | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      const due = nextDue(trx).selectAll();
      domain = await (dialectOf(trx) === 'postgres' ? due.forUpdate().skipLocked() : due).executeTakeFirst();
      if (!domain) return undefined;
      const isBeyondShare = await reserveCheck(trx, domain.account_id, mayExceedShare);
      await changeDomain(trx, domain, { next_check_at: Date.now() + CHECK_LEASE_MS });
      return { domain, isBeyondShare };
    });
  } catch (error) {
    if (!(error instanceof CheckPostponed)) throw error;
    const { delayMs } = error;
    if (delayMs === undefined) return undefined;
    const next_check_at = Date.now() + delayMs;
    await db.transaction().execute((trx) => changeDomain(trx, domain!, { next_check_at }));
    return 'postponed';
  }
}

/** Selects the longest-due domain of all accounts. */
function nextDue(db: Db | Trx) {
  return db
    .selectFrom('domains')
    .where('next_check_at', 'is not', null)
    .where('next_check_at', '<=', Date.now())
    .orderBy('next_check_at')
    .limit(1);
}

async function check(
  db: Db,
  dns: Dns,
  { account_id, host }: DomainRow,
  settings: CheckSettings,
  signal: AbortSignal,
): Promise<void> {
  const { mailFrom, ...addresses } = settings;
  const input = {
    ...addresses,
    host,
    by: service,
    mayLeadElsewhere: false,
    commit: (work: (trx: Trx) => Promise<DomainRow>) => {
      // Answers may be missing because they were cancelled.
      signal.throwIfAborted();
      return db.transaction().execute(work);
    },
    onOutage: (trx: Trx, domain: DomainRow, found: readonly string[]) => reportOutage(trx, domain, found, mailFrom),
  };
  await verifyDomain(db, account_id, input, dns).catch((error: unknown) => {
    const isRemoved = error instanceof AppError && error.code === 'not_found';
    if (!isRemoved && !signal.aborted) throw error;
  });
}
