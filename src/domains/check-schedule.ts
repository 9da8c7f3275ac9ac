import type { DomainRow } from './domain.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1000, 60_000, 3_600_000, 86_400_000];

/** Delays between checks of a domain that is not proved yet. The last one repeats. */
const WAITING_DELAYS_MS = [
  ...[15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 4, 8, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 6].map((hours) => hours * HOUR_MS),
];

/** After about two weeks, the owner has probably given up on the domain. */
const MAX_WAITING_CHECKS = 68;

/** How many checks in a row must find an outage before it is reported. A single wrong answer may be a server's mistake. */
const OUTAGE_CHECKS = 3;
const OUTAGE_DELAY_MS = 10 * MINUTE_MS;

/** How long a claimed check may take before another process may claim it. */
export const CHECK_LEASE_MS = 10 * MINUTE_MS;

interface CheckState {
  next_check_at: number | null;
  failed_checks: number;
  leads_here: 0 | 1 | null;
}

/** Returns the state of a domain that was just added, proved, or checked on request. */
export function startedChecks(now: number): Pick<CheckState, 'next_check_at' | 'failed_checks'> {
  return { next_check_at: now + WAITING_DELAYS_MS[0]!, failed_checks: 0 };
}

/**
 * Returns the state of a domain after an automatic check. `leads` is true if visitors come here, and undefined if the DNS
 * did not tell. An outage begins when `leads_here` turns from 1 to 0.
 */
export function stateAfterCheck(
  { verified_at, failed_checks, leads_here }: Pick<DomainRow, 'verified_at' | 'failed_checks' | 'leads_here'>,
  leads: boolean | undefined,
  now: number,
): CheckState {
  const failed = failed_checks + 1;
  if (verified_at === null) {
    const delay = WAITING_DELAYS_MS[Math.min(failed, WAITING_DELAYS_MS.length - 1)]!;
    return { next_check_at: failed < MAX_WAITING_CHECKS ? now + delay : null, failed_checks: failed, leads_here };
  }
  if (leads) return { next_check_at: now + DAY_MS, failed_checks: 0, leads_here: 1 };
  if (leads === undefined) return { next_check_at: now + HOUR_MS, failed_checks, leads_here };
  if (leads_here !== 1) return { next_check_at: now + DAY_MS, failed_checks: failed, leads_here };
  if (failed < OUTAGE_CHECKS) return { next_check_at: now + OUTAGE_DELAY_MS, failed_checks: failed, leads_here };
  return { next_check_at: now + HOUR_MS, failed_checks: failed, leads_here: 0 };
}
