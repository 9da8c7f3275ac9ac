import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that a process and its children have taken so far, in milliseconds. */
export interface CpuTime {
  /** Of the threads that there are: exact. */
  readonly ofThreads: number;
  /** Of threads and processes that have ended too: by ticks. */
  readonly ofAll: number;
}

/** The largest error of the ticks of one process: its times in user mode and in kernel mode are each rounded down. */
const TICKS_ERROR_MS = 20;

export function cpuTimeOf(pid: number): CpuTime {
  const all = processes(pid);
  const sum = (of: (pid: number) => number) => all.reduce((total, each) => total + of(each), 0);
  return { ofThreads: sum(timeOfThreads), ofAll: sum(timeByTicks) };
}

/** Returns the processor time that has been taken since then, in milliseconds. */
export function cpuTimeSince(pid: number, then: CpuTime): number {
  const now = cpuTimeOf(pid);
  // A thread that has ended meanwhile, and one whose process has, are missing in the exact time.
  return Math.max(now.ofThreads - then.ofThreads, now.ofAll - then.ofAll - TICKS_ERROR_MS);
}

/** Waits until the process has little to do, and not for ever: it may be busy for long with what nobody waits for any more. */
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
  // Behind the name, which may have spaces: its own time and that of children that have ended, in user and kernel mode.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

/** The process and all below it. */
function processes(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(processes)];
}

/** A process or thread may have ended meanwhile. */
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
