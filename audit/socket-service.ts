import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BoundSocket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NO_SETTINGS_FILE, startEnvironment, startFlags } from '../test/start-flags.ts';

/** The service on a socket that outlives it, as with systemd. */
export class SocketService {
  readonly #socket: BoundSocket;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #folder: string;
  #process: ChildProcess | undefined;
  /** The lines of the log since the start, except those of requests. */
  #messages: string[] = [];
  #onMessage = () => {};

  /** The key of the first start. */
  key = '';

  /** `folder` has the checkout to start. */
  constructor(
    socket: BoundSocket,
    environment: Readonly<Record<string, string>>,
    folder = join(import.meta.dirname, '..'),
  ) {
    this.#socket = socket;
    this.#folder = folder;
    this.#environment = environment;
    process.on('exit', () => this.#process?.kill('SIGKILL'));
  }

  /** Starts the service, and resolves once all processes serve. */
  async start(): Promise<void> {
    const command = [process.execPath, ...startFlags, 'src/server.js', NO_SETTINGS_FILE];
    const child = spawn('sh', ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...command], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, LISTEN_FDS: '1', ...startEnvironment, ...this.#environment },
      stdio: ['ignore', 'pipe', 'inherit', this.#socket.fd()],
    });
    this.#process = child;
    this.#messages = [];
    createInterface({ input: child.stdout! }).on('line', (line) => {
      this.key ||= /API key: {2}(\S+)/.exec(line)?.[1] ?? '';
      const message = /"msg":"([^"]*)/.exec(line)?.[1];
      if (message === undefined || message === 'request') return;
      this.#messages.push(message);
      this.#onMessage();
    });
    await this.#said('serving', Number(this.#environment.WORKERS));
  }

  async reload(): Promise<void> {
    const before = this.#count('reloaded');
    this.#process!.kill('SIGHUP');
    await this.#said('reloaded', before + 1);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill('SIGTERM');
    await ended;
  }

  #count(message: string): number {
    return this.#messages.filter((each) => each === message).length;
  }

  async #said(message: string, times: number): Promise<void> {
    while (this.#count(message) < times) {
      await new Promise<void>((resolve) => {
        this.#onMessage = resolve;
      });
    }
  }
}
