import type { CustomerChange, CustomerChangesJson, CustomerResultJson } from '../../../contract.ts';
import type { Refused } from './preview-changes.ts';

type Made = Extract<CustomerResultJson, { before: unknown }>;

export interface Outcome {
  readonly done: readonly Made[];
  readonly refused: readonly Refused[];
  /** How many were not tried, because somebody stopped it or something failed. */
  readonly left: number;
  /** The failure that ended the run. */
  readonly error: unknown;
}

interface Running {
  readonly send: (changes: CustomerChange[]) => Promise<CustomerChangesJson>;
  readonly isStopped: () => boolean;
  readonly onProgress: (tried: number) => void;
}

const MAX_BATCH = 50;
/** Half of what the service takes at once, in units of which each takes three bytes at most. */
const MAX_BATCH_CHARACTERS = 10_000;

/** Sends the changes in batches, one after the other. Never rejects: the outcome tells what was done. */
export async function runChanges(changes: readonly CustomerChange[], running: Running): Promise<Outcome> {
  const done: Made[] = [];
  const refused: Refused[] = [];
  let tried = 0;
  const outcome = (error?: unknown): Outcome => ({ done, refused, left: changes.length - tried, error });
  while (tried < changes.length && !running.isStopped()) {
    try {
      const { results } = await running.send(nextBatch(changes, tried));
      for (const result of results) {
        if ('why' in result) refused.push(result);
        else done.push(result);
      }
      tried += results.length;
      running.onProgress(tried);
    } catch (error) {
      return outcome(error);
    }
  }
  return outcome();
}

/** Returns the next changes, whose texts are not too long together; at least one. */
function nextBatch(changes: readonly CustomerChange[], start: number): CustomerChange[] {
  let characters = 0;
  const batch = changes.slice(start, start + MAX_BATCH);
  const end = batch.findIndex((change) => {
    characters += JSON.stringify(change).length;
    return characters > MAX_BATCH_CHARACTERS;
  });
  return end < 0 ? batch : batch.slice(0, Math.max(end, 1));
}

/** Returns the changes that take back what was done, the last first. */
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
