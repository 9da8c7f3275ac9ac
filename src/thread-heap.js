import { getHeapStatistics } from 'node:v8';

const MB = 1024 * 1024;

/**
 * How much the heap grows before the garbage is collected. A collection takes 30 ms of processor time, as long as everything
 * else that a URL of a megabyte takes.
 */
const MAX_GROWTH_BYTES = 24 * MB;

/** How much of its growth a thread keeps when it is idle: V8 keeps the space for new objects as large as it once grew. */
const MAX_IDLE_GROWTH_BYTES = 16 * MB;

/** How long a thread has had nothing to do when it gives memory back: it compiles some of its functions again afterwards. */
const IDLE_MS = 2000;

/** Keeps the heap of its thread small: V8 alone would keep a hundred megabytes after large requests. */
export class ThreadHeap {
  #used = usedBytes();
  #held = heldBytes();
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
    if (usedBytes() > this.#used + MAX_GROWTH_BYTES) {
      const { collectGarbage } = await import('./collect-garbage.js');
      collectGarbage();
      this.#used = usedBytes();
    }
    this.#atWork -= 1;
    if (this.#atWork === 0) this.#timer = setTimeout(() => this.#shrink(), this.#idleMs);
  }

  async #shrink() {
    if (heldBytes() < this.#held + MAX_IDLE_GROWTH_BYTES) return;
    const { shrinkHeap } = await import('./collect-garbage.js');
    if (this.#atWork > 0) return;
    shrinkHeap();
    [this.#used, this.#held] = [usedBytes(), heldBytes()];
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
