import { Thread } from '../thread.ts';
import { isQuick } from './is-quick.ts';
import { type BodySource, type RenderedBody, renderAsText, renderBody } from './render-body.ts';

/** With two, and one body of an account at a time, nobody's bodies keep everybody else's waiting. */
const MOST_THREADS = 2;

/** In characters. Of bodies that are longer one at a time is rendered, and its thread ends with it: it has a large heap. */
const HUGE = 1024 * 1024;

/** What a thread's heap may grow to, in MB: ten times what the longest body is that consists of images. */
const MOST_MEMORY = 192;

type RenderThread = Thread<BodySource, RenderedBody>;

interface Job extends BodySource {
  accountId: number;
  resolve: (rendered: RenderedBody) => void;
  reject: (error: unknown) => void;
}

/**
 * Renders bodies without holding up anything else: those that can take a while, or seconds, in threads of their own, which
 * are started when they are first needed, and end when they no longer are.
 */
export class BodyRenderer {
  readonly #idle: RenderThread[] = [];
  #threads = 0;
  readonly #waiting: Job[] = [];
  /** Whose bodies are being rendered. */
  readonly #busy = new Set<number>();
  #hugeUnderWay = false;
  readonly #memory: number;
  readonly #startThread: typeof startThread;

  /** `memory`: what a thread may have, in MB. */
  constructor(memory = MOST_MEMORY, start = startThread) {
    this.#memory = memory;
    this.#startThread = start;
  }

  /** How many threads there are. */
  get threads(): number {
    return this.#threads;
  }

  /** A body for which a thread's memory is not enough is shown as the text it is. */
  async render(accountId: number, source: BodySource): Promise<RenderedBody> {
    const { body, format } = source;
    if (isQuick(source)) return renderBody(body, format);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ accountId, body, format, resolve, reject });
      this.#assign();
    });
  }

  /** Gives the first job whose account has none under way to a thread that has nothing to do, if there are both. */
  #assign(): void {
    const next = this.#waiting.findIndex(
      ({ accountId, body }) => !this.#busy.has(accountId) && !(this.#hugeUnderWay && body.length > HUGE),
    );
    if (next === -1 || (this.#idle.length === 0 && this.#threads === MOST_THREADS)) return;
    let thread: RenderThread;
    try {
      thread = this.#idle.pop() ?? this.#start();
    } catch (error) {
      // The system may allow no more of them. One that is at work takes the job when it is done; else nobody would.
      if (this.#busy.size > 0) return;
      this.#waiting.splice(next, 1)[0]!.reject(error);
      this.#assign();
      return;
    }
    const [job] = this.#waiting.splice(next, 1);
    void this.#run(thread, job!);
  }

  async #run(thread: RenderThread, { accountId, body, format, resolve, reject }: Job): Promise<void> {
    const isHuge = body.length > HUGE;
    this.#busy.add(accountId);
    if (isHuge) this.#hugeUnderWay = true;
    try {
      resolve(await thread.ask({ body, format }));
    } catch (error) {
      if (isOutOfMemory(error)) resolve(renderAsText(body));
      else reject(error);
    }
    if (isHuge) await thread.end();
    else if (!thread.hasEnded) this.#idle.push(thread);
    this.#busy.delete(accountId);
    if (isHuge) this.#hugeUnderWay = false;
    this.#assign();
  }

  #start(): RenderThread {
    const thread = this.#startThread(this.#memory, () => {
      this.#threads -= 1;
      const place = this.#idle.indexOf(thread);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    this.#threads += 1;
    return thread;
  }
}

/** @throws where the system allows no more threads. */
export function startThread(memory: number, onEnd: () => void): RenderThread {
  const resourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 16 };
  return new Thread(new URL('./render-thread.js', import.meta.url), { name: 'render-bodies', resourceLimits }, onEnd);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** For everybody in a process: the threads are few. */
export const bodyRenderer = new BodyRenderer();
