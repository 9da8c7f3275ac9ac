const [second, minute, hour] = [1000, 60_000, 3_600_000];

/**
 * The delay after the first, second, … failure, in milliseconds. They are short at first, because most problems pass
 * quickly. They add up to three days, after which nobody waits for login instructions.
 */
export const retryDelays: readonly number[] = [
  ...[10, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...Array<number>(11).fill(1 * hour),
  ...Array<number>(10).fill(2 * hour),
  ...Array<number>(10).fill(4 * hour),
];

/**
 * Returns the delay until the next attempt after so many failures, in milliseconds; undefined when three days are over. It
 * varies at random by up to a fifth, so that messages that failed together are not retried together.
 */
export function retryDelay(failures: number, random: () => number = Math.random): number | undefined {
  const delay = retryDelays[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (0.8 + 0.4 * random()));
}
