import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { countedBody, UnsentBodies } from './unsent-bodies.ts';

const MB = 1024 * 1024;

function setUp() {
  const unsent = new UnsentBodies();
  const hold = (topLevelId: number, body: string | Buffer, customerId = topLevelId) => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    unsent.hold({ topLevelId, customerId }, body, response as never);
    return () => response.emit('close');
  };
  return { unsent, hold };
}

test('unsent large bodies are limited for each account and for all accounts together', () => {
  const { hold } = setUp();
  const close = hold(1, Buffer.alloc(64 * MB));
  assert.throws(() => hold(1, Buffer.alloc(MB)), { code: 'unavailable' });
  close();
  for (const accountId of [1, 2, 3, 4]) hold(accountId, 'x'.repeat(64 * MB));
  assert.throws(() => hold(5, Buffer.alloc(MB)), { code: 'unavailable' });
});

test('small bodies do not count as unsent', () => {
  const answer = (body: string | Buffer) => ({ status: 200, headers: [], body });
  assert.equal(countedBody(answer(Buffer.alloc(MB / 4 - 1))), undefined);
  assert.equal(countedBody(answer('x'.repeat(MB / 4)))?.length, MB / 4);
});

test('a body that is sent to many clients counts once, until the last of them has received it', () => {
  const { hold } = setUp();
  const shared = Buffer.alloc(40 * MB);
  const [first, second] = [hold(1, shared), hold(1, shared)];
  const third = hold(1, Buffer.alloc(24 * MB));
  assert.throws(() => hold(1, Buffer.alloc(MB)), { code: 'unavailable' });
  hold(1, shared)();
  first();
  assert.throws(() => hold(1, Buffer.alloc(MB)), { code: 'unavailable' });
  second();
  hold(1, Buffer.alloc(MB));
  third();
});

test('an answer whose client has disconnected does not count as unsent', () => {
  const { unsent, hold } = setUp();
  const gone = Object.assign(new EventEmitter(), { closed: true });
  unsent.hold({ topLevelId: 1, customerId: 1 }, Buffer.alloc(64 * MB), gone as never);
  hold(1, Buffer.alloc(MB))();
});
