import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { NO_SETTINGS_FILE, startEnvironment, startFlags } from '../test/start-flags.ts';

/** The processor of the service and of the bare servers. The load runs on the other one. */
export const SERVER_CPU = '0';
export const LOAD_CPU = '1';

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** Returns the command pinned to a processor, on systems where that is possible. */
export function pinned(cpu: string | undefined, command: string[]): [string, string[]] {
  const [program = '', ...args] = canPin && cpu ? ['taskset', '-c', cpu, ...command] : command;
  return [program, args];
}

export interface Running {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');

// However the benchmark ends, it stops everything that it has started.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

interface ServerOptions {
  readonly env?: Record<string, string>;
  /** The processor of the server; undefined for any. */
  readonly cpu?: string | undefined;
  readonly port?: number;
  /** A command that runs the server as its own process. */
  readonly wrapper?: readonly string[];
}

/** Starts a script of the project and waits until its server answers. */
export async function startServer(
  script: string,
  { env = {}, cpu = SERVER_CPU, wrapper = [], port: wanted }: ServerOptions = {},
): Promise<Running> {
  const port = wanted ?? (await freePort());
  const isService = script === 'src/server.js';
  const [program, args] = pinned(cpu, [
    ...wrapper,
    process.execPath,
    ...(isService ? [...startFlags, script, NO_SETTINGS_FILE] : [script]),
  ]);
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: String(port), ...(isService && startEnvironment), ...env },
    // The log is written as in production, and discarded.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url, child);
  return { pid: child.pid!, url, stop: () => stop(child) };
}

/** Starts the service with its default configuration, except for the rate limit. */
export function startService(
  env: Record<string, string>,
  cpu?: string,
  wrapper: readonly string[] = [],
): Promise<Running> {
  return startServer('src/server.js', { env: { RATE_LIMIT: '0', ...env }, cpu, wrapper });
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
    const answered = await fetch(`${url}/healthz`).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => {
      children.delete(child);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** Returns the resident memory in megabytes: the current or the highest. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/** Resets `VmHWM` to the current memory. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Makes a folder that is deleted when the benchmark ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
