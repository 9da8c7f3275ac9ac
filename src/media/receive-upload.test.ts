import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { receiveUpload, UploadRoom } from './receive-upload.ts';

test('an upload that is too large is read to its end: browsers read no response before', {
  timeout: 20_000,
}, async () => {
  const source = Readable.from(parts(40));
  await assert.rejects(receiveUpload(source, 1024 * 1024), { code: 'too_large' });
  if (!source.readableEnded) await once(source, 'end');
});

test('uploads that would fill the disk together are refused until there is room', async () => {
  const room = new UploadRoom(20 * 64 * 1024);
  const receive = (count: number) => receiveUpload(Readable.from(parts(count)), 40 * 64 * 1024, room);
  {
    await using _first = await receive(15);
    await assert.rejects(receive(6), { code: 'unavailable' });
    await using _second = await receive(5);
  }
  await using _whole = await receive(20);
});

function* parts(count: number) {
  for (let part = 0; part < count; part++) yield Buffer.alloc(64 * 1024);
}
