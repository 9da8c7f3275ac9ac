import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrotliCompress, Gzip } from 'node:zlib';
import { Content } from './content.ts';
import type { RequestContext } from './request-context.ts';

for (const [encoding, stream] of [
  ['br', BrotliCompress],
  ['gzip', Gzip],
] as const) {
  test(`a compression that failed is retried for the next request (${encoding})`, async (t) => {
    const content = new Content(Buffer.alloc(1000), [], 'W/"1"');
    const ask = async () => content.answer({ request: { headers: { 'accept-encoding': encoding } } } as RequestContext);
    const failed = new Error('There is no memory.');
    const fail = (_chunk: Buffer, _encoding: string, callback: (error: Error) => void) => callback(failed);
    t.mock.method(stream.prototype, '_transform', fail, { times: 1 });
    // Concurrent requests share one compression.
    const outcomes = await Promise.allSettled([ask(), ask()]);
    assert.deepEqual(outcomes, Array(2).fill({ status: 'rejected', reason: failed }));
    const { status, headers } = await ask();
    assert.deepEqual([status, headers.slice(-2)], [200, ['Content-Encoding', encoding]]);
  });
}
