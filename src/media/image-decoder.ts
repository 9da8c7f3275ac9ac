import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../refusal.ts';
import type { ImageShape } from './image-limits.ts';
import type { ImageJob, ImageProblem, ProcessedImage } from './make-variants.ts';

/** A message to the child process. */
export interface ImageTask {
  readonly task: 'inspect' | 'make';
  readonly job: ImageJob;
  /** The most processor time that the task may take. */
  readonly maxCpuMs: number;
}

/** A message from the child process. It sends `ready` once, when it has started. */
type ImageResponse = ImageShape | ProcessedImage | ImageProblem | 'too-long' | 'ready';

export interface ImageTimeouts {
  /**
   * The most processor time that the image may take. Wall-clock time would say little: the process yields to all others, so
   * on a busy machine the same image takes many times as long.
   */
  readonly maxCpuMs: number;
  /** The most wall-clock time that the image may take, in case the process hangs. */
  readonly maxWallMs: number;
}

/** Thrown when an image took too long and its process was killed. */
export class TookTooLong extends Refusal {
  constructor() {
    super('invalid', { reason: 'slow_image' });
  }
}

/** How long the process may be idle before it is ended: it takes 100 MB of memory. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Twice the memory that the largest image takes. Beyond it decoding fails and the process may end, but the service
 * continues.
 */
const MAX_MEMORY_KB = 2_000_000;

const program = fileURLToPath(new URL('./image-process.js', import.meta.url));

/**
 * A child process that decodes images, one at a time. It is started when first needed, has no access to our data, and is
 * killed when an image takes too long or the process has been idle.
 */
export class ImageDecoder {
  #process: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  /**
   * Reads the image's header, and decodes nothing.
   * @throws AppError `invalid` for an image that cannot be shown
   */
  inspect(job: ImageJob, timeouts: ImageTimeouts): Promise<ImageShape> {
    return this.#run('inspect', job, timeouts);
  }

  /**
   * Makes the image's variants.
   * @throws AppError `invalid` for an image that cannot be shown
   */
  make(job: ImageJob, timeouts: ImageTimeouts): Promise<ProcessedImage> {
    return this.#run('make', job, timeouts);
  }

  /** Ends the process. An image that is being made fails. */
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
    const response = await this.#request({ task, job, maxCpuMs }, maxWallMs);
    this.#idleTimer = setTimeout(() => this.close(), IDLE_TIMEOUT_MS).unref();
    if (typeof response === 'object') return response as T;
    if (response === 'too-long') throw new TookTooLong();
    throw new Refusal('invalid', { reason: response === 'costly' ? 'costly_image' : 'damaged_image' });
  }

  /** Returns the process's response. Kills the process if it takes too long or an image has crashed it. */
  async #request(task: ImageTask, maxWallMs: number): Promise<ImageResponse> {
    const child = this.#running();
    const response = Promise.withResolvers<ImageResponse>();
    const onMessage = (message: ImageResponse) => {
      if (message !== 'ready') response.resolve(message);
    };
    const onEnd = () => response.resolve('damaged');
    const timer = setTimeout(() => response.resolve('too-long'), maxWallMs);
    child.on('message', onMessage).on('exit', onEnd).on('error', response.reject);
    keepServiceAlive(child);
    try {
      child.send(task);
      const message = await response.promise;
      if (message === 'too-long' || !child.connected) this.close();
      return message;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onEnd).off('error', response.reject);
      allowServiceToExit(child);
    }
  }

  /** Returns the running process, or starts a new one: the system may have ended an idle process. */
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
    // Passes no data of the service: neither its environment nor its arguments.
    env: { TMPDIR: tmpdir(), MALLOC_ARENA_MAX: '2' },
    // A shell sets the memory limit, since Node cannot, and replaces itself with Node. On systems without such a limit, it
    // runs without one.
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
  // A waiting caller gets the error from its own listener. Otherwise the error does not matter.
  child.on('error', () => {});
  return child;
}

/** Lets the service exit while the child process is idle. */
function allowServiceToExit(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function keepServiceAlive(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
