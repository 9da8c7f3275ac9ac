import { megabytes } from '../megabytes.ts';
import { limitsExceeded, type PlanLimit, type PlanUsage, planLimits } from '../tenancy/plan-limits.ts';

/** Returns the use of the limits of a plan, `3 of 10 pages, 14.2 MB of 500 MB of images`, or that there are none. */
export function usageInWords(usage: PlanUsage, limits: readonly PlanLimit[] = planLimits): string {
  const parts = limits.flatMap((name) => {
    const { used, limit } = usage[name];
    if (limit === null) return [];
    return name === 'storage' ? `${megabytes(used)} of ${megabytes(limit)} of images` : `${used} of ${limit} ${name}`;
  });
  return parts.join(', ') || 'its plan has no limits';
}

/** Returns what to know of a customer that has more than its plan allows; undefined if it has not. */
export function excessInWords(usage: PlanUsage): string | undefined {
  const exceeded = limitsExceeded(usage);
  if (exceeded.length === 0) return undefined;
  return `It has more than the plan allows: ${usageInWords(usage, exceeded)}. Nothing is deleted, and nothing can be added.`;
}
