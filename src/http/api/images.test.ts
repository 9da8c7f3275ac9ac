import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { photo } from '../../../test/images.ts';
import { startWithAccount } from '../../../test/service.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';

const done = { response: true, errors: [] };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const missing = { response: false, errors: 'The image does not exist.' };
const malformed = [
  400,
  {
    response: false,
    errors:
      'The request has no image that can be read. Send the file as image[file] in a form of the type multipart/form-data, or as the body with its own type, such as image/jpeg. Or send its web address as image[url].',
  },
];

onEachDatabase('images over the API', (open) => {
  test('an image can be uploaded as the body or in a form, is stored once, and is served on the site', async (t) => {
    const { service, key, send } = await setUp(t, open);
    // The photo has an EXIF orientation, by which the upload turns it upright.
    const bytes = await photo(80, 40);
    const raw = await send('POST', '.json?image[name]=bread.jpg&image[alt]=Bread', bytes, {
      'Content-Type': 'image/jpeg',
    });
    const { image } = raw.json;
    assert.deepEqual([raw.status, { ...raw.json, image: undefined }], [200, { ...done, image: undefined }]);
    assert.deepEqual([image.name, image.alt, image.width, image.height], ['bread.jpg', 'Bread', 40, 80]);
    assert.match(image.id, /^media_\d+$/);
    assert.match(image.created_at, /^\w{3} \w{3} \d\d \d\d:\d\d:\d\d UTC \d{4}$/);

    const again = await sendForm(send, { file: bytes, fields: { 'image[alt]': 'Rye bread' } });
    assert.deepEqual([again.status, again.json.image], [200, { ...image, alt: 'Rye bread' }]);
    const other = await sendForm(send, { file: await photo(60, 60, 1), name: 'C:\\Photos\\rye.jpg' });
    assert.deepEqual([other.json.image.name, other.json.image.alt], ['rye.jpg', null]);
    const list = (await send('GET', '.json')).json;
    assert.deepEqual(list, { images: [other.json.image, again.json.image], has_more: false });
    const older = (await send('GET', `.json?before=${other.json.image.id}`)).json;
    assert.deepEqual(older.images, [again.json.image]);
    const one = await send('GET', `/${image.id}.json`);
    assert.deepEqual([one.status, one.json], [200, { image: again.json.image }]);

    await service.createPage(key, { name: 'Bread', body: `<p><img src="${image.src}" alt="Bread"></p>` });
    const file = await service.request('GET', image.src, { headers: { Host: await hostOf(service, key) } });
    assert.deepEqual([file.status, file.headers['content-type']], [200, 'image/webp']);
  });

  test('an image can be described, deleted and restored, and the audit events name the key', async (t) => {
    const { db, accountId, send } = await setUp(t, open);
    const { image } = (await send('POST', '.json', await photo(80, 40), { 'Content-Type': 'image/jpeg' })).json;
    const path = `/${image.id}.json`;
    assert.deepEqual((await send('PATCH', path, 'image[alt]=Bread', form)).json, done);
    assert.equal((await send('GET', path)).json.image.alt, 'Bread');
    const long = await send('PATCH', path, `image[alt]=${'x'.repeat(1001)}`, form);
    const tooLong = ['alt', 'is too long (maximum is 1000 characters)'];
    assert.deepEqual([long.status, long.json], [422, { response: false, errors: [tooLong] }]);
    const nul = await send('PATCH', path, 'image[alt]=%00', form);
    assert.deepEqual([nul.status, nul.json.errors], [422, [['alt', 'contains a NUL character']]]);
    assert.deepEqual((await send('DELETE', path)).json, done);
    assert.deepEqual([(await send('GET', path)).json, (await send('GET', '.json')).json.images], [missing, []]);
    assert.deepEqual((await send('POST', `/${image.id}/restore.json`)).json, done);
    assert.equal((await send('GET', path)).json.image.alt, 'Bread');
    const events = await db
      .selectFrom('audit_log')
      .select(['action', 'api_key_id'])
      .where('account_id', '=', accountId)
      .where('subject', '=', image.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      events.map(({ action }) => action),
      ['media.uploaded', 'media.described', 'media.deleted', 'media.restored'],
    );
    assert.ok(events.every(({ api_key_id }) => api_key_id !== null));
  });

  test('an image can be fetched from a URL, but not from a private network', async (t) => {
    const { send } = await setUp(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const loaf = await photo(80, 40);
    const server = createServer(({ url }, response) => {
      if (url === '/a%20loaf.jpg') response.end(loaf);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asJson = { 'Content-Type': 'application/json' };
    const sent = { image: { url: `${origin}/a%20loaf.jpg`, alt: 'Rye' } };
    const { image } = (await send('POST', '.json', JSON.stringify(sent), asJson)).json;
    assert.deepEqual([image.name, image.alt, image.width], ['a loaf.jpg', 'Rye', 40]);
    const query = new URLSearchParams({ 'image[url]': `${origin}/a%20loaf.jpg`, 'image[name]': 'rye.jpg' });
    const again = (await send('POST', `.json?${query}`)).json;
    assert.equal(again.image.id, image.id);
    const gone = await send('POST', '.json', new URLSearchParams({ 'image[url]': `${origin}/gone` }).toString(), form);
    assert.deepEqual([gone.status, gone.json.errors], [422, 'The address answers with the status 404.']);
    const closed = await setUp(t, open);
    const refused = await closed.send('POST', '.json', JSON.stringify(sent), asJson);
    assert.deepEqual([refused.status, refused.json.errors], [422, 'The address leads into a private network.']);
    assert.deepEqual((await closed.send('GET', '.json')).json.images, []);
  });

  test('a file that is not an image, or a malformed upload, is refused and nothing is stored', async (t) => {
    const { send } = await setUp(t, open);
    const raw = { 'Content-Type': 'application/octet-stream' };
    const text = await send('POST', '.json', Buffer.from('Not an image'), raw);
    assert.equal(text.status, 422);
    assert.match(text.json.errors, /^The file is not an image that can be shown on the web: JPEG/);
    assert.deepEqual((await send('POST', '.json', Buffer.alloc(0), raw)).json.errors, 'The file is empty.');
    const bytes = await photo(20, 20);
    for (const refused of [
      await send('POST', '.json', bytes, form),
      await send('POST', '.json?image[name]=a&image[name]=b', bytes, raw),
      await send('POST', '.json', Buffer.from('x'), { 'Content-Type': 'multipart/form-data' }),
      await sendForm(send, { file: bytes, part: 'photo' }),
      await sendForm(send, { file: bytes, isCutOff: true }),
      await sendForm(send, { file: bytes, fields: { 'image[alt]': 'x', 'image[alt][x]': 'y' } }),
    ]) {
      assert.deepEqual([refused.status, refused.json], malformed);
    }
    const long = await sendForm(send, { file: bytes, fields: { 'image[alt]': 'x'.repeat(1001) } });
    assert.deepEqual([long.status, long.json.errors[0][0]], [422, 'alt']);
    assert.deepEqual((await send('GET', '.json?before=page_1')).status, 400);
    assert.deepEqual((await send('GET', '.json')).json.images, []);
  });

  test('an upload that is too large is refused, in every part of a form', async (t) => {
    const limit = 16 * 1024 * 1024;
    const { send } = await setUp(t, open, { MAX_BODY_BYTES: String(limit) });
    const large = Buffer.alloc(limit + 300_000, 'x');
    const reply = await send('POST', '.json', large, { 'Content-Type': 'image/png' });
    assert.equal(reply.status, 413);
    const chunked = { 'Content-Type': 'multipart/form-data; boundary=X', 'Transfer-Encoding': 'chunked' };
    const head = `--X\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n`;
    const beside = await send('POST', '.json', Buffer.concat([Buffer.from(head), large]), chunked);
    assert.deepEqual([beside.status, beside.json], malformed);
    const image = await send('POST', '.json', Buffer.alloc(limit + 1, 'x'), { 'Content-Type': 'image/png' });
    assert.deepEqual([image.status, image.json.errors], [413, 'The image is larger than 16 MB.']);
  });

  test("another account's images are not found", async (t) => {
    const { service, db, send } = await setUp(t, open);
    const { image } = (await send('POST', '.json', await photo(80, 40), { 'Content-Type': 'image/jpeg' })).json;
    const { accountId, userId } = await makeAccount(db);
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Theirs', expiresAt: null }));
    for (const [method, path] of [
      ['GET', `/api/images/${image.id}.json`],
      ['PATCH', `/api/images/${image.id}.json?image[alt]=x`],
      ['DELETE', `/api/images/${image.id}.json`],
      ['POST', `/api/images/${image.id}/restore.json`],
    ] as const) {
      const { status, json } = await service.request(method, path, { headers: { Authorization: `Bearer ${key}` } });
      assert.deepEqual([method, status, json], [method, 404, missing]);
    }
    assert.equal((await send('GET', `/${image.id}.json`)).json.image.alt, null);
  });
});

type Send = Awaited<ReturnType<typeof setUp>>['send'];

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>, options = {}) {
  const started = await startWithAccount(t, open, options);
  const { service, key } = started;
  const send = (method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
    service.request(method, `/api/images${path}`, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
    });
  return { ...started, send };
}

interface Form {
  file: Buffer;
  name?: string;
  part?: string;
  fields?: Readonly<Record<string, string>>;
  isCutOff?: boolean;
}

/** Sends the file in a form, followed by the fields. */
function sendForm(send: Send, { file, name = 'a.jpg', part = 'image[file]', fields = {}, isCutOff = false }: Form) {
  const head = `--X\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const others = Object.entries(fields).map(
    ([field, value]) => `\r\n--X\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}`,
  );
  const end = isCutOff ? '' : `${others.join('')}\r\n--X--\r\n`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(end)]);
  return send('POST', '.json', body, { 'Content-Type': 'multipart/form-data; boundary=X' });
}

async function hostOf(service: Awaited<ReturnType<typeof setUp>>['service'], key: string): Promise<string> {
  return new URL((await service.account(key)).url).host;
}
