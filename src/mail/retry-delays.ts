const [second, minute, hour] = [1000, 60_000, 3_600_000];

/**
 * The delay after the first, second, … failure, in milliseconds: short at first, because most problems pass quickly,
 * and three days in all, after which nobody waits for login instructions.
 */
export const retryDelays: readonly number[] = [
  ...[10, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...Array<number>(11).fill(1 * hour),
  ...Array<number>(10).fill(2 * hour),
  ...Array<number>(10).fill(4 * hour),
];

/**
 * When to try again after so many failures, in milliseconds from now; undefined when three days are over. A fifth more
 * or less, by chance, so that what failed together does not come back together.
 */
export function retryDelay(failures: number, random: () => number = Math.random): number | undefined {
  const delay = retryDelays[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (0.8 + 0.4 * random()));
}
