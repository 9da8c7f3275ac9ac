import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import S3rver from '@20minutes/s3rver';

/** Starts an S3 server with one bucket that checks signatures. It stops when the test ends. */
export async function startS3Server(t: TestContext): Promise<Readonly<Record<string, string>>> {
  const directory = await mkdtemp(join(tmpdir(), 'freehold-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory,
    silent: true,
    configureBuckets: [{ name: 'pictures', configs: [] }],
  });
  const { port } = await server.run();
  t.after(async () => {
    server.httpServer.closeAllConnections();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    MEDIA_S3_URL: `http://127.0.0.1:${port}/pictures`,
    // The only key that the server knows.
    MEDIA_S3_KEY: 'S3RVER',
    MEDIA_S3_SECRET: 'S3RVER',
  };
}
