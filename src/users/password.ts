import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';
import type { BrokenRule } from '../field-error.ts';
import { hashInThread, MAX_CONCURRENT_HASHES, verifyInThread } from './hash-threads.ts';

// Runs hashes in batches: verifications that end together share a commit and one cold start. A hash evicts everything else
// from the processor's caches.
const semaphore = new FairSemaphore(MAX_CONCURRENT_HASHES, { batchSize: 5, name: 'passwords' });

const MIN_CHARACTERS = 8;
const MAX_BYTES = 1024;

/** Returns the rule that a password breaks; undefined if none. */
export function validatePassword(password: string): BrokenRule | undefined {
  if (password === '') return { code: 'blank' };
  if (password.includes('\0')) return { code: 'nul_character' };
  // Looks only at the beginning of a long text: a character takes at most two UTF-16 units.
  if ([...password.slice(0, 2 * MIN_CHARACTERS)].length < MIN_CHARACTERS)
    return { code: 'too_short', params: { min: MIN_CHARACTERS } };
  if (Buffer.byteLength(password) > MAX_BYTES) return { code: 'too_many_bytes', params: { max: MAX_BYTES } };
  return undefined;
}

/**
 * Returns the password's Argon2id hash as a PHC string. Hashes are computed off the event loop, a few at a time, and
 * accounts take turns: an account that creates thousands of customers delays only itself.
 */
export function hashPassword(password: string, accountId: number): Promise<string> {
  return semaphore.run(() => hashInThread(password), accountId);
}

/** Returns true if the hash is the password's. Requests with different fairness keys take turns, as in `hashPassword`. */
export async function verifyPassword(
  passwordHash: string,
  password: string,
  fairnessKey: FairnessKey,
): Promise<boolean> {
  // A text that is too long for a password is not worth the time of hashing it.
  if (Buffer.byteLength(password) > MAX_BYTES) return false;
  return semaphore.run(() => verifyInThread(passwordHash, password), fairnessKey);
}
