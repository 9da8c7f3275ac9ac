import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimited } from '../errors.ts';
import { receivingArchive } from './archive-imports.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

const ctx = { request: { socket: { setTimeout() {} } } } as unknown as RequestContext;
const response: HttpResponse = { status: 200, headers: [], body: '' };
const MB = 1024 * 1024;

test('archives that are imported at once have 36 MB together, unless one alone has more', async () => {
  const end = Promise.withResolvers<HttpResponse>();
  const importing = (account: number, bytes: number, work = async () => response) =>
    receivingArchive(account, ctx, { fetchesImages: false, receive: async () => Buffer.alloc(bytes), work });
  const first = importing(1, 20 * MB, () => end.promise);
  await assert.rejects(importing(2, 17 * MB), RateLimited);
  assert.equal(await importing(2, 16 * MB), response);
  end.resolve(response);
  await first;
  assert.equal(await importing(3, 40 * MB), response);
});
