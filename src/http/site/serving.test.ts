import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { onEachDatabase } from '../../../test/databases.ts';
import { addresses } from '../../../test/factories.ts';
import { type Reply, startService } from '../../../test/service.ts';
import { startWithSite, visit } from '../../../test/visit.ts';
import { changeSettings } from '../../accounts/change-settings.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db, Trx } from '../../db/database.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { changeSite } from '../../sites/change-site.ts';
import { unknownHost } from './responses.ts';

const nothing = { name: undefined, editor: undefined, theme: undefined, accent: undefined, language: undefined };
const long = { name: 'Home', body: `<p>${'A paragraph of some length. '.repeat(200)}</p>` };

onEachDatabase('serving sites', (open) => {
  test('pages are compressed for clients that accept it, with one ETag for all encodings', async (t) => {
    const site = await startWithSite(t, open, [long]);
    const plain = await site.visit('/');
    const br = await site.visit('/', { 'Accept-Encoding': 'gzip, deflate, br' });
    const gzip = await site.visit('/', { 'Accept-Encoding': 'gzip' });
    assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip']);
    assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes);
    assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes);
    for (const { headers } of [plain, br, gzip]) {
      assert.equal(headers.etag, plain.headers.etag);
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(headers['cache-control'], 'no-cache');
    }
    const again = await site.visit('/', { 'Accept-Encoding': 'br;q=0, gzip;q=0.5' });
    assert.equal(again.headers['content-encoding'], 'gzip');
  });

  test('a client that has the page already gets a 304, by its ETag or by its time', async (t) => {
    const site = await startWithSite(t, open, [long]);
    const since = Date.now() - 60_000;
    await setChangedAt(site.db, site.accountId, since);
    const { headers } = await site.visit('/');
    const etag = headers.etag!;
    const modified = headers['last-modified']!;
    assert.equal(modified, new Date(since).toUTCString());
    const ask = async (more: Record<string, string>) => (await site.visit('/', more)).status;
    assert.equal(await ask({ 'If-None-Match': etag }), 304);
    assert.equal(await ask({ 'If-None-Match': '"other"' }), 200);
    assert.equal(await ask({ 'If-Modified-Since': modified }), 304);
    assert.equal(await ask({ 'If-Modified-Since': new Date(since - 1000).toUTCString() }), 200);
    assert.equal(await ask({ 'If-Modified-Since': 'last week' }), 200);
    // The ETag takes precedence over the time.
    assert.equal(await ask({ 'If-None-Match': '"other"', 'If-Modified-Since': modified }), 200);
    const notModified = await site.visit('/', { 'If-None-Match': etag });
    assert.equal(notModified.text, '');
    assert.equal(notModified.headers.etag, etag);
  });

  test('no Last-Modified is sent while another version could still get the same second', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const other = await startService(t, site.database, { SITES_DOMAIN: 'sites.test:8080' });
    // A second that has not ended yet on any clock.
    const second = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
    await setChangedAt(site.db, site.accountId, second + 100);
    const before = await site.visit('/');
    assert.deepEqual([before.headers['last-modified'], typeof before.headers.etag], [undefined, 'string']);
    await site.add('Other');
    await setChangedAt(site.db, site.accountId, second + 900);
    const known = { 'If-Modified-Since': new Date(second).toUTCString() };
    for (const reply of [await site.visit('/', known), await visit(other, site.host, '/', known)]) {
      assert.deepEqual([reply.status, reply.headers['last-modified']], [200, undefined]);
      assert.match(reply.text, /Other/);
    }
  });

  test('a change is visible on the site at the next request', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const etags = new Set<unknown>();
    for (let count = 1; count <= 5; count++) {
      await site.add(`News ${count}`);
      const { text, headers } = await site.visit('/');
      assert.ok(text.includes(`News ${count}`), `News ${count}`);
      assert.equal((await site.visit(`/news-${count}`)).status, 200);
      etags.add(headers.etag);
    }
    assert.equal(etags.size, 5);
    const { db, accountId } = site;
    await db
      .transaction()
      .execute((trx) => changeSite(trx, accountId, { theme: 'documentation', accent: undefined, language: 'de' }));
    assert.match((await site.visit('/')).text, /<html lang="de"/);
    await db.transaction().execute(async (trx) => {
      await changeSettings(trx, accountId, { ...nothing, timeZone: 'America/New_York' }, operator);
      await trx
        .updateTable('pages')
        .set({ updated_at: Date.UTC(2026, 0, 1, 3) })
        .execute();
    });
    const dated = (await site.visit('/')).text;
    assert.ok(
      dated.includes('<time datetime="2025-12-31">31. Dezember 2025</time>'),
      "the day in the site's time zone",
    );
    await db.transaction().execute((trx) => changeSubdomain(trx, accountId, 'elsewhere', addresses, operator));
    assert.equal((await site.visit('/')).status, 404);
    assert.match(
      (await visit(site.service, 'elsewhere.sites.test', '/')).text,
      /http:\/\/elsewhere\.sites\.test:8080\//,
    );
  });

  test('concurrent requests during changes never get a version older than the request', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    let added = 0;
    const adding = (async () => {
      for (let count = 1; count <= 15; count++) {
        await site.add(`News ${count}`);
        added = count;
      }
    })();
    while (added < 15) {
      const before = added;
      const replies = await Promise.all(Array.from({ length: 10 }, () => site.visit('/')));
      for (const { text } of replies) {
        if (before > 0) assert.ok(text.includes(`News ${before}<`), `News ${before} is missing`);
      }
    }
    await adding;
  });

  test('the ETag of a page is the same in every process', async (t) => {
    const site = await startWithSite(t, open, [long]);
    const other = await startService(t, site.database, { SITES_DOMAIN: 'sites.test:8080' });
    assert.equal((await visit(other, site.host, '/')).headers.etag, (await site.visit('/')).headers.etag);
  });

  test('SITE_MAX_AGE lets shared caches keep pages', async (t) => {
    const site = await startWithSite(t, open, ['Home'], { SITE_MAX_AGE: '60' });
    const { headers } = await site.visit('/');
    assert.equal(headers['cache-control'], 'public, s-maxage=60, max-age=0, must-revalidate');
  });

  test('without memory for the cache everything is still served', async (t) => {
    const site = await startWithSite(t, open, ['Home'], { SITE_CACHE_BYTES: '0' });
    for (const path of ['/', '/', '/sitemap.xml', '/feed.xml']) assert.equal((await site.visit(path)).status, 200);
    assert.equal((await site.visit('/nothing')).status, 404);
  });

  test('every answer has strict headers, and no cookie is set or read', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const plain = await site.visit('/');
    const policy = plain.headers['content-security-policy'] as string;
    assert.match(policy, /^default-src 'none'; style-src 'self' 'sha256-[\w+/]+=*'; /);
    assert.doesNotMatch(policy, /script-src|unsafe|\*/);
    assert.match(policy, /base-uri 'none'; form-action 'none'; frame-ancestors 'self' http:\/\/localhost:8080$/);
    for (const path of ['/', '/nothing', '/home', '/robots.txt', '/sitemap.xml', '/feed.xml', '/favicon.svg']) {
      const { headers, bytes } = await site.visit(path, { Cookie: 'session=1; theme=other' });
      assert.match(headers['content-security-policy'] as string, /^default-src 'none'/, path);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
      assert.equal(headers['set-cookie'], undefined);
      assert.doesNotMatch(String(headers.vary), /cookie/i);
      assert.deepEqual((await site.visit(path)).bytes, bytes);
    }
  });

  test('the CSP allows frames of other sites only on pages that embed one', async (t) => {
    const video = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ';
    const site = await startWithSite(t, open, ['Home', { name: 'Video', body: video, format: 'markdown_format' }]);
    const policyOf = async (path: string) => (await site.visit(path)).headers['content-security-policy'] as string;
    assert.match(await policyOf('/video'), /; frame-src https:\/\/www\.youtube-nocookie\.com /);
    assert.doesNotMatch(await policyOf('/'), /frame-src/);
  });

  test('refusals have strict headers too, and set no cookie', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const { service, host } = site;
    const refusals: Record<number, () => Promise<Reply>> = {
      308: () => site.visit('/HOME'),
      400: () => visit(service, 'a b', '/'),
      404: () => visit(service, 'nobody.sites.test', '/'),
      405: () => service.request('POST', '/', { headers: { Host: host } }),
      414: () => site.visit(`/${'a'.repeat(40_000)}`),
      431: () => site.visit('/', { 'X-Long': 'a'.repeat(100_000) }),
      503: async () => {
        await site.db.transaction().execute((trx) => suspend(trx, site.accountId));
        return site.visit('/');
      },
    };
    for (const [expected, ask] of Object.entries(refusals)) {
      const { status, headers } = await ask();
      assert.equal(status, Number(expected));
      assert.match(
        headers['content-security-policy'] as string,
        /^default-src 'none'.*frame-ancestors 'none'/,
        expected,
      );
      assert.equal(headers['x-content-type-options'], 'nosniff', expected);
      assert.equal(headers['set-cookie'], undefined, expected);
      assert.match(headers['cache-control'] as string, /no-(?:cache|store)/, expected);
    }
  });

  test('HEAD returns the headers of GET, and other methods are refused', async (t) => {
    const site = await startWithSite(t, open, [long]);
    const get = await site.visit('/');
    const head = await site.service.request('HEAD', '/', { headers: { Host: site.host } });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers['content-length'], String(get.bytes.length));
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await site.service.request(method, '/', { headers: { Host: site.host }, body: 'x' });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], method);
    }
  });

  test('the port, case and trailing dot of the host are ignored', async (t) => {
    const { service, host } = await startWithSite(t, open, ['Home']);
    for (const form of [host.toUpperCase(), `${host}:80`, `${host}:1`, `${host}.`, `${host}.:8080`]) {
      assert.equal((await visit(service, form, '/')).status, 200, form);
    }
  });

  test('forged and contradictory host names are answered with 404', async (t) => {
    const { service, host, key } = await startWithSite(t, open, ['Home']);
    const forwarded = await visit(service, 'nobody.sites.test', '/', {
      'X-Forwarded-Host': host,
      Forwarded: `host=${host}`,
      'X-Original-Host': host,
    });
    assert.deepEqual([forwarded.status, forwarded.text], [404, unknownHost.body]);
    for (const [target, header] of [
      [`http://${host}/`, 'localhost'],
      [`http://localhost/api/account.json?api_key=${key}`, host],
      [`http://${host}/`, 'other.sites.test'],
    ] as const) {
      const { status, text } = await visit(service, header, target);
      assert.deepEqual([status, text], [404, unknownHost.body], target);
    }
    assert.equal((await visit(service, host, `http://${host}`)).status, 200);
    assert.equal((await visit(service, 'a b', '/')).status, 400);
  });

  test('Strict-Transport-Security is sent on the service’s own host, and never on sites or domains', async (t) => {
    const { service, db, accountId, host } = await startWithSite(t, open, ['Home'], {
      PUBLIC_URL: 'https://api.example.com',
      TRUST_PROXY: 'loopback',
    });
    await db.transaction().execute(async (trx) => {
      const { id } = await addDomain(trx, accountId, 'www.bakery.example', operator);
      await trx.updateTable('domains').set({ verified_at: 1 }).where('id', '=', id).execute();
    });
    const ask = async (name: string, path: string, protocol = 'https') => {
      const { status, headers } = await visit(service, name, path, { 'X-Forwarded-Proto': protocol });
      return [status, headers['strict-transport-security']];
    };
    const strict = 'max-age=31536000';
    assert.deepEqual(await ask('api.example.com', '/api/docs'), [200, strict]);
    assert.deepEqual(await ask('api.example.com', '/api/account.json'), [401, strict]);
    assert.deepEqual(await ask('api.example.com', '/admin/nothing'), [404, strict]);
    assert.deepEqual(await ask('api.example.com', '/api/docs', 'http'), [200, undefined]);
    assert.deepEqual(await ask('www.bakery.example', '/'), [200, undefined]);
    assert.deepEqual(await ask(host, '/'), [308, undefined]);
    assert.deepEqual(await ask('nobody.example', '/'), [404, undefined]);
    assert.deepEqual(await ask('a b', '/'), [400, undefined]);
  });

  test('the API is not served on a site’s host, nor a site on the service’s', async (t) => {
    const { service, host, key } = await startWithSite(t, open, ['Home']);
    for (const path of [
      `/api/account.json?api_key=${key}`,
      '/api/docs',
      '/healthz',
      '/readyz',
      '/metrics',
      '/internal/tls-allowed?domain=x',
    ]) {
      const { status, headers } = await visit(service, host, path);
      assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path);
    }
    for (const own of ['localhost:8080', '127.0.0.1', '[::1]:80', 'freehold']) {
      assert.equal((await visit(service, own, `/api/account.json?api_key=${key}`)).status, 200, own);
      // The admin app is on only one of these hosts.
      const { status, headers } = await visit(service, own, '/');
      assert.deepEqual(
        [status, headers.location],
        own === 'localhost:8080' ? [302, '/sign-in'] : [404, undefined],
        own,
      );
      if (own === 'localhost:8080') continue;
      const person = await visit(service, own, '/pages/1', { Accept: 'text/html,*/*' });
      assert.deepEqual([person.status, person.headers['content-type']], [404, 'text/plain; charset=utf-8'], own);
      assert.match(person.text, /^People sign in at http:\/\/localhost:8080\/\n.*PUBLIC_URL/);
      const program = await visit(service, own, '/api/pages', { Accept: 'text/html,*/*' });
      assert.deepEqual([program.status, program.json.response], [404, false], own);
    }
  });

  test('every other host of an account redirects to its primary domain', async (t) => {
    const site = await startWithSite(t, open, ['Home', 'Shop']);
    const { db, service, accountId, key } = site;
    await ownDomain(db, accountId, 'www.acme.example');
    await ownDomain(db, accountId, 'acme.example');
    for (const [host, path, location] of [
      [site.host, '/shop?a=1', '/shop?a=1'],
      ['acme.example', '/Shop/', '/shop'],
      ['acme.example', '/', '/'],
      ['acme.example', '/robots.txt', '/robots.txt'],
    ] as const) {
      const { status, headers } = await visit(service, host, path);
      assert.deepEqual([status, headers.location], [308, `http://www.acme.example:8080${location}`], host + path);
    }
    for (const target of ['*', '*@evil.example/', '*.evil.example']) {
      assert.equal((await visit(service, site.host, target)).headers.location, undefined, target);
    }
    const { status, text } = await visit(service, 'WWW.acme.example:443', '/shop');
    assert.equal(status, 200);
    assert.match(text, /<link rel="canonical" href="http:\/\/www\.acme\.example:8080\/shop">/);
    assert.equal((await service.account(key)).url, 'http://www.acme.example:8080');
  });

  test('the access log has the path and account of a site’s requests, without the query', async (t) => {
    const site = await startWithSite(t, open, ['Home', 'Shop']);
    await site.visit('/shop?email=a@b.example');
    await site.service.stop();
    const line = JSON.parse(
      site.service.log
        .join('')
        .split('\n')
        .find((text) => text.includes('"/shop"'))!,
    );
    assert.deepEqual([line.path, line.status, line.siteOf], ['/shop', 200, site.accountId]);
    assert.doesNotMatch(site.service.log.join(''), /b\.example/);
  });

  test('the style sheet of a page is served with immutable caching', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const { text } = await site.visit('/');
    const [, path = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text)!;
    const { status, headers } = await site.visit(path);
    assert.deepEqual([status, headers['content-type']], [200, 'text/css; charset=utf-8']);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(headers['content-security-policy'] as string, /^default-src 'none'/);
  });

  test('a URL that is too long is refused', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    assert.equal((await site.visit(`/${'a'.repeat(40_000)}`)).status, 414);
    assert.equal((await site.visit(`/${'a/'.repeat(5000)}`)).status, 308);
    assert.equal((await site.visit(`${'/a'.repeat(31)}`)).status, 404);
  });
});

function setChangedAt(db: Db, accountId: number, time: number): Promise<unknown> {
  return db
    .transaction()
    .execute((trx) =>
      trx.updateTable('accounts').set({ content_changed_at: time }).where('id', '=', accountId).execute(),
    );
}

function suspend(trx: Trx, accountId: number): Promise<unknown> {
  return trx.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', accountId).execute();
}

function ownDomain(db: Db, accountId: number, host: string): Promise<unknown> {
  return db.transaction().execute(async (trx) => {
    const { id } = await addDomain(trx, accountId, host, operator);
    await trx.updateTable('domains').set({ verified_at: 1 }).where('id', '=', id).execute();
  });
}
