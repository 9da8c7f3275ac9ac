import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import '../../../../../test/app-modules.ts';
import type { MediaJson } from '../../../contract.ts';

const { UploadBatch } = await import('./upload-batch.ts');

/* Tests the upload queue of an editor without a browser, with fake requests and elements. */

test('images are uploaded one after the other, and reported as one batch', async (t) => {
  const { add, batch, requests, arrived } = start(t);
  const uploads = ['a', 'b', 'c'].map((name) => add(name));
  await arrived(1);
  assert.deepEqual(stateOf(batch), { total: 3, done: 0, current: 'a', failed: [], come: 0 });
  requests[0]!.progress(0.5);
  assert.equal(batch.store.get().progress, 0.5);
  requests[0]!.answer(201, { id: 1 });
  await arrived(2);
  assert.deepEqual(stateOf(batch), { total: 3, done: 1, current: 'b', failed: [], come: 1 });
  requests[1]!.answer(200, { id: 2 });
  await arrived(3);
  requests[2]!.answer(201, { id: 3 });
  assert.deepEqual(await Promise.all(uploads.map(({ done }) => done)), [true, true, true]);
  assert.deepEqual(
    uploads.map(({ inserted }) => inserted),
    [[1], [2], [3]],
  );
  await idle();
  assert.deepEqual(stateOf(batch), { total: 0, done: 0, current: undefined, failed: [], come: 3 });
  assert.deepEqual(
    requests.map(({ target }) => target),
    ['/admin/media?name=a', '/admin/media?name=b', '/admin/media?name=c'],
  );
});

test('a refused image keeps its place and its reason until it is retried or closed', async (t) => {
  const { add, batch, requests, arrived } = start(t);
  const [first, second] = [add('a'), add('b')];
  await arrived(1);
  requests[0]!.answer(413, { error: { code: 'too_large', message: 'Too large' } });
  await arrived(2);
  requests[1]!.answer(500, { error: { code: 'internal', message: 'Broken' } });
  assert.deepEqual([await first.done, await second.done], [false, false]);
  await idle();
  const { failed, inserted } = batch.store.get();
  assert.deepEqual([failed.map(({ name }) => name), inserted], [['a', 'b'], 0]);
  assert.ok(failed.every(({ reason }) => reason.length > 0));
  assert.equal(first.isRemoved(), false);

  batch.retry();
  assert.deepEqual([batch.store.get().failed, batch.store.get().total], [[], 2]);
  await arrived(3);
  requests[2]!.answer(201, { id: 1 });
  await arrived(4);
  requests[3]!.answer(500, { error: { code: 'internal', message: 'Broken' } });
  await idle();
  assert.deepEqual([first.inserted, batch.store.get().failed.length, batch.store.get().inserted], [[1], 1, 1]);
  batch.close();
  assert.deepEqual([batch.store.get().failed, second.isRemoved(), first.isRemoved()], [[], true, false]);
});

test('cancelled uploads fail in the order in which they were added, and nothing more is sent', async (t) => {
  const { add, batch, requests, arrived } = start(t);
  for (const name of ['a', 'b', 'c']) add(name);
  await arrived(1);
  batch.cancel();
  await idle();
  const { failed, current } = batch.store.get();
  assert.deepEqual([failed.map(({ name }) => name), current], [['a', 'b', 'c'], undefined]);
  assert.equal(new Set(failed.map(({ reason }) => reason)).size, 1);
  assert.deepEqual([requests.length, requests[0]!.isAborted], [1, true]);
});

test('an image that is removed during its upload disappears without a notice, and the others are uploaded', async (t) => {
  const { add, batch, requests, arrived } = start(t);
  const [first, second, third] = [add('a'), add('b'), add('c')];
  await arrived(1);
  third.leaveOut();
  assert.deepEqual([batch.store.get().total, third.isRemoved(), await third.done], [2, true, false]);
  first.leaveOut();
  await arrived(2);
  assert.deepEqual([requests[0]!.isAborted, first.isRemoved(), stateOf(batch).failed], [true, true, []]);
  requests[1]!.answer(201, { id: 2 });
  assert.equal(await second.done, true);
  await idle();
  assert.deepEqual([stateOf(batch).failed, requests.length], [[], 2]);
});

test('an uploaded image whose place was deleted meanwhile is counted separately', async (t) => {
  const { add, batch, requests, arrived } = start(t);
  const gone = add('a', false);
  await arrived(1);
  requests[0]!.answer(201, { id: 1 });
  assert.equal(await gone.done, false);
  assert.deepEqual([batch.store.get().orphaned, batch.store.get().inserted], [1, 0]);
  batch.close();
  assert.equal(batch.store.get().orphaned, 0);
});

test('an upload is retried after the delay that a busy service states, up to four attempts', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { add, batch, requests, arrived } = start(t);
  const upload = add('a');
  for (let tries = 1; tries <= 4; tries++) {
    await arrived(tries);
    requests.at(-1)!.answer(503, { error: { code: 'unavailable', message: 'Busy' } }, '7');
    await idle();
    t.mock.timers.tick(6_999);
    await idle();
    assert.equal(requests.length, tries, 'no retry before the stated delay');
    t.mock.timers.tick(1);
    await idle();
  }
  assert.equal(await upload.done, false);
  assert.deepEqual([requests.length, batch.store.get().failed.length], [4, 1]);

  // A service that states no delay is not asked again.
  add('b');
  await arrived(5);
  requests[4]!.answer(503, { error: { code: 'unavailable', message: 'Busy' } });
  await idle();
  t.mock.timers.tick(60_000);
  await idle();
  assert.deepEqual([requests.length, batch.store.get().failed.length], [5, 2]);
});

test('cancelling all uploads ends the wait for a busy service', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { add, batch, requests, arrived } = start(t);
  const upload = add('a');
  await arrived(1);
  requests[0]!.answer(429, { error: { code: 'rate_limited', message: 'Busy' } }, '7');
  await idle();
  batch.cancel();
  assert.equal(await upload.done, false);
  t.mock.timers.tick(60_000);
  await idle();
  assert.equal(requests.length, 1);
});

/** Returns the batch's state without the progress of the current upload. */
function stateOf(batch: InstanceType<typeof UploadBatch>) {
  const { total, done, current, failed, inserted } = batch.store.get();
  return { total, done, current, failed, come: inserted };
}

/** Resolves when everything is done that waits only for turns of the event loop. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

function start(t: TestContext) {
  const requests: FakeRequest[] = [];
  class Recorded extends FakeRequest {
    constructor() {
      super();
      requests.push(this);
    }
  }
  const globals: Record<string, unknown> = globalThis;
  Object.assign(globals, { XMLHttpRequest: Recorded, document: { createElement: () => new FakeElement() } });
  const batch = new UploadBatch();
  t.after(() => {
    batch.abort();
    delete globals.XMLHttpRequest;
    delete globals.document;
  });
  return {
    batch,
    requests,
    /** Resolves when this many requests have been sent. */
    arrived: async (count: number) => {
      while (requests.filter(({ isSent }) => isSent).length < count) await new Promise(setImmediate);
    },
    add: (name: string, isThere = true) => {
      const inserted: number[] = [];
      let isRemoved = false;
      const { dom, done } = batch.add(new File(['x'], name), {
        insert: ({ id }: MediaJson) => {
          inserted.push(id);
          return isThere;
        },
        remove: () => {
          isRemoved = true;
        },
      });
      const button = (dom as unknown as FakeElement).children[1]!;
      return { done, inserted, isRemoved: () => isRemoved, leaveOut: () => button.press() };
    },
  };
}

/** The part of a DOM element that the batch uses. */
class FakeElement {
  readonly children: FakeElement[] = [];
  press = () => {};

  append(...elements: FakeElement[]): void {
    this.children.push(...elements);
  }

  addEventListener(_click: string, listener: () => void): void {
    this.press = listener;
  }

  setAttribute(): void {}
}

/** The part of XMLHttpRequest that the app uses. The test sends the answers. */
class FakeRequest {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  target = '';
  isSent = false;
  isAborted = false;
  status = 0;
  response: unknown;
  onload = () => {};
  onabort = () => {};
  #retryAfter: string | null = null;

  open(_method: string, target: string): void {
    this.target = target;
  }

  setRequestHeader(): void {}

  getResponseHeader(): string | null {
    return this.#retryAfter;
  }

  send(): void {
    this.isSent = true;
  }

  abort(): void {
    this.isAborted = true;
    this.onabort();
  }

  progress(part: number): void {
    this.upload.onprogress?.({ loaded: part * 100, total: 100 });
  }

  answer(status: number, json: object, retryAfter: string | null = null): void {
    Object.assign(this, { status, response: json });
    this.#retryAfter = retryAfter;
    this.onload();
  }
}
