import { setImmediate } from 'node:timers/promises';

/** Work that yields after each step of it, so that the event loop can answer others in between. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How much of an input one step goes through, in characters: what costs most of it takes some milliseconds. */
export const STEP_CHARACTERS = 512 * 1024;

/** Does the work, letting others in between its steps; at once, and without a promise, where it has only one. */
export function runInSteps<T>(steps: Steps<T>): T | Promise<T> {
  const { done, value } = steps.next();
  return done ? value : runRest(steps);
}

async function runRest<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await setImmediate();
    const { done, value } = steps.next();
    if (done) return value;
  }
}
