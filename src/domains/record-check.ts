import type { Updateable } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { DomainsTable } from '../db/schema.ts';
import { startedChecks, stateAfterCheck } from './check-schedule.ts';
import { type DomainRow, getDomain } from './domain.ts';
import { type DomainNote, storedNotes } from './domain-note.ts';

export interface RecordCheckInput {
  /**
   * Runs the work in a transaction after checking that the caller may still do it, since DNS queries can take half a
   * minute. To prevent deadlocks, it locks the accounts in `also` with lower ids before this account.
   */
  commit: (work: (trx: Trx) => Promise<DomainRow>, also?: readonly number[]) => Promise<DomainRow>;
  /** Set for automatic checks. Called in the transaction in which an outage begins. */
  onOutage?: (trx: Trx, domain: DomainRow, found: readonly string[]) => Promise<void>;
}

/** The result of a DNS check of a domain. */
export interface CheckResult {
  notes: DomainNote[];
  /** True if the host leads here; undefined if the DNS was not asked or did not tell. */
  leadsHere: boolean | undefined;
}

/**
 * Records the result of a check, unless another check has been recorded since this one began: that one is newer. The site's
 * version stays, since visitors do not see the result.
 */
export function recordCheck(
  { commit, onOutage }: RecordCheckInput,
  domain: DomainRow,
  { notes, leadsHere }: CheckResult,
): Promise<DomainRow> {
  return commit(async (trx) => {
    const now = Date.now();
    const state = onOutage ? stateAfterCheck(domain, leadsHere, now) : stateAfterRequest(domain, leadsHere, now);
    const last_error = notes.length === 0 ? null : storedNotes(notes);
    const isRecorded = await changeDomain(trx, domain, { checked_at: now, last_error, ...state }, domain.checked_at);
    const changed = await getDomain(trx, domain.account_id, domain.host);
    if (isRecorded && domain.leads_here === 1 && changed.leads_here === 0) {
      const found = notes.flatMap((note) => (note.code === 'leads_elsewhere' ? note.found : []));
      await onOutage?.(trx, changed, found);
    }
    return changed;
  });
}

/**
 * Returns the state after a check that a user requested. It cannot begin an outage, and an unverified domain is checked
 * again soon.
 */
function stateAfterRequest({ verified_at }: DomainRow, leadsHere: boolean | undefined, now: number) {
  if (verified_at === null) return startedChecks(now);
  return leadsHere ? ({ leads_here: 1, failed_checks: 0 } as const) : {};
}

/** Changes a domain; with `checkedAt`, only if its last check was at that time. Returns true if it changed the domain. */
export async function changeDomain(
  trx: Trx,
  { account_id, id }: DomainRow,
  values: Updateable<DomainsTable>,
  checkedAt?: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('domains')
    .set(values)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .$if(checkedAt !== undefined, (domain) => domain.where('checked_at', checkedAt === null ? 'is' : '=', checkedAt!))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
