import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../refusal.ts';
import type { ImageShape } from './image-limits.ts';
import type { ImageJob, ImageProblem, ProcessedImage } from './make-variants.ts';

/** A message to the process. */
export interface ImageTask {
  readonly task: 'inspect' | 'make';
  readonly job: ImageJob;
  /** How much processor time it may take. */
  readonly maxCpuMs: number;
}

/** A message from the process; `ready` once, when it has started. */
type ImageAnswer = ImageShape | ProcessedImage | ImageProblem | 'too-long' | 'ready';

export interface ImageTimeouts {
  /**
   * How much processor time the image may take. That is what it costs: the process yields to all others, so on a busy machine
   * the same image takes many times as long.
   */
  readonly maxCpuMs: number;
  /** How long it may take by the clock, for a process that does nothing at all any more. */
  readonly maxWallMs: number;
}

/** An image took longer than it may, and its process was killed. */
export class TookTooLong extends Refusal {
  constructor() {
    super('invalid', { reason: 'slow_image' });
  }
}

/** The process holds 100 MB. It ends when it has had nothing to do for so long. */
const IDLE_TIMEOUT_MS = 60_000;

/** Twice what the largest image takes. Beyond it decoding fails and the process may end; the service goes on. */
const MAX_MEMORY_KB = 2_000_000;

const program = fileURLToPath(new URL('./image-process.js', import.meta.url));

/**
 * A child process that decodes images, one at a time. It is started when first needed, gets none of our data, and is
 * killed when an image takes too long or it has been idle.
 */
export class ImageDecoder {
  #process: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  /** Reads the image's header, and decodes nothing. @throws AppError `invalid` for what cannot be shown. */
  inspect(job: ImageJob, timeouts: ImageTimeouts): Promise<ImageShape> {
    return this.#run('inspect', job, timeouts);
  }

  /** Makes the image's forms. @throws AppError `invalid` for what cannot be shown. */
  make(job: ImageJob, timeouts: ImageTimeouts): Promise<ProcessedImage> {
    return this.#run('make', job, timeouts);
  }

  /** Ends the process; an image that is being made fails. */
  close(): void {
    clearTimeout(this.#idleTimer);
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  async #run<T extends ImageShape | ProcessedImage>(
    task: ImageTask['task'],
    job: ImageJob,
    { maxCpuMs, maxWallMs }: ImageTimeouts,
  ): Promise<T> {
    clearTimeout(this.#idleTimer);
    const answer = await this.#ask({ task, job, maxCpuMs }, maxWallMs);
    this.#idleTimer = setTimeout(() => this.close(), IDLE_TIMEOUT_MS).unref();
    if (typeof answer === 'object') return answer as T;
    if (answer === 'too-long') throw new TookTooLong();
    throw new Refusal('invalid', { reason: answer === 'costly' ? 'costly_image' : 'damaged_image' });
  }

  /** Returns the process's answer. A process that takes too long is killed, as is one that an image has crashed. */
  async #ask(task: ImageTask, maxWallMs: number): Promise<ImageAnswer> {
    const child = this.#running();
    const answer = Promise.withResolvers<ImageAnswer>();
    const onMessage = (message: ImageAnswer) => {
      if (message !== 'ready') answer.resolve(message);
    };
    const onEnd = () => answer.resolve('damaged');
    const timer = setTimeout(() => answer.resolve('too-long'), maxWallMs);
    child.on('message', onMessage).on('exit', onEnd).on('error', answer.reject);
    hold(child);
    try {
      child.send(task);
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

function start(): ChildProcess {
  const child = fork(program, [], {
    // None of our data: neither our environment nor our command line.
    env: { TMPDIR: tmpdir(), MALLOC_ARENA_MAX: '2' },
    // The shell replaces itself with Node: only there can a limit of memory be set. Where a system has none, it goes on.
    execPath: '/bin/sh',
    execArgv: [
      '-c',
      `ulimit -d ${MAX_MEMORY_KB} 2>/dev/null; exec "$0" "$@"`,
      process.execPath,
      '--max-old-space-size=256',
    ],
    stdio: 'ignore',
    serialization: 'json',
  });
  // A waiting caller gets the error; otherwise it does not matter.
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
