import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import sharp from 'sharp';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, makePage, unique } from '../../../test/factories.ts';
import { movingGif, photo, picture, pngOf } from '../../../test/images.ts';
import { Person, signedInAs } from '../../../test/person.ts';
import { type Reply, type Service, startService } from '../../../test/service.ts';
import { suspendCustomer } from '../../accounts/change-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { openMediaStore } from '../../media/open-store.ts';
import { purgeRemovedMedia } from '../../media/purge-removed-media.ts';
import type { RefusalReason } from '../../refusal.ts';

onEachDatabase('images', (open, kind) => {
  test('images of an account are converted, stored and served', async (t) => {
    const app = await startMediaTestApp(t, await open(t));
    await t.test('visitors get an image in four sizes, rotated upright and without its metadata', variants(app));
    await t.test('an image that is uploaded several times is stored once', duplicates(app));
    await t.test('a deleted image is gone from the site at once, and can be restored for 30 days', deletion(app));
    await t.test('the format of an image is recognized by its content', formats(app));
    await t.test('a file that is not a supported image is refused with the reason', hostileFiles(app));
    await t.test('images of an account are hidden from all other accounts', strangers(app));
    await t.test('images are listed with their alternative texts', descriptions(app));
    await t.test('images are not served while the account is suspended', suspension(app));
    await t.test('an upload that cannot be stored leaves nothing behind', brokenStore(app));
  });

  test('the server does not time out while an image is processed for minutes', async (t) => {
    const { service, database } = await startMediaTestApp(t, await open(t));
    const person = await signedInAs(service, database.db, (await makeAccount(database.db)).accountId);
    const sockets: Socket[] = [];
    const onRequest = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
    subscribe('http.server.request.start', onRequest);
    const timeouts: Array<number | undefined> = [];
    // The upload is complete, and the process that converts the image starts.
    const onStart = () => timeouts.push(sockets.at(-1)!.timeout);
    subscribe('child_process', onStart);
    t.after(() => {
      unsubscribe('http.server.request.start', onRequest);
      unsubscribe('child_process', onStart);
    });
    assert.equal((await person.upload(await photo(80, 40))).status, 201);
    assert.deepEqual(timeouts, [360_000]);
    assert.equal((await person.get('media')).status, 200);
    assert.equal(sockets.at(-1)!.timeout, 65_000);
  });

  test('the storage for images is limited', async (t) => {
    const app = await startMediaTestApp(t, await open(t), { MEDIA_QUOTA: String(QUOTA), MAX_BODY_BYTES: '16777216' });
    await t.test('an image beyond the quota is refused, unless deleted images can make room', quota(app));
    if (kind === 'sqlite') await t.test('an image larger than the maximum body is refused', tooLarge(app));
  });
});

/** Room for three of the smallest images, in bytes. */
const QUOTA = 9000;

interface MediaTestApp {
  service: Service;
  database: TestDatabase;
  /** A customer. */
  accountId: number;
  subdomain: string;
  person: Person;
}

async function startMediaTestApp(t: TestContext, database: TestDatabase, options = {}): Promise<MediaTestApp> {
  const { db } = database;
  const service = await startService(t, database, options);
  const { accountId: agency } = await makeAccount(db);
  const subdomain = unique('customer');
  const accountId = await makeCustomer(db, agency, subdomain);
  return { service, database, accountId, subdomain, person: await signedInAs(service, db, accountId, 'editor') };
}

/** Sends a request as a visitor of the site. */
function visit({ service, subdomain }: MediaTestApp, path: string, headers = {}, method = 'GET'): Promise<Reply> {
  return service.request(method, path, { headers: { Host: `${subdomain}.localhost`, ...headers } });
}

/** Returns the names of the folders with the account's images. */
function folders({ database, accountId }: MediaTestApp): Promise<string[]> {
  return readdir(join(database.config.dataDir, 'media', String(accountId)));
}

function variants(app: MediaTestApp) {
  return async () => {
    const { status, json } = await app.person.upload(await photo(1200, 3000), 'C:\\My photos\\Bridge.jpg');
    assert.equal(status, 201);
    assert.deepEqual(
      { name: json.name, alt: json.alt, width: json.width, height: json.height, isMoving: json.isMoving },
      { name: 'Bridge.jpg', alt: null, width: 2560, height: 1024, isMoving: false },
    );
    const [, hash] = /^\/media\/([0-9a-f]{32})-2560x1024\.webp$/.exec(json.src)!;
    const sizes = ['480x192', '960x384', '1600x640', '2560x1024'];
    let bytes = 0;
    for (const size of sizes) {
      for (const type of ['webp', 'avif']) {
        const reply = await visit(app, `/media/${hash}-${size}.${type}`);
        assert.equal(reply.status, 200, `${size} ${type}`);
        assert.equal(reply.headers['content-type'], `image/${type}`);
        assert.equal(reply.headers['content-length'], String(reply.bytes.length));
        assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.equal(reply.headers['x-content-type-options'], 'nosniff');
        assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/);
        const { width, height, exif, xmp, iptc, icc, orientation } = await sharp(reply.bytes).metadata();
        assert.equal(`${width}x${height}`, size);
        assert.deepEqual([exif, xmp, iptc, icc, orientation], Array(5).fill(undefined));
        assert.ok(!reply.bytes.includes('Ann Baker'));
        bytes += reply.bytes.length;
      }
    }
    assert.equal(json.bytes, bytes);
    const etag = `"${hash}-480x192.avif"`;
    assert.equal((await visit(app, `/media/${hash}-480x192.avif`, { 'If-None-Match': `W/${etag}` })).status, 304);
    const head = await visit(app, `/media/${hash}-480x192.avif`, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.etag, head.bytes.length], [200, etag, 0]);
    for (const path of [`${hash}-481x192.webp`, `${hash}-480x192.png`, `${hash}`, '..%2f..%2ffreehold.db', 'x.webp']) {
      assert.equal((await visit(app, `/media/${path}`)).status, 404, path);
    }
    assert.equal((await visit(app, json.src, {}, 'POST')).status, 405);
  };
}

function duplicates(app: MediaTestApp) {
  return async () => {
    const [image, before] = [await picture(300, 200, 1).png().toBuffer(), (await folders(app)).length];
    const replies = await Promise.all([1, 2, 3].map((number) => app.person.upload(image, `${number}.png`)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 201]);
    assert.equal(new Set(replies.map(({ json }) => json.id)).size, 1);
    assert.equal((await folders(app)).length, before + 1);
    assert.equal((await app.person.upload(image)).json.id, replies[0]!.json.id);
  };
}

function deletion(app: MediaTestApp) {
  return async () => {
    const { person, database, accountId } = app;
    const { json } = await person.upload(await picture(300, 200, 2).png().toBuffer());
    const { id: userId } = await database.db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', accountId)
      .limit(1)
      .executeTakeFirstOrThrow();
    const page = await makePage(database.db, accountId, { userId, name: 'Bridges', body: `<img src="${json.src}">` });
    const gone = await person.delete(`media/${json.id}`);
    const shownOn = { pages: [{ id: page, name: 'Bridges' }], total: 1, hasMore: false };
    assert.deepEqual(gone.outcome, [200, { shownOn }]);
    assert.equal((await visit(app, json.src)).status, 404);
    assert.equal((await person.delete(`media/${json.id}`)).status, 404);
    assert.equal((await person.patch(`media/${json.id}`, { alt: '' })).status, 404);
    assert.ok(!(await person.get('media')).json.media.some(({ id }: { id: number }) => id === json.id));
    assert.equal((await person.post(`media/${json.id}/restore`)).status, 200);
    assert.equal((await visit(app, json.src)).status, 200);

    await person.delete(`media/${json.id}`);
    const again = await person.upload(await picture(300, 200, 2).png().toBuffer());
    assert.deepEqual([again.status, again.json.id], [201, json.id], 'uploading the image again restores it');
    assert.equal((await visit(app, json.src)).status, 200);

    await person.delete(`media/${json.id}`);
    const [before, store] = [await folders(app), openMediaStore({ ...unset, ...database.config })];
    const day = 24 * 60 * 60 * 1000;
    assert.equal(await purgeRemovedMedia(database.db, store, Date.now() + 29 * day), 0);
    assert.equal(await purgeRemovedMedia(database.db, store, Date.now() + 31 * day), 1);
    assert.equal((await folders(app)).length, before.length - 1);
    assert.equal((await person.post(`media/${json.id}/restore`)).status, 404);
  };
}

const unset = { mediaS3Url: '', mediaS3Region: '', mediaS3Key: '', mediaS3Secret: '' };

function formats(app: MediaTestApp) {
  return async () => {
    const original = picture(100, 50, 3);
    for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif'] as const) {
      const { status, json } = await app.person.upload(await original.clone().toFormat(format).toBuffer(), 'a.txt');
      assert.deepEqual([status, json.width, json.height, json.isMoving], [201, 100, 50, false], format);
      const variant = await visit(app, json.src);
      assert.equal((await sharp(variant.bytes).metadata()).format, 'webp');
    }
    const { json } = await app.person.upload(await movingGif(1200, 600), 'moving.gif');
    assert.deepEqual([json.width, json.height, json.isMoving], [960, 480, true]);
    const { pages, format } = await sharp((await visit(app, json.src)).bytes).metadata();
    assert.deepEqual([pages, format], [2, 'webp']);
    const transparent = await sharp(pngOf(1, 1)).metadata();
    assert.equal(transparent.hasAlpha, true);
    const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#f008' } })
      .png()
      .toBuffer();
    const stillClear = await visit(app, (await app.person.upload(clear)).json.src);
    assert.equal((await sharp(stillClear.bytes).metadata()).hasAlpha, true);
  };
}

function hostileFiles(app: MediaTestApp) {
  return async () => {
    const image = await photo(400, 300, 4);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const noise = await sharp({
      create: { width: 400, height: 400, channels: 3, background: '#000', noise: { type: 'gaussian', sigma: 40 } },
    })
      .jpeg()
      .toBuffer();
    const cases: [what: string, bytes: Buffer, reason: RefusalReason][] = [
      ['an SVG', Buffer.from(svg), 'svg_image'],
      ['an SVG behind a preamble', Buffer.from(`\ufeff<?xml version="1.0"?>\n<!-- x -->\n${svg}`), 'svg_image'],
      ['an SVG in UTF-16', Buffer.from(`\ufeff${svg}`, 'utf16le'), 'svg_image'],
      ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'not_a_web_image'],
      ['a PDF', Buffer.from('%PDF-1.7\n'), 'not_a_web_image'],
      ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'heic_image'],
      ['a film', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0mp42mp41', 'latin1'), 'not_an_image'],
      ['half of an image', noise.subarray(0, noise.length / 2), 'damaged_image'],
      ['the beginning of an image', image.subarray(0, 20), 'damaged_image'],
      ['an image with another inside', Buffer.concat([Buffer.from('GIF89a'), image]), 'damaged_image'],
      ['an image of a billion pixels', pngOf(40_000, 25_000), 'too_many_pixels'],
      ['an empty file', Buffer.alloc(0), 'empty_file'],
    ];
    const before = await folders(app);
    for (const [what, bytes, reason] of cases) {
      const { status, json } = await app.person.upload(bytes, 'photo.jpg');
      assert.equal(status, 422, what);
      assert.equal(json.error.why.reason, reason, what);
    }
    assert.deepEqual(await folders(app), before);

    const polyglot = Buffer.concat([image, Buffer.from('<script>alert(1)</script>')]);
    const { json } = await app.person.upload(polyglot, 'both.html');
    const shown = await visit(app, json.src);
    assert.equal(shown.headers['content-type'], 'image/webp');
    assert.ok(!shown.bytes.includes('script'), 'the image was not encoded anew');
    assert.equal((await app.person.upload(image, 'x.jpg', { 'Content-Type': 'image/jpeg' })).status, 400);
    assert.equal((await app.person.upload(image, 'x.jpg', { 'Sec-Fetch-Site': 'same-site' })).status, 403);
  };
}

function strangers(app: MediaTestApp) {
  return async () => {
    const { service, database, person } = app;
    const { json } = await person.upload(await picture(300, 200, 5).png().toBuffer());
    const file = `media/file?name=${json.src.slice('/media/'.length)}`;
    const own = await person.get(file);
    assert.deepEqual([own.status, own.headers['content-type']], [200, 'image/webp']);
    assert.match(own.headers['cache-control']!, /^private/);

    const subdomain = unique('stranger');
    const { accountId } = await makeAccount(database.db, subdomain);
    const stranger = await signedInAs(service, database.db, accountId);
    assert.equal((await stranger.get(file)).status, 404);
    assert.equal((await visit({ ...app, subdomain }, json.src)).status, 404);
    assert.equal((await new Person(service).get(file)).status, 401);
    assert.equal((await service.request('GET', json.src)).status, 404, 'the service itself serves no images');
    const same = await stranger.upload(await picture(300, 200, 5).png().toBuffer());
    assert.deepEqual(
      [same.status, same.json.src],
      [201, json.src],
      'the answer must not reveal that another account has the image',
    );
    await stranger.delete(`media/${same.json.id}`);
    assert.equal((await visit(app, json.src)).status, 200);
  };
}

function descriptions(app: MediaTestApp) {
  return async () => {
    const { person } = app;
    const { json } = await person.upload(await picture(300, 200, 6).png().toBuffer(), 'bridge.png');
    const changed = await person.patch(`media/${json.id}`, { alt: ' A bridge\n at dawn ' });
    assert.deepEqual(changed.outcome, [200, { ...json, alt: 'A bridge at dawn' }]);
    assert.equal((await person.patch(`media/${json.id}`, { alt: 'x'.repeat(1001) })).status, 422);
    const list = (await person.get('media')).json;
    assert.deepEqual(list.media[0], { ...json, alt: 'A bridge at dawn' });
    assert.deepEqual([list.hasMore, list.quota], [false, 1_073_741_824]);
    assert.equal(
      list.used,
      list.media.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0),
    );
    const older = (await person.get(`media?before=${json.id}`)).json;
    assert.equal(older.media.length, list.media.length - 1);
    const owner = await signedInAs(app.service, app.database.db, app.accountId, 'owner');
    const [latest] = (await owner.get('log')).json.entries;
    assert.deepEqual([latest.action, latest.subject], ['media.described', `media_${json.id}`]);
  };
}

function suspension(app: MediaTestApp) {
  return async () => {
    const { service, database } = app;
    const { accountId: agency } = await makeAccount(database.db);
    const subdomain = unique('suspended');
    const accountId = await makeCustomer(database.db, agency, subdomain);
    const person = await signedInAs(service, database.db, accountId);
    const { json } = await person.upload(await picture(30, 20).png().toBuffer());
    await database.db.transaction().execute((trx) => suspendCustomer(trx, agency, accountId, operator));
    assert.equal((await visit({ ...app, subdomain }, json.src)).status, 503);
    assert.equal((await person.upload(await picture(30, 20).png().toBuffer())).status, 403);
  };
}

function brokenStore(app: MediaTestApp) {
  return async () => {
    const { database, service } = app;
    const { accountId } = await makeAccount(database.db);
    const person = await signedInAs(service, database.db, accountId);
    // A file in the place of the folder simulates a full or broken disk.
    const path = join(database.config.dataDir, 'media', String(accountId));
    await writeFile(path, '');
    const image = await picture(30, 20, 7).png().toBuffer();
    assert.equal((await person.upload(image)).status, 503);
    assert.equal((await person.get('media')).json.media.length, 0);
    await rm(path);
    assert.equal((await person.upload(image)).status, 201);
  };
}

function quota(app: MediaTestApp) {
  return async (t: TestContext) => {
    const { person } = app;
    const image = (seed: number) => picture(300, 200, seed).png().toBuffer();
    const first = await person.upload(await image(10));
    const { bytes } = first.json;
    const most = Math.floor(QUOTA / bytes);
    const others: number[] = [];
    for (let count = 1; count < most; count++) others.push((await person.upload(await image(10 + count))).json.id);
    const refused = await person.upload(await image(90));
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'conflict']);
    assert.deepEqual(refused.json.error.why.reason, 'no_room_for_images');

    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    await person.delete(`media/${first.json.id}`);
    t.mock.timers.setTime(Date.now() + 1);
    await person.delete(`media/${others[0]}`);
    assert.equal((await folders(app)).length, most, 'deleted images can still be restored');
    assert.equal((await person.upload(await image(90))).status, 201);
    assert.equal((await folders(app)).length, most, 'one deleted image was purged to make room');
    assert.equal(
      (await person.post(`media/${first.json.id}/restore`)).status,
      404,
      'the image that was deleted first is purged',
    );
    assert.equal((await person.post(`media/${others[0]}/restore`)).status, 200);
  };
}

function tooLarge({ person }: MediaTestApp) {
  return async () => {
    const { status, json } = await person.upload(Buffer.alloc(16_777_217));
    assert.equal(status, 413);
    assert.deepEqual(json.error.why, { reason: 'image_too_large', params: { bytes: 16 * 1024 * 1024 } });
  };
}
