import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Turns } from '../turns.ts';
import { poolGivesWay } from './give-way.ts';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. @node-rs/argon2 hashes as Argon2id by default. */
export const argon2Parameters = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

// One more at once than there are processors, so that none waits for us to hand out the next; yet never the whole of the
// thread pool, which everyone else's files need too. What is done together shares a commit and one cold start: a hash leaves
// nothing else in the processor's caches.
const turns = new Turns(Math.min(availableParallelism() + 1, 3), { together: 5 });

const LEAST_CHARACTERS = 8;
const MOST_BYTES = 1024;

/** What is wrong with a password, as the end of a sentence; undefined when nothing is. */
export function passwordMistake(password: string): string | undefined {
  if (password === '') return "can't be blank";
  if (password.includes('\0')) return 'contains a NUL character';
  if ([...password].length < LEAST_CHARACTERS) return `is too short (minimum is ${LEAST_CHARACTERS} characters)`;
  if (Buffer.byteLength(password) > MOST_BYTES) return `is too long (maximum is ${MOST_BYTES} bytes)`;
  return undefined;
}

/**
 * The password's Argon2id hash as a PHC string; computed off the event loop, a few at a time, the accounts on whose
 * behalf it is done taking turns: one that creates customers by the thousand holds up itself and nobody else.
 */
export function hashPassword(password: string, accountId: number): Promise<string> {
  return turns.take(() => givingWay(hash(password, argon2Parameters)), accountId);
}

export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  // What no password can be is not worth the time that hashing megabytes takes.
  if (Buffer.byteLength(password) > MOST_BYTES) return false;
  return turns.take(() => givingWay(verify(passwordHash, password)));
}

function givingWay<T>(begun: Promise<T>): Promise<T> {
  poolGivesWay();
  return begun;
}
