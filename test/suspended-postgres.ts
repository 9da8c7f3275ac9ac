import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Stops all processes of a PostgreSQL that the test has started itself (SIGSTOP). Returns what lets them go on. */
export async function suspendPostgres(folder: string): Promise<() => void> {
  const [first = ''] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const postmaster = Number(first);
  // First the one that starts the others.
  process.kill(postmaster, 'SIGSTOP');
  const pids = [postmaster, ...(await childrenOf(postmaster))];
  signal(pids, 'SIGSTOP');
  return () => signal(pids, 'SIGCONT');
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // After the name, which may have brackets itself: state and parent.
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(entry));
  }
  return children;
}
