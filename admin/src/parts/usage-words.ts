import type { PlanLimitsJson, PlanUsageJson } from '../contract.ts';
import { strings } from '../strings.ts';

export const limits = ['pages', 'people', 'storage', 'domains'] as const;
export type Limit = (typeof limits)[number];

const BYTES_PER_MEGABYTE = 2 ** 20;

/** Returns `3 of 10 pages`, or `3 pages` if there is no limit. */
export function usageInWords(name: Limit, used: number, limit: number | null): string {
  const amounts = strings.limitAmounts[name];
  if (limit === null) return amounts(used);
  return `${name === 'storage' ? strings.fileSize(used) : used.toLocaleString(strings.locale)} of ${amounts(limit)}`;
}

/** Returns, in words, the amounts that exceed a plan's limits. */
export function excessOf(usage: PlanUsageJson, allowed: PlanLimitsJson): string[] {
  return limits.flatMap((name) => {
    const limit = name === 'storage' && allowed.storage !== null ? allowed.storage * BYTES_PER_MEGABYTE : allowed[name];
    return limit !== null && usage[name].used > limit ? [usageInWords(name, usage[name].used, limit)] : [];
  });
}
