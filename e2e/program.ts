import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { BoundSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DatabaseConfig } from '../src/db/open-database.ts';
import { beforeClosing, environmentOf, type Lifetime } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { Service } from '../test/service.ts';
import { NO_SETTINGS_FILE, startFlags } from '../test/start-flags.ts';

type Environment = Readonly<Record<string, string>>;

/** The script that starts the service: that of the package if the package is tested (see packaging/test.ts). */
const server = process.env.FREEHOLD_PACKAGE ? `${process.env.FREEHOLD_PACKAGE}/lib/server.js` : 'src/server.js';

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Runs the real program in a process of its own, with a client for it. */
export class Program {
  readonly port: number;
  readonly service: Service;
  /** All that the program has written to standard output. `errors` is standard error. */
  out = '';
  errors = '';
  /** Settles once the process and all of its workers are gone: they share its output, which is closed only then. */
  readonly ended: Promise<End>;
  /** The folder for the temporary files of this program alone. */
  readonly temporaryFolder: string;
  readonly #process: ChildProcess;
  #end: End | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(
    command: readonly string[],
    environment: Environment,
    port: number,
    temporaryFolder: string,
    workingFolder = fileURLToPath(new URL('..', import.meta.url)),
    sockets: readonly BoundSocket[] = [],
  ) {
    this.port = port;
    this.temporaryFolder = temporaryFolder;
    this.service = new Service(port, [], async () => {});
    const [file = '', ...args] = command;
    this.#process = spawn(file, args, {
      cwd: workingFolder,
      // Without the variables of the test's own process: the program gets only those that the test sets.
      env: { PATH: process.env.PATH, TMPDIR: temporaryFolder, PORT: String(port), HOST: '127.0.0.1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', ...sockets.map((socket) => socket.fd())],
    });
    this.#process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      this.#change();
    });
    this.#process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
      this.#change();
    });
    // An aborted test does not run its cleanup.
    const abandon = () => this.#process.kill('SIGKILL');
    process.once('exit', abandon);
    this.ended = once(this.#process, 'close').then(([code, signal]) => {
      process.off('exit', abandon);
      this.#end = { code, signal };
      this.#change();
      return this.#end;
    });
  }

  get pid(): number {
    return this.#process.pid!;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The API key that the first start has printed. */
  get key(): string {
    const key = /API key: {2}(\S+)/.exec(this.out)?.[1];
    if (!key) throw new Error(`No key in:\n${this.out}`);
    return key;
  }

  /** The parsed lines of the log. Throws if a line is not JSON. */
  get log(): LogLine[] {
    const start = this.out.startsWith('{') ? 0 : this.out.indexOf('\n{') + 1;
    const end = this.out.lastIndexOf('\n');
    return this.out
      .slice(start, end)
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** Resolves once the condition holds, which is checked whenever the program has written something. */
  async until(condition: (program: this) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.#end) throw new Error(`The program has ended:\n${this.out}\n${this.errors}`);
      await this.#changed.promise;
    }
  }

  /** Resolves once that many processes have logged that they serve. */
  serving(processes = 1): Promise<void> {
    return this.until(({ out }) => out.split('"msg":"serving"').length > processes);
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Stops the program as an operator does. */
  async stop(): Promise<End> {
    // Close the client first: the program would wait a moment for its kept connections.
    await this.service.stop();
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Kills the program, as a crash would. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
    await this.service.stop();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

export interface LogLine {
  level: number;
  msg: string;
  [field: string]: unknown;
}

/** Starts the program without waiting. It is killed when the test ends. `wrapper` is a command that runs the program. */
export async function spawnProgram(
  t: Lifetime,
  environment: Environment = {},
  wrapper: readonly string[] = [],
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-e2e-'));
  const command = [...wrapper, process.execPath, ...startFlags, server, NO_SETTINGS_FILE];
  const program = new Program(command, environment, Number(environment.PORT ?? (await freePort())), folder);
  beforeClosing(t, async () => {
    await program.kill();
    await rm(folder, { recursive: true, force: true });
  });
  return program;
}

/** Starts the program on the database, and waits until all of its processes serve. */
export async function startProgram(
  t: Lifetime,
  database: DatabaseConfig,
  environment: Environment = {},
  wrapper: readonly string[] = [],
): Promise<Program> {
  const program = await spawnProgram(t, { ...environmentOf(database), ...environment }, wrapper);
  await program.serving(Number(environment.WORKERS ?? 1));
  return program;
}

/**
 * Starts the program as systemd does: with named sockets that stay open when it ends. Its `PORT` is set to 8080, but it listens
 * on the sockets instead.
 */
export async function startOnSockets(
  t: Lifetime,
  database: DatabaseConfig,
  sockets: Readonly<Record<string, BoundSocket>>,
  environment: Environment = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-e2e-'));
  const command = [
    'sh',
    '-c',
    'LISTEN_PID=$$ exec "$@"',
    'sh',
    process.execPath,
    ...startFlags,
    server,
    NO_SETTINGS_FILE,
  ];
  const [service] = Object.values(sockets);
  const settings = {
    ...environmentOf(database),
    PORT: '8080',
    LISTEN_FDS: String(Object.keys(sockets).length),
    LISTEN_FDNAMES: Object.keys(sockets).join(':'),
    ...environment,
  };
  const program = new Program(command, settings, service!.address().port, folder, undefined, Object.values(sockets));
  beforeClosing(t, async () => {
    await program.kill();
    await rm(folder, { recursive: true, force: true });
  });
  await program.serving(Number(environment.WORKERS ?? 1));
  return program;
}

/** Opens a socket on which programs can listen, one after another. It is closed when the test ends. */
export async function openSocket(t: Lifetime): Promise<BoundSocket> {
  const socket = new BoundSocket({ host: '127.0.0.1', port: await freePort() });
  beforeClosing(t, async () => socket.close());
  return socket;
}

/** Repeats the request until the answer fulfils the condition, or the test ends. */
export async function eventually<T>(t: TestContext, ask: () => Promise<T>, will: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (will(answer)) return answer;
    await sleep(20, undefined, { signal: t.signal });
  }
}
