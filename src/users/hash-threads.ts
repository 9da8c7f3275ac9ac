import { availableParallelism } from 'node:os';
import { WorkerThread } from '../worker-thread.ts';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. @node-rs/argon2 hashes as Argon2id by default. */
export const argon2Parameters = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

/** A password to hash, or to compare with a hash. */
export interface Question {
  password: string;
  hash?: string;
}

// In each process one for each processor, up to four: of more than there are processors, each would have to fetch its 19 MiB
// into the caches again whenever its turn comes. Not in Node's pool, which has its own number of threads, and everybody
// else's files to read.
const MAX_THREADS = Math.min(availableParallelism(), 4);

/** One hash that a thread computes, and the next one, so that it need not wait for us. */
const MAX_QUEUED_PER_THREAD = 2;

export const MAX_CONCURRENT_HASHES = MAX_THREADS * MAX_QUEUED_PER_THREAD;

const threads = new Set<WorkerThread<Question, string | boolean>>();

/** The password's hash as a PHC string. */
export function hashInThread(password: string): Promise<string> {
  return leastBusy().request({ password }) as Promise<string>;
}

/** Whether it is the password's hash; rejects when it is no hash at all. */
export function verifyInThread(hash: string, password: string): Promise<boolean> {
  return leastBusy().request({ password, hash }) as Promise<boolean>;
}

/** Another one is started when each has its next one at hand already: starting it takes as long as two hashes. */
function leastBusy(): WorkerThread<Question, string | boolean> {
  const [first, ...others] = threads;
  const least = first && others.reduce((one, other) => (other.waiting < one.waiting ? other : one), first);
  if (least && (least.waiting < MAX_QUEUED_PER_THREAD || threads.size === MAX_THREADS)) return least;
  return start();
}

function start(): WorkerThread<Question, string | boolean> {
  const thread: WorkerThread<Question, string | boolean> = new WorkerThread(
    new URL('./hash-thread.js', import.meta.url),
    { name: 'hash-passwords', workerData: argon2Parameters },
    () => threads.delete(thread),
  );
  threads.add(thread);
  return thread;
}
