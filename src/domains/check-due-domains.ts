import { service } from '../audit/record-audit-event.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { reserveShare } from '../users/mail-budget.ts';
import { CHECK_LEASE_MS } from './check-schedule.ts';
import type { Dns } from './dns.ts';
import type { DomainRow } from './domain.ts';
import { reportOutage } from './report-outage.ts';
import { verifyDomain } from './verify-domain.ts';

export interface CheckSettings {
  sitesDomain: string;
  sitesAddresses: readonly string[];
  mailFrom: string;
}

const HOUR_MS = 3_600_000;

/** How many checks an hour the service makes, over all processes, and of one account. A check asks at most 10 questions. */
const CHECKS_PER_HOUR = 1200;
const CHECKS_PER_ACCOUNT = 60;

/** Checks that run at once: a DNS server that does not answer must not hold up the others. */
const CONCURRENCY = 5;

/**
 * Checks the domains that are due, until there are no more or the budget is used up. Of several processes on one database one
 * checks each domain. Returns how many were checked.
 */
export async function checkDueDomains(db: Db, dns: Dns, settings: CheckSettings): Promise<number> {
  let count = 0;
  const checkOthers = async () => {
    for (let domain = await claim(db); domain; domain = await claim(db)) {
      if (domain === 'postponed') continue;
      await check(db, dns, domain, settings);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkOthers));
  return count;
}

/** Claims the domain that has been due for longest; `postponed` if its account has used up its budget. */
async function claim(db: Db): Promise<DomainRow | 'postponed' | undefined> {
  if (!(await nextDue(db).select('id').executeTakeFirst())) return undefined;
  return db.transaction().execute(async (trx) => {
    const due = nextDue(trx).selectAll();
    const isPostgres = dialectOf(trx) === 'postgres';
    const domain = await (isPostgres ? due.forUpdate().skipLocked() : due).executeTakeFirst();
    if (!domain) return undefined;
    const now = Date.now();
    // Budgets in one order, after the domain, which nobody waits for.
    if ((await reserveShare(trx, { key: 'domain checks', count: CHECKS_PER_HOUR, periodMs: HOUR_MS })) > 0)
      return undefined;
    const key = `domain checks account ${domain.account_id}`;
    const wait = await reserveShare(trx, { key, count: CHECKS_PER_ACCOUNT, periodMs: HOUR_MS });
    await postpone(trx, domain, now + (wait > 0 ? wait * 1000 : CHECK_LEASE_MS));
    return wait > 0 ? 'postponed' : domain;
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

async function postpone(trx: Trx, { account_id, id }: DomainRow, next_check_at: number): Promise<void> {
  const domain = trx.updateTable('domains').set({ next_check_at });
  await domain.where('account_id', '=', account_id).where('id', '=', id).execute();
}

async function check(db: Db, dns: Dns, { account_id, host }: DomainRow, settings: CheckSettings): Promise<void> {
  const { mailFrom, ...addresses } = settings;
  const input = {
    ...addresses,
    host,
    by: service,
    mayLeadElsewhere: false,
    commit: (work: (trx: Trx) => Promise<DomainRow>) => db.transaction().execute(work),
    onOutage: (trx: Trx, domain: DomainRow, found: readonly string[]) => reportOutage(trx, domain, found, mailFrom),
  };
  await verifyDomain(db, account_id, input, dns).catch((error: unknown) => {
    // It has been removed meanwhile.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  });
}
