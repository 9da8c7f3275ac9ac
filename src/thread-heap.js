import { getHeapStatistics } from 'node:v8';

const MB = 1024 * 1024;

/**
 * How much the heap grows before the garbage is collected. A collection takes 30 ms of processor time, as long as everything
 * else that a URL of a megabyte takes.
 */
const MAX_GROWTH_BYTES = 24 * MB;

/**
 * How much a request allocates after which the thread gives memory back at once. V8 pools the pages that its own collections free
 * meanwhile, and keeps the space for new objects as large as it once grew: a hundred megabytes, none of which count as the heap's. To
 * give them back takes 30 ms, and the thread compiles its functions again: that takes 200 ms in all, so small requests are not
 * followed by it, however many they are.
 */
const MAX_ALLOCATED_BYTES = 128 * MB;

/** How much a thread has allocated since, or how much its heap has grown by, if it gives memory back when it is idle. */
const MAX_IDLE_ALLOCATED_BYTES = 256 * MB;
const MAX_IDLE_GROWTH_BYTES = 16 * MB;

/** How long a thread has had nothing to do when it is idle. */
const IDLE_MS = 5000;

/** Keeps the heap of its thread small: V8 alone would keep a hundred megabytes after large requests. */
export class ThreadHeap {
  #used = usedBytes();
  #held = heldBytes();
  /** How many bytes had been allocated when memory was given back last, and when the last request ended. */
  #allocated = allocatedBytes();
  #allocatedBefore = this.#allocated;
  #atWork = 0;
  #idleMs;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** Notes that the thread has a request. */
  begin() {
    this.#atWork += 1;
    clearTimeout(this.#timer);
  }

  /** Collects the garbage of a request if there may be much of it. The caller refers to nothing of the request any more. */
  async end() {
    if (allocatedBytes() > this.#allocatedBefore + MAX_ALLOCATED_BYTES) await this.#shrink();
    else if (usedBytes() > this.#used + MAX_GROWTH_BYTES) await this.#collect();
    this.#allocatedBefore = allocatedBytes();
    this.#atWork -= 1;
    if (this.#atWork === 0) this.#timer = setTimeout(() => this.#rest(), this.#idleMs);
  }

  async #collect() {
    const { collectGarbage } = await import('./collect-garbage.js');
    collectGarbage();
    this.#used = usedBytes();
  }

  async #rest() {
    const hasGrown = heldBytes() > this.#held + MAX_IDLE_GROWTH_BYTES;
    if (hasGrown || allocatedBytes() > this.#allocated + MAX_IDLE_ALLOCATED_BYTES) await this.#shrink();
  }

  async #shrink() {
    const { shrinkHeap } = await import('./collect-garbage.js');
    shrinkHeap();
    [this.#used, this.#held, this.#allocated] = [usedBytes(), heldBytes(), allocatedBytes()];
  }
}

/** Returns the bytes of objects, garbage included, and of what they hold outside the heap. */
function usedBytes() {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}

/** Returns the bytes that the operating system has given for them. */
function heldBytes() {
  const { total_physical_size: held, external_memory: external } = getHeapStatistics();
  return held + external;
}

/** Returns the bytes of all objects that the thread has ever had. */
function allocatedBytes() {
  return getHeapStatistics().total_allocated_bytes;
}
