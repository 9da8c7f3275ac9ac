import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { movingGif, picture, pngChunk, pngOf } from '../../test/images.ts';
import { ImageMaker } from './image-maker.ts';
import type { ImageJob } from './make-variants.ts';

const hash = 'a'.repeat(64);

async function startMaker(t: TestContext, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  const maker = new ImageMaker(options);
  t.after(async () => {
    maker.close();
    await rm(folder, { recursive: true });
  });
  const png = async (name: string, width: number, height: number): Promise<ImageJob> => {
    const path = join(folder, name);
    await picture(width, height).png().toFile(path);
    return { path, kind: 'png', hash, folder };
  };
  return { maker, folder, small: await png('small', 40, 20), large: await png('large', 16_000, 800) };
}

const refusal = (code: string, message: string | RegExp) => ({ code, message });

test('an account that uploads many large images delays neither small nor large images of another', async (t) => {
  // Long timeouts, so that only the order matters, however slow the machine is.
  const { maker, small, large } = await startMaker(t, {
    maxWaitMs: 600_000,
    maxMake: { maxCpuMs: 600_000, maxWallMs: 600_000 },
  });
  const done: string[] = [];
  const make = (accountId: number, job: ImageJob, name: string) =>
    maker.make(accountId, job).then(() => done.push(name));
  const many = [1, 2, 3].map((number) => make(1, large, `many ${number}`));
  await Promise.all([...many, make(2, large, 'large'), make(3, small, 'small')]);
  // The order of the first two is not fixed: they are made at the same time.
  assert.deepEqual(done.filter((name) => name !== 'small').slice(0, 3), ['many 1', 'large', 'many 2']);
  assert.ok(done.indexOf('small') < done.indexOf('many 2'), done.join());
});

/** Returns the holder of an account: top-level account 1 has the customers 11 to 19, and all other accounts are top-level. */
const findHolder = async (accountId: number) => {
  const isCustomer = accountId > 10 && accountId < 20;
  return { topLevelId: isCustomer ? 1 : accountId, customerId: accountId };
};

test('an account does not get more turns by creating customers', async (t) => {
  const { maker, large } = await startMaker(t, {
    findHolder,
    maxWaitMs: 600_000,
    maxMake: { maxCpuMs: 600_000, maxWallMs: 600_000 },
  });
  const done: number[] = [];
  const ids = [11, 12, 13, 2];
  await Promise.all(ids.map((accountId) => maker.make(accountId, large).then(() => done.push(accountId))));
  assert.ok(done.indexOf(2) < 2, done.join());
});

test('a customer may use a quarter of the image slots, and a seller with all its customers half', async (t) => {
  const { maker, small } = await startMaker(t, { findHolder, maxWaitMs: 600_000 });
  const of = (accountId: number, count: number) => Array.from({ length: count }, () => maker.make(accountId, small));
  const made = [...of(11, 25), ...of(12, 25)];
  const refused = refusal('rate_limited', /Too many images/);
  for (const accountId of [11, 13, 1]) await assert.rejects(maker.make(accountId, small), refused);
  assert.equal((await maker.make(2, small)).width, 40);
  await Promise.all(made);
  assert.equal((await maker.make(11, small)).width, 40);
});

test('an image that is too large to decode is refused by its header', async (t) => {
  const { maker, folder } = await startMaker(t);
  const path = join(folder, 'original');
  for (const [width, height, words] of [
    [1, 64_000_000, 'image_too_wide'],
    [16_385, 1, 'image_too_wide'],
    [16_000, 4001, 'too_many_pixels'],
  ] as const) {
    await writeFile(path, pngOf(width, height));
    await assert.rejects(maker.make(1, { path, kind: 'png', hash, folder }), refusal('invalid', words));
  }
});

test('an image that takes too long cancels the waiting images of its account, and of no other', async (t) => {
  const { maker, small } = await startMaker(t, { maxWaitMs: 600_000, maxMake: { maxCpuMs: 0 } });
  const [first, second, other] = [maker.make(1, small), maker.make(1, small), maker.make(2, small)];
  await Promise.all([
    assert.rejects(first, refusal('invalid', 'slow_image')),
    assert.rejects(second, refusal('rate_limited', /Too many images/)),
    assert.rejects(other, refusal('invalid', 'slow_image'), 'the image of the other account must get its turn'),
  ]);
});

test('a small image that takes long is made in the queue of large ones, and others continue', async (t) => {
  const { maker, small } = await startMaker(t, { maxWaitMs: 600_000, maxSmallCpuMs: 0 });
  const made = await Promise.all([maker.make(1, small), maker.make(1, small), maker.make(2, small)]);
  assert.deepEqual(
    made.map(({ width }) => width),
    [40, 40, 40],
  );
});

test('an image that waits for the processor is made, but not after the wall-clock limit', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { maker, small } = await startMaker(t);
  const processes: ChildProcess[] = [];
  const onStart = (message: unknown) => processes.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onStart);
  t.after(() => unsubscribe('child_process', onStart));
  const first = maker.make(1, small);
  // Waits until the image is being made.
  await setImmediate();
  const [child] = processes;
  child!.kill('SIGSTOP');
  t.mock.timers.tick(55_000);
  child!.kill('SIGCONT');
  assert.equal((await first).width, 40);

  const second = maker.make(1, small);
  await setImmediate();
  child!.kill('SIGSTOP');
  t.mock.timers.tick(60_000);
  await assert.rejects(second, refusal('invalid', 'slow_image'));
});

test('an image whose structure makes decoding expensive is refused before it is decoded', async (t) => {
  const { maker, folder } = await startMaker(t);
  const path = join(folder, 'original');
  const assertRefused = async (kind: ImageJob['kind'], bytes: Buffer) => {
    await writeFile(path, bytes);
    const making = maker.make(1, { path, kind, hash, folder });
    await assert.rejects(making, refusal('invalid', 'costly_image'), kind);
  };
  const assertAccepted = async (kind: ImageJob['kind'], bytes: Buffer) => {
    await writeFile(path, bytes);
    assert.equal((await maker.make(1, { path, kind, hash, folder })).width, 400, kind);
  };
  const image = picture(400, 300);
  const jpeg = await image.clone().jpeg({ progressive: true }).toBuffer();
  const lastScan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const jpegWith = (...parts: Buffer[]) => Buffer.concat([jpeg.subarray(0, -2), ...parts, jpeg.subarray(-2)]);
  await assertAccepted('jpeg', jpeg);
  await assertAccepted('jpeg', await image.clone().jpeg({ mozjpeg: true }).toBuffer());
  await assertRefused('jpeg', jpegWith(...Array.from({ length: 2000 }, () => lastScan)));
  // A colour profile in 70 segments of 65,533 bytes.
  const segment = Buffer.concat([
    Buffer.from([0xff, 0xe2, 0xff, 0xff]),
    Buffer.from('ICC_PROFILE\0'),
    Buffer.alloc(65_521),
  ]);
  const profile = Array.from({ length: 70 }, () => segment);
  await assertRefused('jpeg', Buffer.concat([jpeg.subarray(0, 2), ...profile, jpeg.subarray(2)]));

  const png = await image.clone().png({ progressive: true }).toBuffer();
  const pngWith = (type: string, data: Buffer, count: number) =>
    Buffer.concat([
      png.subarray(0, 33),
      ...Array.from({ length: count }, () => pngChunk(type, data)),
      png.subarray(33),
    ]);
  // Each chunk has 16 MB of text, compressed to some KB.
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(16_000_000))]);
  await assertAccepted('png', pngWith('zTXt', text, 10));
  await assertRefused('png', pngWith('zTXt', text, 21));
  await assertRefused('png', pngWith('eXIf', Buffer.alloc(1_000_001), 1));

  const webp = await image
    .clone()
    .withExif({ IFD0: { Artist: 'A' } })
    .webp()
    .toBuffer();
  await assertAccepted('webp', webp);
  const chunk = Buffer.alloc(8 + 1_000_002);
  chunk.write('EXIF');
  chunk.writeUInt32LE(1_000_002, 4);
  const larger = Buffer.concat([webp, chunk]);
  larger.writeUInt32LE(larger.length - 8, 4);
  await assertRefused('webp', larger);

  // Enlarges both frames far beyond the size of the image.
  const gif = await movingGif(400, 300);
  await assertAccepted('gif', gif);
  for (let at = gif.indexOf(0x2c, 13); at !== -1; at = gif.indexOf(0x2c, at + 1)) {
    if (gif.readUInt16LE(at + 5) === 400 && gif.readUInt16LE(at + 7) === 300) {
      gif.writeUInt16LE(8000, at + 5);
      gif.writeUInt16LE(8000, at + 7);
    }
  }
  await assertRefused('gif', gif);
});

test('an image that waits too long for its turn is refused before the client gives up', async (t) => {
  const { maker, small } = await startMaker(t, { maxWaitMs: 1 });
  const first = maker.make(1, small);
  await assert.rejects(maker.make(2, small), refusal('unavailable', 'images_busy'));
  assert.equal((await first).width, 40);
  assert.equal((await maker.make(2, small)).width, 40);
});

test('an image is made by a new process if the earlier one has been killed', async (t) => {
  const { maker, small } = await startMaker(t);
  const processes: ChildProcess[] = [];
  const onStart = (message: unknown) => processes.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onStart);
  t.after(() => unsubscribe('child_process', onStart));

  const make = () => maker.make(1, small);
  const made = await make();
  // Either event may come first, and both mean that the process has ended.
  for (const event of ['exit', 'disconnect']) {
    const child = processes.at(-1)!;
    child.kill('SIGKILL');
    // The idle process is unreferenced, so this test would not wait for it.
    child.ref();
    child.channel?.ref();
    await once(child, event);
    assert.deepEqual(await make(), made);
  }
  assert.deepEqual(await make(), made);
  assert.equal(processes.length, 3, 'a running process must be reused');
});
