import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContext, Page, Response } from 'playwright-core';
import { runCliJson } from '../test/cli.ts';
import {
  callAdmin,
  describeTestApp,
  nextTokenLink,
  password,
  publishPage,
  signOut,
  type TestApp,
  waitUntilLoaded,
} from './test-app.ts';

const PRODUCT = /freehold/i;
const SUBDOMAIN = 'bakery';

const screens = [
  ...['/pages', '/images', '/trash', '/trash/images', '/nowhere'],
  ...['site', 'look', 'domains', 'people', 'keys', 'log', 'you', 'agency'].map((section) => `/settings/${section}`),
];

describeTestApp('white label', {
  'customers of a branded agency never see the product’s name, from the first message to the suspension': neverNamed,
});

/** All texts that the customer sees or could see, each with its place. */
type Seen = Array<readonly [where: string, text: string]>;

function neverNamed(app: TestApp) {
  return async (t: TestContext) => {
    const { program, database, mailbox } = app;
    await runCliJson(database, 'brand', 'change', 'agency', '--name', 'Acme', '--support-email', 'help@acme.example');
    await program.service.createCustomer(program.key, {
      account_subdomain: SUBDOMAIN,
      user_email: 'ann@bakery.example',
    });
    const context = await app.browser.newContext({ reducedMotion: 'reduce' });
    t.after(() => context.close());
    const seen: Seen = [];
    const bodies = noteAnswers(context, seen);
    const errors: string[] = [];
    context.on('weberror', (event) => errors.push(event.error().message));
    const page = await context.newPage();
    await useEverything(page, app, seen);
    await noteStorage(context, page, seen);
    await bodies();
    // An example is a branded page that React cannot hydrate, so that it discards early input.
    assert.deepEqual(errors, []);

    const key = (await callAdmin(page, 'POST', 'keys', { name: 'Shop' })).key;
    await useWithoutBrowser(app, key, seen);
    await runCliJson(database, 'customer', 'suspend', SUBDOMAIN, '--reason', 'It has not been paid for.');
    await useWithoutBrowser(app, key, seen);

    // The messages about the login, a new password, an invitation, a new address and its notice.
    const messages = await mailbox.received(5);
    for (const { raw, email } of messages) {
      seen.push([`message "${email.subject}"`, raw], [`text of "${email.subject}"`, `${email.text}${email.html}`]);
    }
    const named = seen.filter(([where, text]) => PRODUCT.test(where) || PRODUCT.test(text));
    assert.deepEqual(
      named.map(([where, text]) => `${where}: …${text.slice(Math.max(0, text.search(PRODUCT) - 60)).slice(0, 140)}…`),
      [],
    );
    // Proves that pages and scripts were recorded at all.
    assert(seen.some(([, text]) => text.includes('<title>Pages · Acme</title>')));
    assert(seen.some(([where, text]) => where.endsWith('.js') && text.length > 100_000));
  };
}

/** Opens the link in the message, visits every screen, changes the sign-in settings, and signs out. */
async function useEverything(page: Page, app: TestApp, seen: Seen): Promise<void> {
  const look = async (where: string) => seen.push([`screen ${where}`, `${await page.title()} ${await page.content()}`]);
  await page.goto(await nextTokenLink(app, 'ann@bakery.example'));
  await page.getByLabel('New password').fill(password);
  await look('new password');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.getByRole('treeitem').first().waitFor();
  const { origin } = new URL(page.url());
  const id = await page.evaluate(
    `fetch('/admin/pages?parent=0&after=0&limit=1').then((a) => a.json()).then((a) => a.pages[0].id)`,
  );
  await publishPage(page, id as number);
  await callAdmin(page, 'POST', 'domains', { host: 'www.bakery.example' });
  for (const path of [...screens, `/pages/${id}`, `/pages/${id}/revisions`]) {
    await page.goto(origin + path);
    await waitUntilLoaded(page);
    await look(path);
  }
  await page.evaluate(`Promise.all([
    ['users', { name: 'Ed', email: 'ed@bakery.example', role: 'editor' }],
    ['email', { email: 'new@bakery.example', current: ${JSON.stringify(password)} }],
  ].map(([path, body]) => fetch('/admin/' + path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  }).then(({ ok }) => { if (!ok) throw new Error(path); })))`);
  await signOut(page);
  await look('signed out');
  await page.goto(`${origin}/pages`);
  await page.getByRole('link', { name: 'Forgotten your password?' }).click();
  await page.getByLabel('E-mail address').fill('ann@bakery.example');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('Check your mail').waitFor();
  await look('forgotten password');
  await page.goto(await nextTokenLink(app, 'new@bakery.example'));
  await page.getByRole('button', { name: 'Use this address' }).waitFor();
  await look('confirm the address');
  await page.goto(`${origin}/sign-in`);
  await page.getByLabel('E-mail address').fill('ann@bakery.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('tree').waitFor();
}

/** Records every response that the browser gets, with its request. Returns a function that waits for all bodies. */
function noteAnswers(context: BrowserContext, seen: Seen): () => Promise<void> {
  const records: Promise<unknown>[] = [];
  const record = async (response: Response) => {
    const url = response.url();
    const requestHeaders = await response.request().allHeaders();
    seen.push(
      [`request ${url}`, JSON.stringify(requestHeaders)],
      [`headers ${url}`, JSON.stringify(await response.allHeaders())],
    );
    // A redirect has no body, and a body cannot be read once the next page has loaded.
    const body = await response.body().catch(() => undefined);
    if (body) seen.push([url, body.toString()]);
  };
  context.on('response', (response) => records.push(record(response)));
  return async () => void (await Promise.all(records));
}

async function noteStorage(context: BrowserContext, page: Page, seen: Seen): Promise<void> {
  const stored = `(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(),
    (await navigator.serviceWorker?.getRegistrations() ?? []).length,
  ]))()`;
  seen.push(['storage', (await page.evaluate(stored)) as string]);
  seen.push(['cookies', JSON.stringify(await context.cookies())]);
}

/** Requests what visitors and programs request: pages, files, errors, the API and its reference. */
async function useWithoutBrowser({ program }: TestApp, key: string, seen: Seen): Promise<void> {
  const site = `${SUBDOMAIN}.localhost`;
  const onSite = [
    '/',
    '/nothing',
    '/robots.txt',
    '/sitemap.xml',
    '/feed.xml',
    '/search?q=a',
    '/favicon.ico',
    '/.well-known/x',
  ];
  const own = [
    '/icon.svg',
    '/favicon.ico',
    '/site.webmanifest',
    '/nothing',
    '/api/docs',
    '/api/docs/icon.svg',
    '/api/docs/docs.js',
    '/api/openapi.json',
  ];
  const api = ['/api/account.json', '/api/pages.json', '/api/nothing.json'];
  const requests: Array<readonly [method: string, path: string, headers: Record<string, string>]> = [
    ...onSite.map((path) => ['GET', path, { Host: site }] as const),
    ['POST', '/', { Host: site }],
    ...own.map((path) => ['GET', path, { Host: 'localhost' }] as const),
    ...api.flatMap((path) => [
      ['GET', path, { Host: 'localhost' }] as const,
      ['GET', path, { Host: 'localhost', Authorization: `Bearer ${key}` }] as const,
    ]),
    ['GET', '/admin/session', { Host: 'localhost' }],
    ['GET', '/', { Host: 'nobody.localhost' }],
    ['GET', '/', { Host: 'no host' }],
  ];
  for (const [method, path, headers] of requests) {
    const { status, headers: answered, text } = await program.service.request(method, path, { headers });
    seen.push([`${method} ${headers.Host}${path} ${status}`, `${JSON.stringify(answered)}${text}`]);
  }
}
