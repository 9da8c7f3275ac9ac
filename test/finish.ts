import type { Steps } from '../src/steps.ts';

/** Does the work in one go. */
export function finish<T>(steps: Steps<T>): T {
  return stepsOf(steps).result;
}

/** The same, with how many times it let others in. */
export function stepsOf<T>(steps: Steps<T>): { result: T; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done) return { result: value, pauses };
  }
}
