import { service } from '../audit/record-audit-event.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { reserveShare } from '../users/mail-budget.ts';
import { CHECK_LEASE_MS } from './check-schedule.ts';
import type { Dns } from './dns.ts';
import type { DomainRow } from './domain.ts';
import { changeDomain } from './record-check.ts';
import { reportOutage } from './report-outage.ts';
import { verifyDomain } from './verify-domain.ts';

export interface CheckSettings {
  sitesDomain: string;
  sitesAddresses: readonly string[];
  mailFrom: string;
}

const HOUR_MS = 3_600_000;

/** How many checks an hour the service makes, over all processes, and of one account. A check asks at most 12 questions. */
const CHECKS_PER_HOUR = 1200;
const CHECKS_PER_ACCOUNT = 60;

/** Checks that run at once: a DNS server that does not answer must not hold up the others. */
const CONCURRENCY = 5;

/**
 * Checks the domains that are due, until there are no more, the budget is used up, or the signal aborts: then checks that are
 * under way are not recorded. Of several processes on one database one checks each domain. Returns how many were checked.
 */
export async function checkDueDomains(db: Db, dns: Dns, settings: CheckSettings, signal: AbortSignal): Promise<number> {
  let count = 0;
  const checkOthers = async () => {
    for (let domain = await claim(db); domain && !signal.aborted; domain = await claim(db)) {
      if (domain === 'postponed') continue;
      await check(db, dns, domain, settings, signal);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkOthers));
  return count;
}

/** Thrown to roll back: the budget of all accounts is used up, and the account keeps its share. */
class BudgetUsedUp extends Error {}

/** Claims the domain that has been due for longest; `postponed` if its account has used up its budget. */
async function claim(db: Db): Promise<DomainRow | 'postponed' | undefined> {
  if (!(await nextDue(db).select('id').executeTakeFirst())) return undefined;
  const claimed = db.transaction().execute(async (trx) => {
    const due = nextDue(trx).selectAll();
    const isPostgres = dialectOf(trx) === 'postgres';
    const domain = await (isPostgres ? due.forUpdate().skipLocked() : due).executeTakeFirst();
    if (!domain) return undefined;
    // Budgets in one order, after the domain, which nobody waits for. Domains whose account has used up its own do not come back
    // before that is whole: a hundred of them would push those of others to the end of the queue.
    const key = `domain checks account ${domain.account_id}`;
    const wait = await reserveShare(trx, { key, count: CHECKS_PER_ACCOUNT, periodMs: HOUR_MS });
    await changeDomain(trx, domain, { next_check_at: Date.now() + (wait > 0 ? HOUR_MS : CHECK_LEASE_MS) });
    if (wait > 0) return 'postponed';
    const all = { key: 'domain checks', count: CHECKS_PER_HOUR, periodMs: HOUR_MS };
    if ((await reserveShare(trx, all)) > 0) throw new BudgetUsedUp();
    return domain;
  });
  return claimed.catch((error: unknown) => {
    if (error instanceof BudgetUsedUp) return undefined;
    throw error;
  });
}

/** Selects the domain of any account that has been due for longest. */
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
      // The answers may be missing because they were cancelled.
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
