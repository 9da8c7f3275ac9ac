import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors.ts';
import type { ImageJob, ImageProblem, MadeImage } from './make-forms.ts';

/** How long one image may take, in milliseconds: ten times what the largest does. */
const MOST_TIME = 60_000;

/** The process holds 100 MB. It ends when it has had nothing to do for so long, in milliseconds. */
const PATIENCE = 60_000;

/** How many images wait for their turn before there are too many. */
const MOST_WAITING = 20;

const program = fileURLToPath(new URL('./image-process.js', import.meta.url));

interface Turn {
  job: ImageJob;
  resolve: (made: MadeImage) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes uploaded images fit for the web, one at a time, in a process of its own: it is started when it is first needed,
 * has nothing of ours, and is ended when an image takes too long or it has nothing left to do.
 */
export class ImageMaker {
  readonly #waiting: Turn[] = [];
  #isBusy = false;
  #process: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @throws AppError `invalid` for what cannot be shown; `rate_limited` where too many are waiting. */
  make(job: ImageJob): Promise<MadeImage> {
    if (this.#waiting.length >= MOST_WAITING) {
      throw new AppError('rate_limited', 'Too many images are being uploaded at once. Try again in a moment.');
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      void this.#next();
    });
  }

  /** Ends the process; an image that is being made fails. */
  close(): void {
    clearTimeout(this.#timer);
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  async #next(): Promise<void> {
    if (this.#isBusy) return;
    const turn = this.#waiting.shift();
    if (!turn) return;
    this.#isBusy = true;
    try {
      turn.resolve(await this.#run(turn.job));
    } catch (error) {
      turn.reject(error);
    }
    this.#isBusy = false;
    void this.#next();
  }

  async #run(job: ImageJob): Promise<MadeImage> {
    clearTimeout(this.#timer);
    const made = await this.#ask(job);
    this.#timer = setTimeout(() => this.close(), PATIENCE).unref();
    if (typeof made === 'object') return made;
    throw new AppError('invalid', sentences[made]);
  }

  /** What the process answers. One that takes too long is ended, and so is one that an image has brought down. */
  async #ask(job: ImageJob): Promise<MadeImage | ImageProblem | 'too-long'> {
    const child = this.#running();
    const answer = Promise.withResolvers<MadeImage | ImageProblem | 'too-long'>();
    const onMessage = (message: MadeImage | ImageProblem | 'ready') => {
      if (message !== 'ready') answer.resolve(message);
    };
    const onEnd = () => answer.resolve('damaged');
    const timer = setTimeout(() => answer.resolve('too-long'), MOST_TIME);
    child.on('message', onMessage).on('exit', onEnd).on('error', answer.reject);
    hold(child);
    try {
      child.send(job);
      const made = await answer.promise;
      if (made === 'too-long' || !child.connected) this.close();
      return made;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onEnd).off('error', answer.reject);
      letGo(child);
    }
  }

  /** The process that is there, or a new one: the system may have ended it while it had nothing to do. */
  #running(): ChildProcess {
    const child = this.#process;
    if (child?.connected && child.exitCode === null && child.signalCode === null) return child;
    this.close();
    this.#process = start();
    return this.#process;
  }
}

const sentences: Readonly<Record<ImageProblem | 'too-long', string>> = {
  damaged: 'The image is damaged, or not what it pretends to be. Open it in an image program, and save it anew.',
  'too-many-pixels': 'The image has too many pixels: 64 million can be. Make it smaller first.',
  'too-long': 'The image takes too long to be read. Make it smaller first.',
};

function start(): ChildProcess {
  const child = fork(program, [], {
    // Nothing of ours: neither what the service was told nor how it was started.
    env: { TMPDIR: tmpdir(), MALLOC_ARENA_MAX: '2' },
    execArgv: ['--max-old-space-size=256'],
    stdio: 'ignore',
    serialization: 'json',
  });
  // Whoever waits for an answer is told; at other times it does not matter.
  child.on('error', () => {});
  return child;
}

/** A process that has nothing to do keeps ours from ending as little as a thread would. */
function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
