import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, CDPSession, Locator, Page, Request } from 'playwright-core';
import { buildAdminApp } from '../admin/build.ts';
import { type DatabaseConfig, openDatabase } from '../src/db/open-database.ts';
import { forShortLives, launchBrowser } from '../test/browser.ts';
import { beforeClosing, type databases, type Lifetime, makeMigratedDatabase } from '../test/databases.ts';
import { startDnsServer } from '../test/dns-server.ts';
import { type Mailbox, openMailbox, type Received } from '../test/mailbox.ts';
import { customerFields } from '../test/service.ts';
import { checkFits } from './admin-fit.ts';
import { type Program, startProgram } from './program.ts';

/* Starts the admin app as customers have it, with the real program, a mail server and a browser, and does what users do. */

export const password = customerFields().user_password!;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface TestApp {
  readonly program: Program;
  readonly mailbox: Mailbox;
  readonly browser: Browser;
  readonly database: DatabaseConfig;
  customers: number;
  /** The messages that a story has read, or that were sent before it began. */
  readonly read: Set<Received>;
}

/** Starts the program, a mail server and a browser, for any number of customers. */
export async function startTestApp(
  t: Lifetime,
  kind: (typeof databases)[number],
  flags = forShortLives,
): Promise<TestApp> {
  await buildAdminApp();
  const mailbox = await openMailbox(t);
  const dns = await startDnsServer(t);
  const database = await makeMigratedDatabase(t, kind);
  const program = await startProgram(t, database, { SMTP_URL: mailbox.url, RATE_LIMIT: '0', DNS_SERVERS: dns.address });
  const browser = await launchBrowser(flags);
  beforeClosing(t, () => browser.close());
  return { program, mailbox, browser, database, customers: 0, read: new Set() };
}

type Stories<T> = Readonly<Record<string, (opened: T) => (t: TestContext) => Promise<void>>>;

/**
 * Runs stories in one app, which is started before the first and stopped after the last. Each is a test of its own: it can
 * run alone with `--test-name-pattern`, and does not depend on an earlier one.
 */
export function describeTestApp(name: string, stories: Stories<TestApp>): void {
  describeWith(
    name,
    (t) => startTestApp(t, 'sqlite'),
    (app) => app,
    stories,
  );
}

/** Runs stories that share the result of `open`. */
export function describeWith<T>(
  name: string,
  open: (t: Lifetime) => Promise<T>,
  appOf: (opened: T) => TestApp,
  stories: Stories<T>,
): void {
  describe(name, () => {
    const closings: Array<() => unknown> = [];
    let opened: T;
    before(async () => {
      opened = await open({ after: (close) => void closings.push(close as () => unknown) });
    });
    after(async () => {
      for (const close of closings) await close();
    });
    for (const [what, story] of Object.entries(stories)) {
      test(what, async (t) => {
        try {
          await story(opened)(t);
        } catch (error) {
          throw new Error(`failed in front of:\n${await describeOpenPages(appOf(opened).browser)}`, { cause: error });
        }
      });
    }
  });
}

/** Returns the content of the open pages as a screen reader has it, for failures on machines without a screen. */
async function describeOpenPages(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const shown = pages.map(async (page) => {
    // Without the fragment, which may be a token.
    const address = page.url().split('#')[0];
    const content = await page.ariaSnapshot({ timeout: 5000 }).catch((error) => String(error));
    return `${address}\n${content}`;
  });
  return (await Promise.all(shown)).join('\n\n');
}

/** Returns the matched part of the next unread message that matches, to `address` if given. Messages may arrive in any order. */
export async function nextMail(app: TestApp, pattern: RegExp, address?: string): Promise<string> {
  const message = await app.mailbox.find(
    (each) =>
      !app.read.has(each) &&
      pattern.test(each.email.text ?? '') &&
      (address === undefined || each.to.includes(address)),
  );
  app.read.add(message);
  return pattern.exec(message.email.text!)![0];
}

/** Matches a one-time link in a mail. */
export const tokenLink = /http:\/\/\S+#token=\S+/;

/**
 * Returns the one-time link from the next unread message to this address. Messages to other addresses may arrive meanwhile.
 */
export async function nextTokenLink(app: TestApp, address: string): Promise<string> {
  return nextMail(app, tokenLink, address);
}

type NewPageOptions = BrowserContextOptions & {
  /** True if the opened page contains other people's HTML. */
  isForeign?: boolean;
  /** The path of a script that runs in each document before the app does. */
  script?: string;
  /** The e-mail address of the first user, if it differs from that of the other stories. */
  email?: string;
  /** Leaves the default pages unpublished. Otherwise they are published, and the site is open. */
  isUntouched?: boolean;
};

/** Creates a customer, and opens the sign-in link of the mail in a new browser context. */
export async function newCustomerPage(t: Lifetime, app: TestApp, options: NewPageOptions = {}) {
  const customer = await createCustomerPage(t, app, options);
  await customer.page.goto(customer.address);
  return customer;
}

/** Opens a page that is already signed in, for stories that are not about signing in. */
export async function signedInPage(
  t: Lifetime,
  app: TestApp,
  { path, ...options }: NewPageOptions & { path?: string } = {},
) {
  const customer = await createCustomerPage(t, app, options);
  await signInVia(customer.page, customer.address, path);
  return customer;
}

/** Creates a customer, and a page in a new browser context that has not opened anything yet. */
export async function createCustomerPage(
  t: Lifetime,
  app: TestApp,
  { isForeign = false, script, email, isUntouched = false, ...options }: NewPageOptions = {},
) {
  const { program, browser } = app;
  app.customers += 1;
  const subdomain = `acme-${app.customers}`;
  const created = await program.service.createCustomer(program.key, {
    account_subdomain: subdomain,
    ...(email && { user_email: email }),
  });
  assert.equal(created.status, 200);
  if (!isUntouched) await publishDefaultPages(app, subdomain);
  const address = await nextMail(app, new RegExp(`http://\\S+/sign-in\\?account=${subdomain}\\b\\S*`));
  // Messages that an earlier story has left unread must not match in this one.
  for (const message of app.mailbox.messages) app.read.add(message);
  // Without animations, elements are in place at once. The very first story runs with animations.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  // Long enough for a busy machine; only an element that never appears fails.
  context.setDefaultTimeout(60_000);
  if (script) await context.addInitScript({ path: script });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (line) => {
    // The styles and frames of pages that are opened as source are not ours, and the policy blocks them.
    const isRefused =
      line.text().includes('style attributes') ||
      (isForeign && /^(?:Applying inline style|Framing|Setting the document's base)/.test(line.text()));
    if (line.type() === 'error' && /Content Security|Uncaught/.test(line.text()) && !isRefused) {
      errors.push(line.text());
    }
  });
  page.on('pageerror', (error) => errors.push(error.message));
  const checkErrors = () => assert.deepEqual(errors.splice(0), []);
  t.after(async () => {
    await context.close();
    checkErrors();
  });

  let key: string | undefined;
  return {
    context,
    page,
    address,
    subdomain,
    siteAddress: `http://${subdomain}.localhost:${program.port}`,
    /** Throws if the app has reported an error, or the policy has blocked something, since the last check. */
    checkErrors,
    /** Lists the customer's pages over the API. The page must be signed in. */
    pages: async () => {
      key ??= (await callAdmin(page, 'POST', 'keys', { name: 'Test' })).key;
      return program.service.pages(key);
    },
    /** Returns the HTML that a visitor of the site gets. */
    visit: async (path: string) => {
      const reply = await program.service.request('GET', path, { headers: { Host: `${subdomain}.localhost` } });
      assert.equal(reply.status, 200, path);
      return reply.text;
    },
  };
}

async function publishDefaultPages({ database }: TestApp, subdomain: string): Promise<void> {
  const db = await openDatabase(database);
  const account = db.selectFrom('accounts').select('id').where('subdomain', '=', subdomain);
  const publish = db.updateTable('pages').set({ status: 'published' }).where('account_id', '=', account);
  await db.transaction().execute((trx) => trx.executeQuery(publish));
  await db.destroy();
}

/** Signs in the first user with the request of the sign-in form, but without the form, and opens a screen. */
export async function signInVia(page: Page, address: string, path = '/pages'): Promise<void> {
  const { origin, searchParams } = new URL(address);
  const answer = await page.context().request.post(`${origin}/admin/sign-in`, {
    headers: { Origin: origin },
    data: { email: customerFields().user_email, password, account: searchParams.get('account') },
  });
  assert.equal((await answer.json()).signedIn, true);
  await page.goto(origin + path);
  await waitUntilLoaded(page);
}

/** Opens a screen in the running app, without loading the app again, and waits until it can be used. */
export async function goTo(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await waitUntilLoaded(page);
}

/** Waits until the screen has its data and can be used. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('main:not(:has(fieldset:disabled, .mantine-Skeleton-root))').waitFor();
}

/** Signs in the first user through the sign-in form. */
export async function signIn(page: Page): Promise<void> {
  await enterPassword(page);
  await page.getByRole('tree').waitFor();
}

export async function enterPassword(at: Page | Locator, email = customerFields().user_email!): Promise<void> {
  await at.getByLabel('E-mail address').fill(email);
  await at.getByRole('textbox', { name: 'Password' }).fill(password);
  await at.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Ends all sessions of the signed-in user, which the open page does not know yet. */
export async function endSessions(page: Page): Promise<void> {
  const all = `fetch('/admin/sign-out-everywhere', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })`;
  assert.equal(await page.evaluate(`${all}.then(({ status }) => status)`), 204);
}

/** Tells the app that its tab is visible again, until the app has requested the session. */
export async function comeBack(page: Page): Promise<void> {
  let isAsked = false;
  const onRequest = (request: Request) => {
    if (new URL(request.url()).pathname === '/admin/session') isAsked = true;
  };
  page.on('request', onRequest);
  while (!isAsked) {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      new Promise(requestAnimationFrame)`);
  }
  page.off('request', onRequest);
}

/** Signs in again in the dialog that covers the app after the session has ended. */
export async function signInAgain(page: Page): Promise<void> {
  await enterPassword(page.getByRole('dialog', { name: 'Sign in again' }));
}

export async function newPage(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New page' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create and edit' }).click();
  await page.getByRole('heading', { name: 'Edit page' }).waitFor();
}

export async function typeText(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Text of the page/ }).click();
  await page.keyboard.insertText(text);
}

export async function publish(page: Page): Promise<void> {
  await publishBy(page, () => page.getByRole('button', { name: 'Publish', exact: true }).click());
  await page.getByText('Published', { exact: true }).waitFor();
}

/** Runs an action that publishes, and waits for the response: a message on the screen may be that of an earlier publication. */
export async function publishBy(page: Page, act: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/publish') && response.ok());
  await act();
  await answered;
  await toast(page, 'Published').waitFor();
}

export async function changeFormat(page: Page, format: string): Promise<void> {
  await page.getByRole('button', { name: 'Page settings' }).click();
  await page.getByRole('dialog').getByText(format, { exact: true }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /sign out$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

export function toast(page: Page, text: string) {
  return page.getByRole('alert').filter({ hasText: text }).last();
}

/** Drops or pastes a file into the text of the page, with the events that a browser sends. */
export async function insertFile(
  page: Page,
  how: 'drop' | 'paste',
  bytes: Buffer,
  name: string,
  type = 'image/jpeg',
): Promise<void> {
  await page.getByRole('textbox', { name: 'Text of the page' }).waitFor();
  await page.evaluate(`{
    const element = document.querySelector('[role=textbox][aria-label^="Text of the page"]');
    const data = new DataTransfer();
    const bytes = Uint8Array.fromBase64('${bytes.toString('base64')}');
    data.items.add(new File([bytes], '${name}', { type: '${type}' }));
    const { left, top } = element.getBoundingClientRect();
    const place = { clientX: left + 40, clientY: top + 40, bubbles: true, cancelable: true };
    element.dispatchEvent('${how}' === 'drop'
      ? new DragEvent('drop', { ...place, dataTransfer: data })
      : new ClipboardEvent('paste', { ...place, clipboardData: data }));
  }`);
}

/** Calls the admin API as the app would. */
export async function callAdmin(page: Page, method: string, path: string, body?: unknown) {
  const options = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  return page.evaluate(
    `fetch('/admin/${path}', ${JSON.stringify(options)}).then((answer) => answer.json())`,
  ) as Promise<{
    key: string;
    id: number;
  }>;
}

/** Creates a page and publishes it. Returns its id. */
export async function createPublished(page: Page, input: Record<string, unknown>): Promise<number> {
  const { id } = await callAdmin(page, 'POST', 'pages', input);
  await publishPage(page, id);
  return id;
}

/** Publishes a page without changes. */
export async function publishPage(page: Page, id: number): Promise<void> {
  const publish = `fetch('/admin/pages/${id}')
    .then(({ headers }) => fetch('/admin/pages/${id}/publish', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'If-Match': headers.get('ETag') },
      body: '{}',
    }))
    .then(({ status }) => status)`;
  assert.equal(await page.evaluate(publish), 200);
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Returns the page's developer tools session, which is never closed: closing would remove virtual devices. */
export function devtools(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** Checks a screen as it is and on a narrow phone in dark colours. Turns motion off for good. */
export async function checkAllLooks(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await checkAccessible(page, what);
  await onPhone(page, () => checkAccessible(page, `${what}, on a phone in the dark`));
}

/** Runs a check on a narrow phone with a touch screen, in dark colours. */
export async function onPhone(page: Page, look: () => Promise<void>): Promise<void> {
  const before = page.viewportSize()!;
  const session = await devtools(page);
  // All changes at once, so that the browser computes styles and layout only once.
  const become = (size: { width: number; height: number }, isPhone: boolean) =>
    Promise.all([
      session.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone, maxTouchPoints: 1 }),
      page.setViewportSize(size),
      setColorScheme(page, isPhone ? 'dark' : 'light'),
    ]);
  await become({ width: 320, height: 640 }, true);
  await look();
  await become(before, false);
}

/** Checks the contrast in dark colours at the current size, for content that only a desktop shows. */
export async function checkDark(page: Page, what: string): Promise<void> {
  await setColorScheme(page, 'dark');
  await checkRules(page, `${what}, dark`, ['color-contrast']);
  await setColorScheme(page, 'light');
}

async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/** Checks all rules of axe, including best practices, and that every control fits into the window. */
export async function checkAccessible(page: Page, what = page.url()): Promise<void> {
  await checkRules(page, what);
  await checkFits(page, what);
}

async function checkRules(page: Page, what: string, only?: readonly string[]): Promise<void> {
  // Waits for transitions, whose colours lie between the old and the new. They start a frame later and end after more.
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const endless = ({ effect }) => effect.getComputedTiming().endTime === Infinity;
    do await frame(); while (!document.getAnimations().every(endless));
  })()`);
  // The developer tools evaluate axe: the page's policy would block a script of the page.
  const session = await devtools(page);
  // Dialogs and messages are in portals outside of the landmarks, and have roles of their own, so `region` ignores them.
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  // A document that was checked before has axe already.
  if (!(await evaluate('Boolean(globalThis.axe)')).result.value) await evaluate(axe);
  // Reports only violations, with their HTML.
  const options = {
    ...(only ? { runOnly: only } : { rules: { 'target-size': { enabled: true } } }),
    resultTypes: ['violations'],
    selectors: false,
    // No frame has axe, and waiting for each to answer takes half a second.
    iframes: false,
  };
  const { result } = await evaluate(`axe.run(document, ${JSON.stringify(options)})
    .then(({ violations }) => violations
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => id !== 'region' || !/^<div data-portal/.test(html)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
  assert.deepEqual(result.value, [], what);
}
