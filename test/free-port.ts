import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * A port that nobody listens on, and that no other test of this run was given: its program may be about to listen. Not one that
 * the system gives out by itself: it might give it to a client in the meantime, of which these tests have thousands. Nor 10080,
 * where no browser goes: https://fetch.spec.whatwg.org/#port-blocking
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_100 + Math.floor(Math.random() * 20_000);
    if ((await isFree(port)) && (await claim(port))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Whether the port was nobody's yet. The processes of a run of the tests share a folder with a file for each port given out. */
async function claim(port: number): Promise<boolean> {
  const folder = process.env.TEST_PORTS_FOLDER;
  if (!folder) return true;
  try {
    await (await open(join(folder, String(port)), 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
