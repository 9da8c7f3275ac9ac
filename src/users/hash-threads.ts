import { availableParallelism } from 'node:os';
import { WorkerThread } from '../worker-thread.ts';

/**
 * The parameters that OWASP recommends first for Argon2id: 19 MiB, two passes, one lane. @node-rs/argon2 uses Argon2id by
 * default.
 */
export const argon2Parameters = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

/** A password to hash, or to compare with a hash. */
export interface HashRequest {
  password: string;
  hash?: string;
}

// One thread per processor, but at most four per process. With more threads than processors, each would have to load its 19
// MiB into the caches again whenever it is scheduled. Node's own thread pool is not used: it has a fixed size, and all file
// reads share it.
const MAX_THREADS = Math.min(availableParallelism(), 4);

/** The hash that a thread computes and the next one, so that the thread need not wait for the main thread. */
const MAX_QUEUED_PER_THREAD = 2;

export const MAX_CONCURRENT_HASHES = MAX_THREADS * MAX_QUEUED_PER_THREAD;

const threads = new Set<WorkerThread<HashRequest, string | boolean>>();

/** Returns the password's hash as a PHC string. */
export function hashInThread(password: string): Promise<string> {
  return leastBusyThread().request({ password }) as Promise<string>;
}

/** Returns true if the hash is the password's. Rejects if it is not a valid hash. */
export function verifyInThread(hash: string, password: string): Promise<boolean> {
  return leastBusyThread().request({ password, hash }) as Promise<boolean>;
}

/** Returns the least busy thread. Starts another one if all queues are full: starting a thread takes as long as two hashes. */
function leastBusyThread(): WorkerThread<HashRequest, string | boolean> {
  const [first, ...others] = threads;
  const least = first && others.reduce((one, other) => (other.waiting < one.waiting ? other : one), first);
  if (least && (least.waiting < MAX_QUEUED_PER_THREAD || threads.size === MAX_THREADS)) return least;
  return startThread();
}

function startThread(): WorkerThread<HashRequest, string | boolean> {
  const thread: WorkerThread<HashRequest, string | boolean> = new WorkerThread(
    new URL('./hash-thread.js', import.meta.url),
    { name: 'hash-passwords', workerData: argon2Parameters },
    () => threads.delete(thread),
  );
  threads.add(thread);
  return thread;
}
