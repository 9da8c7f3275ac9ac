import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { receiveUpload } from './receive-upload.ts';

test('an upload that is too large is read to its end: browsers read no response before', {
  timeout: 20_000,
}, async () => {
  const source = Readable.from(parts(40));
  await assert.rejects(receiveUpload(source, 1024 * 1024), { code: 'too_large' });
  if (!source.readableEnded) await once(source, 'end');
});

function* parts(count: number) {
  for (let part = 0; part < count; part++) yield Buffer.alloc(64 * 1024);
}
