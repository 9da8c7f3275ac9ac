import { createServer } from 'node:net';

/**
 * A port that nobody listens on. Not one that the system gives out by itself: it might give it to a client in the
 * meantime, of which these tests have thousands. Nor 10080, where no browser goes: https://fetch.spec.whatwg.org/#port-blocking
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_100 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
