import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Suspends all processes of a PostgreSQL server that the test has started (SIGSTOP). Returns a function that resumes them. */
export async function suspendPostgres(folder: string): Promise<() => void> {
  const [first = ''] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const postmaster = Number(first);
  // Suspend the postmaster first, so that it starts no further processes.
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
      // The process has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // State and parent follow the name, which may contain parentheses itself.
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(entry));
  }
  return children;
}
