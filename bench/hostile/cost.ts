import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of a process and its children so far, in milliseconds. */
export interface CpuTime {
  /** The exact time of the running threads. */
  readonly ofThreads: number;
  /** The time in ticks, which includes ended threads and processes. */
  readonly ofAll: number;
}

/** The largest error of the ticks of one process: its times in user mode and in kernel mode are each rounded down. */
const TICKS_ERROR_MS = 20;

export function cpuTimeOf(pid: number): CpuTime {
  const all = processes(pid);
  const sum = (of: (pid: number) => number) => all.reduce((total, each) => total + of(each), 0);
  return { ofThreads: sum(timeOfThreads), ofAll: sum(timeByTicks) };
}

/** Returns the processor time since an earlier reading, in milliseconds. */
export function cpuTimeSince(pid: number, then: CpuTime): number {
  const now = cpuTimeOf(pid);
  // The exact time lacks threads that have ended meanwhile.
  return Math.max(now.ofThreads - then.ofThreads, now.ofAll - then.ofAll - TICKS_ERROR_MS);
}

/** Waits until the process is nearly idle, with a limit: it may stay busy for long with abandoned work. */
export async function settled(pid: number): Promise<void> {
  const end = performance.now() + MAX_SETTLE_MS;
  for (;;) {
    const before = cpuTimeOf(pid);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    if (cpuTimeSince(pid, before) < SETTLED_MS / 4 || performance.now() > end) return;
  }
}

const SETTLED_MS = 50;
const MAX_SETTLE_MS = 10_000;

function timeOfThreads(pid: number): number {
  return list(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

function timeByTicks(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // The times follow the name, which may contain spaces: user and kernel time of the process and of its ended children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

/** Returns the process and its descendants. */
function processes(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(processes)];
}

/** Reads a file of /proc; empty if the process or thread has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
