import { megabytes } from '../megabytes.ts';
import { listExceededLimits, type PlanLimit, type PlanUsage, planLimits } from '../tenancy/plan-limits.ts';

const nouns: Record<PlanLimit, readonly [one: string, many: string]> = {
  pages: ['page', 'pages'],
  people: ['person', 'people'],
  storage: ['of images', 'of images'],
  domains: ['domain', 'domains'],
};

/** Returns the usage of a plan in words: `3 of 10 pages, 1 person, 14.2 MB of 500 MB of images, 0 domains`. */
export function usageInWords(usage: PlanUsage, limits: readonly PlanLimit[] = planLimits): string {
  const parts = limits.map((name) => {
    const { used, limit } = usage[name];
    const amount = name === 'storage' ? megabytes : String;
    const noun = nouns[name][(limit ?? used) === 1 ? 0 : 1];
    return `${amount(used)} ${limit === null ? '' : `of ${amount(limit)} `}${noun}`;
  });
  return parts.join(', ');
}

/** Returns a warning if a customer exceeds its plan; undefined if it does not. */
export function excessInWords(usage: PlanUsage): string | undefined {
  const exceeded = listExceededLimits(usage);
  if (exceeded.length === 0) return undefined;
  return `The customer has more than the plan allows: ${usageInWords(usage, exceeded)}. Nothing is deleted, but nothing can be added.`;
}
