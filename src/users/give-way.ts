import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of 0 to 19, as `nice` has it: a third of the share of the thread that answers requests, where they have to share. */
const NICENESS = 5;

let done = false;

/**
 * Lets the threads of Node's pool, which hash passwords, give way to the one that answers requests, where that can be said
 * of a thread: on Linux. Without it a request waits for its share of the processor for as long as a hash takes. To be
 * called when the pool has its first work, and so its threads.
 */
export function poolGivesWay(): void {
  if (done || process.platform !== 'linux') return;
  done = true;
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      if (name === 'libuv-worker') setPriority(Number(thread), NICENESS);
    }
  } catch {
    // It is a courtesy: where it is not allowed, passwords are hashed all the same.
  }
}
