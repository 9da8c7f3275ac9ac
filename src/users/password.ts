import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. @node-rs/argon2 hashes as Argon2id by default. */
export const argon2Parameters = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

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

/** The password's Argon2id hash as a PHC string; computed off the event loop, a few at a time. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, argon2Parameters));
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password));
}

// One more than there are processors, so that none waits for us to hand out the next; yet never the whole of the thread
// pool, which everyone else's files need too.
let free = Math.min(availableParallelism() + 1, 3);
const waiting: Array<() => void> = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}
