import { getHeapStatistics } from 'node:v8';

const MB = 1024 * 1024;

/**
 * How much the heap may grow before garbage is collected. A collection takes 30 ms of processor time, as long as all other
 * work for a URL of a megabyte.
 */
const MAX_GROWTH_BYTES = 24 * MB;

/**
 * How much a request may allocate before the thread returns memory right after it. V8 pools the pages that its own
 * collections free meanwhile, and keeps the space for new objects at its largest size: together a hundred megabytes, none
 * of which count as the heap's. Returning them takes 30 ms, and afterwards the thread compiles its functions again. That
 * takes 200 ms in total, so small requests never trigger it, however many there are.
 */
const MAX_ALLOCATED_BYTES = 128 * MB;

/** How much a thread may allocate, or its heap grow, before it returns memory when it is idle. */
const MAX_IDLE_ALLOCATED_BYTES = 256 * MB;
const MAX_IDLE_GROWTH_BYTES = 16 * MB;

/** A thread without requests for this time is idle. */
const IDLE_MS = 5000;

/** Keeps the heap of its thread small. V8 alone would keep a hundred megabytes after large requests. */
export class ThreadHeap {
  #used = usedBytes();
  #held = heldBytes();
  /** The bytes allocated when memory was last returned. `#allocatedBefore` is the value when the last request ended. */
  #allocated = allocatedBytes();
  #allocatedBefore = this.#allocated;
  #atWork = 0;
  #idleMs;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** Must be called when a request begins. */
  begin() {
    this.#atWork += 1;
    clearTimeout(this.#timer);
  }

  /** Collects the garbage of a request if there may be much. The caller must no longer refer to anything of the request. */
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

/** Returns the bytes of objects, including garbage, and of the memory that they hold outside the heap. */
function usedBytes() {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}

/** Returns the bytes that the operating system has provided for the heap and the memory outside it. */
function heldBytes() {
  const { total_physical_size: held, external_memory: external } = getHeapStatistics();
  return held + external;
}

/** Returns the bytes of all objects that the thread has ever allocated. */
function allocatedBytes() {
  return getHeapStatistics().total_allocated_bytes;
}
