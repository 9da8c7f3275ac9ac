import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { poolGivesWay } from './give-way.ts';

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

/**
 * The password's Argon2id hash as a PHC string; computed off the event loop, a few at a time, the accounts on whose
 * behalf it is done taking turns: one that creates customers by the thousand holds up itself and nobody else.
 */
export function hashPassword(password: string, accountId: number): Promise<string> {
  return inTurn(accountId, () => givingWay(hash(password, argon2Parameters)));
}

export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  // What no password can be is not worth the time that hashing megabytes takes.
  if (Buffer.byteLength(password) > MOST_BYTES) return false;
  return inTurn(NOBODY, () => givingWay(verify(passwordHash, password)));
}

function givingWay<T>(begun: Promise<T>): Promise<T> {
  poolGivesWay();
  return begun;
}

// One more than there are processors, so that none waits for us to hand out the next; yet never the whole of the thread
// pool, which everyone else's files need too.
let free = Math.min(availableParallelism() + 1, 3);
/** Stands in the queue for whatever is done on no account's behalf. */
const NOBODY = 0;

/** Who waits, by account; the account whose turn it is comes first. */
const waiting = new Map<number, Array<() => void>>();

async function inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => enqueue(accountId, resolve));
  try {
    return await work();
  } finally {
    const next = dequeue();
    if (next) next();
    else free++;
    await handedOut();
  }
}

/** Who is done, and waits for others to be. */
let done: Array<() => void> = [];
const MOST_TOGETHER = 5;

/**
 * While more wait than can be hashed for, those who are done go on a few at a time: what each of them does next then
 * costs one commit for all, and one cold start, for a hash leaves nothing else in the processor's caches. Nobody waits
 * where there is nobody to wait for: whoever is queued has somebody before them who will be done.
 */
function handedOut(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  done.push(resolve);
  if (done.length === MOST_TOGETHER || waiting.size === 0) {
    const all = done;
    done = [];
    for (const goOn of all) goOn();
  }
  return promise;
}

function enqueue(accountId: number, start: () => void): void {
  const own = waiting.get(accountId);
  if (own) own.push(start);
  else waiting.set(accountId, [start]);
}

function dequeue(): (() => void) | undefined {
  for (const [accountId, own] of waiting) {
    const next = own.shift();
    // To the end, behind every other account.
    waiting.delete(accountId);
    if (own.length > 0) waiting.set(accountId, own);
    return next;
  }
  return undefined;
}
