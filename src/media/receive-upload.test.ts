import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { AccountShares } from '../tenancy/account-shares.ts';
import { receiveUpload } from './receive-upload.ts';

const holder = { topLevelId: 1, customerId: 11 };

test('an upload that is too large is read to its end, since browsers read no response before', {
  timeout: 20_000,
}, async () => {
  const source = Readable.from(parts(40));
  await assert.rejects(receiveUpload(source, { limit: 1024 * 1024, holder }), { code: 'too_large' });
  if (!source.readableEnded) await once(source, 'end');
});

test('uploads beyond the disk share of a customer, a seller or all accounts are refused until there is room', async () => {
  const room = new AccountShares(80 * 64 * 1024);
  const receive = (count: number, topLevelId = 1, customerId = topLevelId) =>
    receiveUpload(Readable.from(parts(count)), { limit: 40 * 64 * 1024, holder: { topLevelId, customerId }, room });
  {
    await using _first = await receive(15);
    await assert.rejects(receive(6), { code: 'unavailable' });
    await using _second = await receive(5);
    await using _ofOther = await receive(20, 1, 12);
    await assert.rejects(receive(1, 1, 13), { code: 'unavailable' });
    await using _ofThird = await receive(20, 2);
    await using _ofFourth = await receive(20, 3);
    await assert.rejects(receive(1, 4), { code: 'unavailable' });
  }
  await using _whole = await receive(20);
});

function* parts(count: number) {
  for (let part = 0; part < count; part++) yield Buffer.alloc(64 * 1024);
}
