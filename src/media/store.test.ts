import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { makeEmptyDatabase, openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { picture } from '../../test/images.ts';
import { signedInAs } from '../../test/person.ts';
import { startS3Server } from '../../test/s3-server.ts';
import { startService } from '../../test/service.ts';
import { readConfig } from '../config.ts';
import { openMediaStore } from './open-store.ts';
import { s3Store } from './s3-store.ts';
import type { MediaStore } from './store.ts';

const kinds: Record<string, (t: TestContext) => Promise<MediaStore>> = {
  files: async (t) => {
    const { dataDir } = await makeEmptyDatabase(t, 'sqlite');
    return openMediaStore(readConfig({ DATA_DIR: dataDir }));
  },
  S3: async (t) => openMediaStore(readConfig(await startS3Server(t))),
};

for (const [name, open] of Object.entries(kinds)) {
  describe(`the store of images (${name})`, () => {
    test('a stored file can be read until it is removed', async (t) => {
      const store = await open(t);
      assert.deepEqual(await list(store), []);
      const bytes = randomBytes(300_000);
      await store.put('1/ab-1/c.webp', bytes);
      await store.put('1/ab-1/d.avif', Buffer.from('d'));
      await store.put('12/ab-2/c.webp', Buffer.from('e'));
      assert.deepEqual(await buffer((await store.open('1/ab-1/c.webp'))!), bytes);
      assert.deepEqual(await list(store), ['1/ab-1/c.webp 300000', '1/ab-1/d.avif 1', '12/ab-2/c.webp 1']);
      assert.equal(await store.open('1/ab-1/e.webp'), undefined);
      await store.remove(['1/ab-1/c.webp', '1/ab-1/d.avif', '1/ab-1/none.webp']);
      assert.equal(await store.open('1/ab-1/c.webp'), undefined);
      assert.deepEqual(await list(store), ['12/ab-2/c.webp 1']);
    });

    test('a copy of a file stays when the original is removed, and the reverse', async (t) => {
      const store = await open(t);
      const keys = ['1/ab-1/c.webp', '1/ab-1/d.avif', '1/cd-2/e.webp'];
      for (const key of keys) await store.put(key, Buffer.from(key));
      await store.copy(keys.map((from) => ({ from, to: from.replace('1/', '27/') })));
      await store.remove(['1/ab-1/c.webp', '27/cd-2/e.webp']);
      assert.equal(String(await buffer((await store.open('27/ab-1/c.webp'))!)), '1/ab-1/c.webp');
      assert.deepEqual(await list(store), [
        ...['1/ab-1/d.avif 13', '1/cd-2/e.webp 13', '27/ab-1/c.webp 13', '27/ab-1/d.avif 13'],
      ]);
      await assert.rejects(store.copy([{ from: '1/ab-1/gone.webp', to: '27/ab-1/gone.webp' }]));
    });

    test('the store lists keys in the order of their characters', async (t) => {
      const store = await open(t);
      const keys = ['1/a-1/x.webp', '1/a-2/x.webp', '10/a-1/x.webp', '10/b-1/x.webp', '2/a-1/x.webp'];
      for (const key of keys.toReversed()) await store.put(key, Buffer.from('x'));
      assert.deepEqual(
        await list(store),
        keys.map((key) => `${key} 1`),
      );
    });

    test('a key that leads out of the store is refused', async (t) => {
      const store = await open(t);
      for (const key of ['../../freehold.db', '1/../../x.webp', '/etc/passwd', '1/a/.x.webp', '1/a/b/c.webp', '1/a']) {
        await assert.rejects(store.put(key, Buffer.from('x')), /is not the key/, key);
        await assert.rejects(store.open(key), /is not the key/, key);
        await assert.rejects(store.remove([key]), /is not the key/, key);
        await assert.rejects(store.copy([{ from: '1/a-1/x.webp', to: key }]), /is not the key/, key);
      }
    });
  });
}

describe('images in S3', () => {
  test('all images in S3 are listed, even if they take several responses', async (t) => {
    const store = s3Store(readConfig(await startS3Server(t)), 2);
    const keys = [1, 2, 3, 4, 5].map((number) => `1/a-${number}/x.webp`);
    for (const key of keys) await store.put(key, Buffer.from('x'));
    assert.deepEqual(
      await list(store),
      keys.map((key) => `${key} 1`),
    );
  });

  test('errors of the S3 storage do not contain its secret key', async (t) => {
    const options = await startS3Server(t);
    const errorMessageWith = async (other: Record<string, string>) => {
      const store = openMediaStore(readConfig({ ...options, ...other }));
      const error: Error & { code?: string } = await store.put('1/a-1/x.webp', Buffer.from('x')).then(
        () => assert.fail('the upload must fail'),
        (reason) => reason,
      );
      assert.equal(error.code, 'ESTORE');
      const whole = JSON.stringify([error.message, error.stack, String(error.cause)]);
      assert.ok(!whole.includes(other.MEDIA_S3_SECRET ?? 'S3RVER'), whole);
      return error.message;
    };
    assert.match(await errorMessageWith({ MEDIA_S3_SECRET: 'another-secret' }), /403 \(SignatureDoesNotMatch\)/);
    assert.match(
      await errorMessageWith({ MEDIA_S3_URL: options.MEDIA_S3_URL!.replace('pictures', 'none') }),
      /bucket does not exist/,
    );
    assert.match(await errorMessageWith({ MEDIA_S3_URL: 'http://127.0.0.1:1/pictures' }), /cannot be reached/);
  });

  test('images in S3 are uploaded and shown, and an outage gives a 503 with Retry-After', async (t) => {
    const options = await startS3Server(t);
    const database = await openTestDatabase(t, 'sqlite');
    const service = await startService(t, database, options);
    const { accountId, subdomain } = { ...(await makeAccount(database.db, 'pictures')), subdomain: 'pictures' };
    const person = await signedInAs(service, database.db, accountId);
    const { status, json } = await person.upload(await picture(600, 300).png().toBuffer());
    assert.equal(status, 201);
    const headers = { Host: `${subdomain}.localhost` };
    const shown = await service.request('GET', json.src, { headers });
    assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/webp']);
    assert.equal(shown.headers['content-length'], String(shown.bytes.length));
    assert.ok(!(await readdir(join(database.config.dataDir))).includes('media'));

    const broken = await startService(t, database, { ...options, MEDIA_S3_URL: 'http://127.0.0.1:1/pictures' });
    const reply = await broken.request('GET', json.src, { headers });
    assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '5']);
    assert.ok(broken.log.some((line) => line.includes('image storage cannot be reached')));
    for (const line of [...service.log, ...broken.log]) assert.ok(!line.includes('S3RVER'), line);
  });
});

async function list(store: MediaStore): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, bytes } of store.list()) found.push(`${key} ${bytes}`);
  return found;
}
