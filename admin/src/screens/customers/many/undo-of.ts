import type { CustomerChange, CustomerResultJson } from '../../../contract.ts';
import type { Outcome } from '../../../data/run-changes.ts';
import type { Refused } from './preview-changes.ts';

type Made = Extract<CustomerResultJson, { before: unknown }>;

export type ManyOutcome = Outcome<Made, Refused>;

/** Returns the changes that undo what was done, starting with the last. */
export function undoOf(done: readonly Made[]): CustomerChange[] {
  return done.toReversed().flatMap(({ id, before, now }): CustomerChange[] => {
    if (before.deletesAt !== now.deletesAt) return [{ kind: now.deletesAt === null ? 'delete' : 'undelete', id }];
    if (before.scheduled?.id !== now.scheduled?.id) {
      if (now.scheduled && !before.scheduled) return [{ kind: 'unschedule', id, seenId: now.scheduled.id }];
      const seenId = now.scheduled?.id ?? null;
      return before.scheduled ? [{ kind: 'reschedule', id, scheduledId: before.scheduled.id, seenId }] : [];
    }
    if (before.plan.id !== now.plan.id) {
      return [{ kind: 'plan', id, planId: before.plan.id, seenPlanId: now.plan.id }];
    }
    if (before.status === now.status) return [];
    if (now.status === 'suspended') return [{ kind: 'restore', id, seenReason: now.suspensionReason }];
    return [{ kind: 'suspend', id, reason: before.suspensionReason ?? '' }];
  });
}
