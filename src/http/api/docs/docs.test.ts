import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openTestDatabase } from '../../../../test/databases.ts';
import { photo } from '../../../../test/images.ts';
import { type Service, startWithAccount } from '../../../../test/service.ts';
import { exampleIds } from '../openapi.ts';
import { operations } from '../operations.ts';
import { FILE, languages, PLACEHOLDER_KEY } from './examples.ts';

/** Settings with an unreachable DNS server, so that the host of a webhook's address does not resolve. */
const offline = { DNS_SERVERS: '127.0.0.1:9' };

const publicUrl = 'https://api.example.com/freehold';

function start(t: TestContext) {
  return startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'), { PUBLIC_URL: publicUrl });
}

describe('GET /api/docs', () => {
  test('the documentation is a public page whose Content-Security-Policy allows only our own files', async (t) => {
    const { service } = await start(t);
    const page = await service.request('GET', '/api/docs');
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['cache-control'], 'public, no-cache');
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'self'; script-src/);
    const again = await service.request('GET', '/api/docs', { headers: { 'If-None-Match': page.headers.etag! } });
    assert.equal(again.status, 304);
    const head = await service.request('HEAD', '/api/docs');
    assert.deepEqual([head.status, head.text], [200, '']);
    const posted = await service.request('POST', '/api/docs');
    assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
    const slash = await service.request('GET', '/api/docs/');
    assert.deepEqual([slash.status, slash.headers.location], [308, '../docs']);
    assert.equal((await service.request('GET', '/api/docs/other.css')).status, 404);
  });

  test('the documentation is well-formed HTML, and its ids are unique', async (t) => {
    const { service } = await start(t);
    const { text } = await service.request('GET', '/api/docs');
    assertWellFormed(text);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const [, target] of text.matchAll(/ (?:href="#|for="|aria-labelledby=")([^"]+)"/g)) {
      assert.ok(ids.includes(target), `there is a #${target}`);
    }
  });

  test('the documentation loads only our own files, and has no inline script or style', async (t) => {
    const { service } = await start(t);
    const { text } = await service.request('GET', '/api/docs');
    for (const [url] of text.matchAll(/\bhttps?:\/\/[^\s'"<&]*/g)) {
      // The other URLs are the site in the example of an account, and the receiver in that of a webhook.
      const isExample = /^https:\/\/((riverside|acme-bakery)\.example\.com|shop\.example\.com\/events)$/.test(url);
      assert.ok(url.startsWith(publicUrl) || isExample, url);
    }
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|javascript:|<script[^>]*>[^<]/i);
    const files = new Set([...text.matchAll(/ (?:src|href)="([^"#][^"]*)"/g)].map(([, url]) => url!));
    assert.deepEqual(files, new Set(['docs/icon.svg', 'docs/docs.css', 'docs/docs.js', 'openapi.json']));
    for (const url of files) {
      const file = await service.request('GET', `/api/${url}`);
      assert.equal(file.status, 200, url);
      assert.match(String(file.headers['content-type']), /^(image\/svg\+xml|text\/(css|javascript)|application\/json)/);
    }
  });

  test('the documentation has an example of every operation in every language', async (t) => {
    const { service } = await start(t);
    const examples = examplesOf((await service.request('GET', '/api/docs')).text);
    assert.deepEqual(
      examples.map(({ id }) => id),
      operations.flatMap(({ id }) => languages.map((language) => `${id} ${language.id}`)),
    );
    for (const { text } of examples) {
      assert.ok(text.includes(`Bearer ${PLACEHOLDER_KEY}`));
      assert.ok(text.includes(`${publicUrl}/api/`));
    }
  });

  for (const { id } of operations) {
    test(`the JavaScript example of ${id} does what it says`, async (t) => {
      const { service, db, key } = await startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'), offline);
      const { text } = await service.request('GET', '/api/docs');
      const written = examplesOf(text).find((example) => example.id === `${id} javascript`)!.text;
      const folder = await mkdtemp(join(tmpdir(), 'freehold-example-'));
      t.after(() => rm(folder, { recursive: true }));
      await writeFile(join(folder, FILE), await photo(80, 60));
      const upload = async () => {
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'image/jpeg' };
        const body = await photo(80, 60);
        return (await service.request('POST', '/api/images.json', { headers, body })).json.image.id as string;
      };
      const imageId = written.includes(exampleIds.Images!) ? await upload() : '';
      if (written.includes(exampleIds.Customers!)) await service.createCustomer(key, {});
      const listCustomers = async () => (await service.get('/api/customers.json', key)).json.customers;
      const [customer] = await listCustomers();
      if (id === 'restoreCustomer') {
        await service.request('DELETE', `/api/customers/${customer.id}.json?api_key=${key}`);
      }
      if (id === 'restoreImage') await service.request('DELETE', `/api/images/${imageId}.json?api_key=${key}`);
      const needsRevision = id === 'listRevisions' || written.includes(exampleIds.Revisions!);
      const needsPage = written.includes(exampleIds.Pages!) || written.includes(exampleIds.Redirects!);
      if (needsRevision || needsPage) await service.createPage(key, { name: 'Opening hours' });
      const [page] = await service.pages(key);
      const revisions = async () =>
        (await service.get(`/api/pages/${page!.id}/revisions.json`, key)).json.revisions as { id: string }[];
      if (needsRevision) {
        await service.request(
          'PATCH',
          `/api/pages/${page!.id}.json?api_key=${key}&page[body]=New`.replaceAll('[', '%5B'),
        );
      }
      const [revision] = needsRevision ? await revisions() : [];
      const draft = `/api/pages/${page?.id}/draft.json`;
      const writeDraft = () => service.request('PATCH', `${draft}?api_key=${key}&page%5Bbody%5D=Draft`);
      if (/^(getDraft|discardDraft|publishPage)$/.test(id)) await writeDraft();
      if (/^(restorePage|undoPageChange)$/.test(id))
        await service.request('DELETE', `/api/pages/${page!.id}.json?api_key=${key}`);
      const redirectId = written.includes(exampleIds.Redirects!) ? await addRedirect(service, key, page!.id) : '';
      const needsKey = written.includes(exampleIds.Keys!);
      if (needsKey) await service.post('/api/keys.json', key, { 'key[name]': 'Shop' });
      const keyId = needsKey ? (await service.get('/api/keys.json', key)).json.keys[0].id : '';
      const domainId = written.includes(exampleIds.Domains!) ? await addDomain(service, key) : '';
      if (id === 'restoreDomain') await service.request('DELETE', `/api/domains/${domainId}.json?api_key=${key}`);
      const invitedId = written.includes(exampleIds.Users!) ? await invite(service, key) : '';
      if (id === 'restoreUser') await service.request('DELETE', `/api/users/${invitedId}.json?api_key=${key}`);
      const webhookId = written.includes(exampleIds.Webhooks!) ? await addWebhook(service, key) : '';
      if (id === 'restoreWebhook') await service.request('DELETE', `/api/webhooks/${webhookId}.json?api_key=${key}`);
      const planId = written.includes(exampleIds.Plans!)
        ? (await service.get('/api/plans.json', key)).json.plans[0].id
        : '';
      const changeId = written.includes(exampleIds['Price changes']!) ? await changePrice(service, key) : '';
      const address = /'(http:\/\/[^/]+)\/api/.exec(written)![1]!;
      const runnable = written
        .replaceAll(address, `http://127.0.0.1:${service.port}`)
        .replaceAll(PLACEHOLDER_KEY, key)
        .replaceAll(exampleIds.Pages!, page?.id ?? '')
        .replaceAll(exampleIds.Revisions!, revision?.id ?? '')
        .replaceAll(exampleIds.Redirects!, redirectId)
        .replaceAll(exampleIds.Images!, imageId)
        .replaceAll(exampleIds.Keys!, keyId)
        .replaceAll(exampleIds.Domains!, domainId)
        .replaceAll(exampleIds.Users!, invitedId)
        .replaceAll(exampleIds.Webhooks!, webhookId)
        .replaceAll(exampleIds.Plans!, planId)
        .replaceAll(exampleIds['Price changes']!, changeId)
        .replaceAll(exampleIds.Customers!, customer?.id ?? '')
        .replaceAll(`openAsBlob('${FILE}')`, `openAsBlob('${join(folder, FILE)}')`)
        .replace('console.log(', 'return (');
      const AsyncFunction = (async () => {}).constructor as new (code: string) => () => Promise<unknown>;
      const result = await new AsyncFunction(runnable)();
      if (id === 'getAccount') assert.deepEqual(Object.keys(result as object), ['account']);
      if (id === 'listPages') assert.deepEqual(Object.keys(result as object), ['pages']);
      if (id === 'getPage') assert.equal((result as { page: { name: string } }).page.name, 'Opening hours');
      if (id === 'changePage') assert.match(String((await service.pages(key))[0]!.body), /7 to 18 h/);
      if (id === 'deletePage') assert.deepEqual(await service.pages(key), []);
      if (id === 'changeDraft') assert.match((await service.get(draft, key)).json.draft.body, /7 to 18 h/);
      if (id === 'getDraft') assert.equal((result as { draft: { body: string } }).draft.body, 'Draft');
      if (id === 'discardDraft') assert.equal((await service.get(draft, key)).status, 404);
      if (id === 'publishPage') assert.equal((await service.pages(key))[0]!.body, 'Draft');
      if (id === 'listRevisions') assert.equal((result as { revisions: object[] }).revisions.length, 1);
      if (id === 'getRevision') {
        assert.equal((result as { revision: { name: string } }).revision.name, 'Opening hours');
      }
      if (id === 'restoreRevision') assert.equal((await revisions()).length, 2);
      if (/^(restorePage|undoPageChange)$/.test(id)) assert.equal((await service.pages(key))[0]!.id, page!.id);
      const listImages = async () => (await service.get('/api/images.json', key)).json.images;
      if (id === 'uploadImage') assert.equal(result, (await listImages())[0].src);
      if (id === 'listImages') assert.deepEqual(result, { images: [], has_more: false });
      if (id === 'getImage') assert.equal((result as { image: { id: string } }).image.id, imageId);
      if (id === 'changeImage') assert.equal((await listImages())[0].alt, 'A loaf of rye bread');
      if (id === 'deleteImage') assert.deepEqual(await listImages(), []);
      if (id === 'restoreImage') assert.equal((await listImages())[0].id, imageId);
      if (id === 'createPage') assert.equal((await service.pages(key)).at(-1)!.name, 'Opening hours');
      if (id === 'listCustomers') assert.deepEqual(result, { customers: [], next: null });
      if (id === 'getCustomer') assert.equal((result as { customer: { id: string } }).customer.id, customer.id);
      if (id === 'changeCustomer') assert.equal((await listCustomers())[0].state, 'suspended');
      if (id === 'deleteCustomer') assert.deepEqual(await listCustomers(), []);
      if (id === 'restoreCustomer') assert.equal((await listCustomers())[0].id, customer.id);
      if (id === 'resendInstructions') {
        assert.equal((await db.selectFrom('outbox').select('id').execute()).length, 2);
      }
      if (id === 'listPlans') assert.match(JSON.stringify(result), /"plan_\d+"/);
      if (id === 'createCustomer') assert.equal((await service.account(key)).free_customers_count, 1);
    });
  }
});

/** Returns the text of the operations' examples, as a reader would copy them. */
function examplesOf(page: string): Array<{ id: string; text: string }> {
  return page
    .split('<section id="')
    .slice(1)
    .flatMap((section) => {
      const operation = section.slice(0, section.indexOf('"'));
      return [...section.matchAll(/data-language="(\w+)">.*?<code>(.*?)<\/code>/gs)].map(([, language, html]) => ({
        id: `${operation} ${language}`,
        text: textOf(html!),
      }));
    });
}

function textOf(html: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return html.replace(/<[^>]+>/g, '').replace(/&(#?\w+);/g, (_, name) => characters[name]!);
}

const empty = new Set(['meta', 'link', 'img', 'input', 'wbr', 'br']);

/** Asserts that every element is closed, in order, and that there is no unescaped `<`, `>` or `&`. */
function assertWellFormed(html: string): void {
  const open: string[] = [];
  const rest = html
    .replace(/<!doctype html>/, '')
    .replace(/<(\/?)([a-z][a-z0-9]*)((?:\s[^<>"=]+(?:="[^"<>]*")?)*)>/g, (_, end, name) => {
      if (end) assert.equal(open.pop(), name);
      else if (!empty.has(name)) open.push(name);
      return '';
    });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]|&(?!(amp|lt|gt|quot|#39);)/);
}

async function addRedirect(service: Service, key: string, page: string): Promise<string> {
  await service.post('/api/redirects.json', key, { 'redirect[path]': '/old', 'redirect[page_id]': page });
  return (await service.get('/api/redirects.json', key)).json.redirects[0].id;
}

async function addDomain(service: Service, key: string): Promise<string> {
  return (await service.post('/api/domains.json', key, { 'domain[host]': 'shop.example.com' })).json.domain.id;
}

async function addWebhook(service: Service, key: string): Promise<string> {
  return (await service.post('/api/webhooks.json', key, { 'webhook[url]': 'https://shop.example.com/' })).json.webhook
    .id;
}

async function changePrice(service: Service, key: string): Promise<string> {
  const { plans } = (await service.get('/api/plans.json', key)).json;
  const fields = { 'plan[name]': 'New', 'plan[price]': '5', 'plan[from]': '2099-01-01' };
  return (await service.post(`/api/plans/${plans[0].id}/price.json`, key, fields)).json.id;
}

async function invite(service: Service, key: string): Promise<string> {
  const fields = { 'user[name]': 'Ben', 'user[email]': 'ben@example.com', 'user[role]': 'editor' };
  return (await service.post('/api/users.json', key, fields)).json.id;
}
