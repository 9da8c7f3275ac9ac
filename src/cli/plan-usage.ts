import { megabytes } from '../megabytes.ts';
import { limitsExceeded, type PlanLimit, type PlanUsage, planLimits } from '../tenancy/plan-limits.ts';

/** Returns the use of the limits of a plan: `3 of 10 pages, 2 people, 14.2 MB of 500 MB of images, 0 domains`. */
export function usageInWords(usage: PlanUsage, limits: readonly PlanLimit[] = planLimits): string {
  return limits
    .map((name) => {
      const { used, limit } = usage[name];
      const amount = (count: number) => (name === 'storage' ? megabytes(count) : String(count));
      const of = limit === null ? amount(used) : `${amount(used)} of ${amount(limit)}`;
      return `${of} ${name === 'storage' ? 'of images' : name}`;
    })
    .join(', ');
}

/** Returns what to know of a customer that has more than its plan allows; undefined if it has not. */
export function excessInWords(usage: PlanUsage): string | undefined {
  const exceeded = limitsExceeded(usage);
  if (exceeded.length === 0) return undefined;
  return `It has more than the plan allows: ${usageInWords(usage, exceeded)}. Nothing is deleted, and nothing can be added.`;
}
