import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { generate, generatedFile } from '../clients/typescript/generate.ts';
import {
  createClient,
  etagOf,
  Gone,
  InvalidRequest,
  NotFound,
  Outdated,
  Unavailable,
  versionOf,
} from '../clients/typescript/src/client.ts';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { documentText, root } from '../test/documents.ts';
import { makeAccount } from '../test/factories.ts';
import { photo } from '../test/images.ts';
import { startWithAccount } from '../test/service.ts';

const run = promisify(execFile);
const folder = join(root, 'clients/typescript');

onEachDatabase('the TypeScript client', (open) => {
  test('the TypeScript client creates, reads, changes and deletes pages', async (t) => {
    const { client } = await start(t, open);
    const { id } = await client.createPage({ name: 'Opening hours', body: '<p>7 to 18 h</p>', is_hidden: true });
    const read = await client.getPage({ id });
    assert.deepEqual([read.page.name, read.page.is_hidden], ['Opening hours', true]);
    await client.changePage({ id, name: 'Hours' }, { ifMatch: etagOf(read)! });
    await assert.rejects(client.changePage({ id, name: 'Late' }, { ifMatch: etagOf(read)! }), Outdated);
    assert.deepEqual(
      (await client.listPages()).pages.map(({ name }) => name),
      ['Hours'],
    );
    await client.deletePage({ id });
    await assert.rejects(client.getPage({ id }), NotFound);
  });

  test('the TypeScript client lists chosen fields of the first levels of pages', async (t) => {
    const { client } = await start(t, open);
    const { id } = await client.createPage({ name: 'Services' });
    await client.createPage({ name: 'Catering', parent_id: id });
    const { pages } = await client.listPages({ fields: 'name,url', depth: 1 });
    assert.deepEqual(pages, [{ name: 'Services', url: '/services' }]);
  });

  test('the TypeScript client can keep a copy of the pages up to date', async (t) => {
    const { client } = await start(t, open);
    const { id } = await client.createPage({ name: 'Services' });
    const since = versionOf(await client.listPages())!;
    const { id: second } = await client.createPage({ name: 'Catering' });
    await client.deletePage({ id });
    const { version, changed, deleted } = await client.listPages({ since, fields: 'id,position' });
    assert.deepEqual([changed, deleted], [[{ id: second, position: '1' }], [id]]);
    assert.deepEqual((await client.listPages({ since: version })).changed, []);
    const refused = await client.listPages({ since: version + 1 }).catch((error) => error);
    assert.ok(refused instanceof Gone);
    assert.equal(refused.status, 410);
  });

  test('the TypeScript client undoes a change, and redirects a former path to a page', async (t) => {
    const { client } = await start(t, open);
    const { id: page_id } = await client.createPage({ name: 'Services' });
    await client.changePage({ id: page_id, name: 'Offers' });
    await client.undoPageChange({ id: page_id });
    assert.equal((await client.getPage({ id: page_id })).page.name, 'Services');
    const { id } = await client.addRedirect({ path: '/what-we-do', page_id });
    const paths = [];
    for await (const { path, url } of client.all('listRedirects', { limit: 1 })) paths.push([path, url]);
    assert.deepEqual(paths, [['/what-we-do', '/services']]);
    await client.removeRedirect({ id });
    assert.deepEqual((await client.listRedirects({ page_id })).redirects, []);
  });

  test('the TypeScript client works in a customer’s account with a key issued for it', async (t) => {
    const { client, url } = await start(t, open);
    const { id } = await client.createCustomer({
      account_name: 'Acme Bakery',
      account_subdomain: `acme-${process.hrtime.bigint()}`,
      user_name: 'Ann',
      user_email: 'ann@example.com',
      user_password: 'rise early 4 bread',
      user_password_confirmation: 'rise early 4 bread',
    });
    const { key } = await client.issueKey({ name: 'Site builder', account_id: id });
    const customer = createClient({ url, key: key! });
    await customer.createPage({ name: 'Bread' });
    await customer.changeSettings({ theme: 'business', accent: '#112233' });
    assert.equal((await customer.getSettings()).settings.theme, 'business');
    assert.ok((await customer.listPages()).pages.some(({ name }) => name === 'Bread'));
  });

  test('the TypeScript client reports the errors of an invalid page by field', async (t) => {
    const { client } = await start(t, open);
    const refused = await client
      .createPage({ name: '', body_format: 'rtf' as 'markdown_format' })
      .catch((error) => error);
    assert.ok(refused instanceof InvalidRequest);
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.fields, { name: "can't be blank", body_format: 'is not included in the list' });
    assert.match(refused.message, /^name can't be blank; body_format is not included/);
    assert.ok(refused.requestId);
  });

  test('the TypeScript client iterates over all pages of a list', async (t) => {
    const { client } = await start(t, open);
    for (const name of ['One', 'Two', 'Three']) await client.issueKey({ name });
    const names: string[] = [];
    for await (const { name } of client.all('listKeys', { limit: 1 })) names.push(name);
    assert.deepEqual(names.slice(0, 3), ['Three', 'Two', 'One']);
    const types: string[] = [];
    for await (const { type } of client.all('listEvents', { limit: 2 })) types.push(type);
    assert.equal(types.filter((type) => type === 'key.issued').length, 3);
  });

  test('the TypeScript client adds a webhook, and lists its deliveries', async (t) => {
    const { client } = await start(t, open);
    const { webhook, secret } = await client.addWebhook({ url: 'https://shop.example.com/', kinds: 'page' });
    assert.match(secret!, /^whsec_/);
    await client.rotateWebhookSecret({ id: webhook.id });
    assert.equal((await client.getWebhook({ id: webhook.id })).webhook.state, 'active');
    const deliveries = [];
    for await (const delivery of client.all('listDeliveries', { id: webhook.id })) deliveries.push(delivery);
    assert.deepEqual(deliveries, []);
  });

  test("the TypeScript client imports another account's pages, and reports errors by their place in the input", async (t) => {
    const { client, db, url } = await start(t, open);
    await client.createPage({ name: 'Home' });
    const other = createClient({ url, key: (await makeAccount(db)).key });
    await other.createPage({ name: 'Shop' });
    const { pages } = await client.listPages();
    const parent_id = (await other.listPages()).pages[0]!.id;
    const made = await other.importPages({
      pages: [...pages, { name: 'Team', children: [{ name: 'Ann' }] }],
      parent_id,
    });
    assert.equal(made.count, 3);
    assert.equal((await other.getPage({ id: made.pages[1]!.children[0]!.id })).page.url, '/shop/team/ann');
    const refused = await other.importPages({ pages, dry_run: true }).catch((error) => error);
    assert.ok(refused instanceof InvalidRequest);
    assert.deepEqual(refused.fields, { 'pages[0].name': 'has already been taken' });
  });

  test('the TypeScript client changes the price of a plan', async (t) => {
    const { client } = await start(t, open);
    const { plan } = await client.createPlan({ name: 'Standard', price: 19, interval: 'month', pages: 10 });
    const { id, plan: newPlan } = await client.changePrice({
      id: plan.id,
      name: 'Standard 2',
      price: '24.00',
      from: '2099-01-01',
    });
    assert.deepEqual([newPlan.price, newPlan.limits.pages], ['24.00', 10]);
    assert.equal((await client.previewPrice({ id: newPlan.id, price: '30' })).customers_count, 0);
    assert.equal((await client.listPriceChanges()).price_changes[0]!.new_plan_id, newPlan.id);
    await client.undoPriceChange({ id });
    await client.changePlan({ id: plan.id, is_default: true });
    assert.equal((await client.getPlan({ id: plan.id })).plan.is_default, true);
    for await (const change of client.all('listScheduledChanges')) assert.fail(change.customer_id);
    const { periods } = await client.getRevenue({ from: '2020-01-01', to: '2020-06-30', step: 'quarter' });
    assert.deepEqual([periods.length, periods[1]!.end.paying_customers_count], [2, 0]);
    assert.match(
      await client.exportRevenue({ from: '2020-01-01', to: '2020-01-31' }),
      /^From,To,.*\r\n2020-01-01,2020-01-31,0.00/,
    );
    await assert.rejects(client.exportRevenue({ from: 'x' }), InvalidRequest);
    for await (const customer of client.all('listRevenueCustomers', { figure: 'new' })) assert.fail(customer.name);
  });

  test('the TypeScript client uploads an image', async (t) => {
    const { client } = await start(t, open);
    const file = new Blob([new Uint8Array(await photo(80, 60))], { type: 'image/jpeg' });
    const { image } = await client.uploadImage({ file, alt: 'A loaf of rye bread' });
    assert.equal((await client.getImage({ id: image.id })).image.alt, 'A loaf of rye bread');
  });
});

test('the TypeScript client repeats a change with the same Idempotency-Key, and gives up after the last attempt', async (t) => {
  const keys: unknown[] = [];
  const statuses = [503, 502, 200, 503, 503];
  const url = await serve(t, (request, response) => {
    keys.push(request.headers['idempotency-key']);
    // The first response is cut off, and the second one comes from a proxy.
    if (keys.length === 1) return void request.socket.destroy();
    const status = statuses[keys.length - 1]!;
    response.writeHead(status, { 'Retry-After': '0.001' });
    response.end(status === 200 ? '{"response":true,"errors":[],"id":"page_1"}' : '<h1>Bad gateway</h1>');
  });
  const client = createClient({ url, key: 'fh_x', retries: 2 });
  assert.deepEqual(await client.createPage({ name: 'Team' }), { id: 'page_1' });
  assert.ok(keys[0] && keys.every((key) => key === keys[0]));
  const lost = createClient({ url, key: 'fh_x', retries: 1 });
  const error = await lost.createPage({ name: 'Lost' }).catch((error: unknown) => error);
  assert.ok(error instanceof Unavailable && error.status === 503 && keys[3] !== keys[0]);
  await assert.rejects(client.listPages(undefined, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
});

test('the TypeScript client says why it got no answer, and refuses an address without a scheme', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', key: 'fh_x', retries: 0 });
  const error = await client.getAccount().catch((error: unknown) => error);
  assert.ok(error instanceof Unavailable && error.status === 0);
  assert.match(error.message, /^The service at http:\/\/127\.0\.0\.1:1 gave no answer: ./);
  assert.throws(() => createClient({ url: 'localhost:8080', key: 'fh_x' }), /^TypeError: url must be like https:\/\//);
});

test('the types and routes of the TypeScript client match those of the service', async () => {
  assert.equal(await readFile(generatedFile, 'utf8'), generate(), 'run `npm run generate` in clients/typescript');
});

test('the package of the TypeScript client is small, has no dependencies, and works as its README says', async (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
  const work = await mkdtemp(join(tmpdir(), 'freehold-client-'));
  t.after(() => rm(work, { recursive: true }));
  await run('npm', ['pack', '--silent', '--pack-destination', work], { cwd: folder });
  const installed = join(work, 'node_modules/@freehold/client');
  await mkdir(installed, { recursive: true });
  const [tarball] = await readdir(work).then((names) => names.filter((name) => name.endsWith('.tgz')));
  await run('tar', ['-xzf', join(work, tarball!), '-C', installed, '--strip-components', '1']);
  const files = (await readdir(join(installed, 'dist'))).filter((name) => name.endsWith('.js'));
  const code = await Promise.all(files.map((name) => readFile(join(installed, 'dist', name))));
  assert.ok(gzipSync(Buffer.concat(code)).length < 10_000);

  const { service, key } = await startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'));
  const [, example = ''] = /```ts\n(.*?)```/s.exec(documentText('clients/typescript/README.md'))!;
  const program = example
    .replaceAll("'https://freehold.example.com'", `'http://127.0.0.1:${service.port}'`)
    .replace('process.env.FREEHOLD_KEY!', `'${key}'`);
  await writeFile(join(work, 'package.json'), '{"type":"module"}');
  await writeFile(join(work, 'example.ts'), program);
  // The types of the package are sufficient for this program.
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  await run(join(root, 'node_modules/.bin/tsc'), [...strict, 'example.ts'], { cwd: work });
  const { stdout } = await run(process.execPath, [join(work, 'example.ts')]);
  assert.equal(stdout, "Acme Bakery Free\nname has already been taken { name: 'has already been taken' }\n");
});

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const url = `http://127.0.0.1:${started.service.port}`;
  return { ...started, url, client: createClient({ url, key: started.key }) };
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
