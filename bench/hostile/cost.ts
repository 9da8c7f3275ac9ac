import { readFileSync } from 'node:fs';

/** Processor time that the process and its children have taken so far, in milliseconds, by ticks of 10. */
export function cpuTimeOf(pid: number): number {
  return processes(pid).reduce((sum, each) => sum + ownTime(each), 0);
}

/** Waits until the process has little to do, and not for ever: it may be busy for long with what nobody waits for any more. */
export async function settled(pid: number): Promise<void> {
  const end = performance.now() + MAX_SETTLE_MS;
  for (;;) {
    const before = cpuTimeOf(pid);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    if (cpuTimeOf(pid) - before < SETTLED_MS / 2 || performance.now() > end) return;
  }
}

const SETTLED_MS = 50;
const MAX_SETTLE_MS = 10_000;

function ownTime(pid: number): number {
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

/** A process may have ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
