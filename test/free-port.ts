import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * Returns a port that nobody listens on and that no other test of this run was given, since its program may be about to listen.
 * The port lies below the system's ephemeral ports, which it might assign to one of the tests' thousands of clients meanwhile.
 * It is not 10080, which browsers block: https://fetch.spec.whatwg.org/#port-blocking
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

/** Claims the port; false if another test has it. The processes of a run share a folder with a file for each claimed port. */
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
