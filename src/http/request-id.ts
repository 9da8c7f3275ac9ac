import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Returns the caller's own id, so that a request can be followed through several systems. */
export function requestedId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : undefined;
}

/** Ids that are unique over processes and restarts, and cheap: writing a number anew for each takes longer. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url');
  let block = 0;
  let start = '';
  let next = ENDINGS.length;
  return () => {
    if (next === ENDINGS.length) {
      next = 0;
      start = `${process}-${block.toString(36)}`;
      block += 1;
    }
    const id = start + ENDINGS[next]!;
    next += 1;
    return id;
  };
}

const ENDINGS = Array.from({ length: 36 ** 2 }, (_, number) => number.toString(36).padStart(2, '0'));
