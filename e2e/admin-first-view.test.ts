import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { runCliJson } from '../test/cli.ts';
import { customerFields } from '../test/service.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  checkAccessible,
  createCustomerPage,
  createPublished,
  describeTestApp,
  nextTokenLink,
  password,
  signedInPage,
  signInVia,
  signOut,
  type TestApp,
  waitUntilLoaded,
} from './test-app.ts';

/* The HTML of a screen contains its first view, which the app hydrates. */

const phone = { viewport: { width: 412, height: 823 } };
const files = /\/-\/app\/.+\.(?:js|css)$/;

/** The screens that a signed-in user may open first. */
const screens = [
  { path: '/pages', heading: 'Pages' },
  { path: '/pages/ID', heading: 'Edit page', text: '[data-meanwhile] p' },
  { path: '/pages/ID/revisions', heading: 'Earlier versions' },
  { path: '/pages/import', heading: 'Import pages' },
  { path: '/images', heading: 'Images' },
  { path: '/trash', heading: 'Trash' },
  { path: '/trash/images', heading: 'Trash' },
  { path: '/overview', heading: 'Overview' },
  { path: '/customers', heading: 'Customers' },
  { path: '/customers/new', heading: 'New customer' },
  { path: '/customers/import', heading: 'Import customers' },
  { path: '/plans', heading: 'Plans' },
  { path: '/templates', heading: 'Templates' },
  { path: '/revenue', heading: 'Revenue' },
  { path: '/revenue/customers?figure=paying', heading: 'Revenue' },
  { path: '/brand', heading: 'Brand' },
  { path: '/brand/address', heading: 'Address' },
  { path: '/brand/messages', heading: 'Messages' },
  { path: '/settings', heading: 'Site' },
  { path: '/settings/site', heading: 'Site' },
  { path: '/settings/look', heading: 'Look' },
  { path: '/settings/domains', heading: 'Domains' },
  { path: '/settings/people', heading: 'People' },
  { path: '/settings/keys', heading: 'API keys' },
  { path: '/settings/webhooks', heading: 'Webhooks' },
  { path: '/settings/log', heading: 'Log' },
  { path: '/settings/archive', heading: 'Download everything' },
  { path: '/settings/you', heading: 'You' },
];

/** Screens about one item, which show only the link back until the item has loaded. */
const details = [
  { path: '/customers/1', back: 'All customers' },
  { path: '/customers/import/1', back: 'All imports' },
  { path: '/templates/1', back: 'All templates' },
  { path: '/templates/1/pushes/2', back: 'All templates' },
];

const signedOutScreens = [
  { path: '/sign-in', heading: 'Sign in' },
  { path: '/forgotten-password', heading: 'Forgotten your password?' },
  { path: '/reset-password', heading: 'Choose a new password' },
  { path: '/confirm-email', heading: 'Confirm your new address' },
];

type Story = (t: TestContext, app: TestApp) => Promise<void>;

const stories: Array<readonly [name: string, run: Story]> = [];

function story(name: string, run: Story): void {
  stories.push([name, run]);
}

story(
  'before any script has loaded, screens that need no sign-in, or show one item, have their heading or link back',
  async (t, app) => {
    const { page, address } = await createCustomerPage(t, app, phone);
    const { origin } = new URL(address);
    const check = async (path: string, heading: string) => {
      await page.goto(origin + path, { waitUntil: 'domcontentloaded' });
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await checkAccessible(page, path);
    };
    await page.route(files, (route) => route.abort());
    for (const { path, heading } of signedOutScreens) await check(path, heading);
    await page.unroute(files);
    await signInVia(page, address);
    await page.route(files, (route) => route.abort());
    for (const { path, back } of details) {
      await page.goto(origin + path, { waitUntil: 'domcontentloaded' });
      await page.getByRole('main').getByRole('link', { name: back }).waitFor();
    }
    await check('/welcome', 'Welcome');
    await check('/authorize?client_id=none', 'Allow access?');
  },
);

story(
  'every screen has its heading before any script has loaded, and is hydrated: nothing is rebuilt or moves, and no larger paint follows',
  async (t, app) => {
    const { page, address, pages } = await signedInPage(t, app, phone);
    const { origin } = new URL(address);
    const id = (await pages())[0]!.id.replace('page_', '');
    await page.addInitScript(watchPaints);
    for (const { path, heading, text } of screens) {
      const open = await firstView(page, origin + path.replace('ID', id), text);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await checkAccessible(page, path);
      const seen = await hydrate(page, open);
      assert.equal(seen.isSame, true, `${path} was rebuilt`);
      assert.ok(seen.moved < 0.01, `${path} moves by ${seen.moved}`);
      assert.equal(seen.largestWasThere, true, `${path} gets something larger: ${seen.largest}`);
    }
  },
);

story('text typed into the search field before hydration is searched for', async (t, app) => {
  const { page } = await signedInPage(t, app);
  const open = await holdBack(page);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('searchbox', { name: 'Search pages' }).fill('contac');
  open();
  await page.getByRole('main').getByRole('link', { name: 'Contact' }).waitFor();
});

story('a form that would lose early input is disabled until the app has hydrated it', async (t, app) => {
  const { page } = await signedInPage(t, app);
  const { origin } = new URL(page.url());
  for (const path of [
    '/welcome',
    '/customers/new',
    '/customers/import',
    '/pages/import',
    '/settings/domains',
    '/settings/webhooks',
  ]) {
    const open = await holdBack(page);
    await page.goto(origin + path, { waitUntil: 'domcontentloaded' });
    const fields = page.getByRole('main').locator('fieldset :is(input, select, textarea, button)');
    await fields.first().waitFor({ state: 'attached' });
    assert.equal(await fields.and(page.locator(':enabled')).count(), 0, path);
    open();
    if (path === '/welcome') await page.getByRole('tree').waitFor();
    else await fields.and(page.locator(':enabled')).first().waitFor({ state: 'attached' });
  }
});

story('the welcome form shows before hydration, and is enabled once the user is known', async (t, app) => {
  const { page, address } = await createCustomerPage(t, app);
  const { sign_in_link: link } = await runCliJson(app.database, 'user', 'sign-in-link', '--account', 'agency');
  const { pathname, hash } = new URL(link);
  await page.goto(new URL(address).origin + pathname + hash);
  await page.waitForURL('**/welcome');
  const open = await holdBack(page);
  await page.reload({ waitUntil: 'domcontentloaded' });
  const name = page.getByLabel('Your name');
  assert.equal(await name.isDisabled(), true);
  open();
  await name.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Ada Agency');
  await page.getByLabel('E-mail address').fill('ada@agency.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  // The account of the tests has customers.
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: /^Ada Agency/ }).waitFor();
});

story('a click before hydration takes effect once the app has started', async (t, app) => {
  const { page } = await signedInPage(t, app, phone);
  const beforeTheApp = async (click: () => Promise<void>) => {
    const open = await holdBack(page);
    await page.reload({ waitUntil: 'domcontentloaded' });
    await click();
    open();
  };
  // Repeated clicks count once: a user who waits for a menu does not mean to close it.
  await beforeTheApp(() => page.getByRole('button', { name: 'Open menu' }).dblclick());
  await page.getByRole('button', { name: 'Close menu' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' }).click();
  await page.getByRole('heading', { level: 1, name: 'Images' }).waitFor();
  await page.getByRole('button', { name: 'Open menu' }).waitFor();
  await beforeTheApp(() => page.getByRole('button', { name: /sign out$/ }).press('Enter'));
  await page.getByRole('menuitem', { name: 'Your name and password' }).click();
  await page.getByRole('heading', { level: 1, name: 'You' }).waitFor();
});

story('the sign-in form can be submitted before hydration, unless the user goes on typing', async (t, app) => {
  const { page, address } = await createCustomerPage(t, app);
  const sent: string[] = [];
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/admin/sign-in')) sent.push(request.postData()!);
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  const field = page.getByRole('textbox', { name: 'Password' });
  const beforeTheApp = async (send: () => Promise<void>) => {
    const open = await holdBack(page);
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await page.getByLabel('E-mail address').fill(customerFields().user_email!);
    await send();
    open();
    await page.locator('#root[data-is-app]').waitFor();
  };
  const submitted = page.locator('form[data-submitted]');
  await beforeTheApp(async () => {
    await page.getByLabel('E-mail address').press('Enter');
    // The browser moves the focus to the missing password.
    await field.and(page.locator(':focus')).waitFor();
    assert.equal(await submitted.count(), 0);
    await page.keyboard.type('half a pass');
    await page.keyboard.press('Enter');
    await submitted.waitFor();
    await page.keyboard.type('word');
    assert.equal(await submitted.count(), 0);
  });
  // The form is hydrated: if the app had rebuilt it, the input would be lost.
  await page.getByRole('button', { name: 'Sign in with a passkey' }).and(page.locator(':enabled')).waitFor();
  assert.equal(await field.inputValue(), 'half a password');
  assert.deepEqual(sent, []);

  for (const send of [
    () => field.press('Enter'),
    () => page.getByRole('button', { name: 'Sign in', exact: true }).dblclick(),
  ]) {
    documents.length = 0;
    await beforeTheApp(async () => {
      await field.fill(password);
      await send();
      await submitted.waitFor();
      assert.equal(await field.inputValue(), password);
    });
    await page.getByRole('tree').waitFor();
    assert.deepEqual(documents, ['/sign-in', '/pages'], 'the browser does not submit the form itself');
    await signOut(page);
  }
  const { searchParams } = new URL(address);
  const input = { email: customerFields().user_email, password, account: searchParams.get('account') };
  assert.deepEqual(
    sent.map((body) => JSON.parse(body)),
    [input, input],
  );
});

story('early input, submits and clicks count even if a password manager adds elements to forms', async (t, app) => {
  const { page, context, address } = await createCustomerPage(t, app);
  // React rebuilds everything in this case, and reports an error.
  page.removeAllListeners('pageerror');
  await context.addInitScript(`document.addEventListener('DOMContentLoaded', () => {
    for (const input of document.querySelectorAll('input')) input.after(document.createElement('div'));
  })`);
  const beforeTheApp = async (act: () => Promise<void>) => {
    const open = await holdBack(page);
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await page.locator('input + div').first().waitFor({ state: 'attached' });
    await page.evaluate('globalThis.before = document.querySelector("form")');
    await act();
    open();
    await page.locator('#root[data-is-app]').waitFor();
  };
  const email = page.getByLabel('E-mail address');
  const field = page.getByRole('textbox', { name: 'Password' });
  await beforeTheApp(async () => {
    await email.fill(customerFields().user_email!);
    await field.pressSequentially('half a pass');
  });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).and(page.locator(':enabled')).waitFor();
  assert.equal(await page.evaluate('before.isConnected'), false);
  await page.keyboard.type('word');
  assert.equal(await email.inputValue(), customerFields().user_email);
  assert.equal(await field.inputValue(), 'half a password');

  await beforeTheApp(async () => {
    await email.fill(customerFields().user_email!);
    await field.fill(password);
    await field.press('Enter');
  });
  await page.getByRole('tree').waitFor();

  await page.setViewportSize({ width: 412, height: 823 });
  const open = await holdBack(page);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  open();
  await page.getByRole('button', { name: 'Close menu' }).waitFor();
});

story('the form for a forgotten password does not move when the app hydrates it', async (t, app) => {
  const { page, address, subdomain } = await createCustomerPage(t, app);
  const open = await holdBack(page);
  await page.goto(address.replace('sign-in', 'forgotten-password'), { waitUntil: 'domcontentloaded' });
  const top = async () => Math.round((await page.getByRole('button', { name: 'Send the link' }).boundingBox())!.y);
  const before = await top();
  open();
  // The app fills in the site from the address.
  const site = page.getByLabel('Site (optional)');
  await eventually(
    t,
    () => site.inputValue(),
    (value) => value === subdomain,
  );
  assert.equal(await top(), before);
});

story('the forms for a forgotten and a new password can be submitted before hydration', async (t, app) => {
  const { page, address } = await createCustomerPage(t, app);
  const beforeTheApp = async (path: string, label: string, value: string) => {
    const open = await holdBack(page);
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await page.getByLabel(label).fill(value);
    await page.keyboard.press('Enter');
    await page.locator('form[data-submitted]').waitFor();
    open();
  };
  const email = customerFields().user_email!;
  await beforeTheApp(address.replace('sign-in', 'forgotten-password'), 'E-mail address', email);
  await page.getByRole('status').waitFor();
  await beforeTheApp(await nextTokenLink(app, email), 'New password', 'another password of hers');
  await page.getByRole('tree').waitFor();
});

story('the sign-in form can be submitted at the very moment of hydration', async (t, app) => {
  const { page, address } = await createCustomerPage(t, app);
  const values = JSON.stringify([customerFields().user_email, password]);
  // Submits the form as soon as the app has started, before it has rendered anything.
  await page.addInitScript({
    content: `document.addEventListener('DOMContentLoaded', () => {
      const root = document.querySelector('#root[data-screen], #root');
      new MutationObserver((_, observer) => {
        observer.disconnect();
        const form = document.querySelector('form');
        if (!form || !location.pathname.startsWith('/sign-in')) return;
        ${values}.forEach((value, at) => { form.querySelectorAll('input')[at].value = value; });
        form.requestSubmit();
      }).observe(root, { attributeFilter: ['data-is-app'] });
    });`,
  });
  await page.goto(address);
  await page.getByRole('tree').waitFor();
});

interface Seen {
  readonly isSame: boolean;
  /** The cumulative layout shift. */
  readonly moved: number;
  readonly largestWasThere: boolean;
  readonly largest: string;
}

/** Records layout shifts, large paints, and the time of hydration. */
const watchPaints = `
  globalThis.watch = (type) => {
    const entries = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type, buffered: true });
    return () => {
      entries.push(...observer.takeRecords());
      return entries;
    };
  };
  globalThis.shifts = watch('layout-shift');
  globalThis.paints = watch('largest-contentful-paint');
  // The time of hydration. Paints are timed when they reach the screen, on a busy machine long after their frame.
  new MutationObserver(() => {
    if (document.querySelector('#root[data-is-app]')) globalThis.takenOverAt ??= performance.now();
  }).observe(document, { subtree: true, attributeFilter: ['data-is-app'] });
`;

/**
 * Opens the address without scripts, and waits until the first view, with the element that `text` selects, has been painted.
 * Returns what releases the scripts.
 */
async function firstView(page: Page, address: string, text?: string): Promise<() => void> {
  // `holdBack` blocks web fonts, too: with them, lines could break elsewhere than with this machine's fallback font.
  const open = await holdBack(page);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  if (text) await page.locator(text).first().waitFor();
  await page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    while (paints().length === 0) await frame();
    await frame();
    await frame();
    globalThis.before = document.querySelector('header');
  })()`);
  return open;
}

/** Releases the scripts, and returns what has changed once the app has hydrated the screen. */
async function hydrate(page: Page, open: () => void): Promise<Seen> {
  open();
  await waitUntilLoaded(page);
  return page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const largest = paints().at(-1);
    return {
      isSame: globalThis.before.isConnected,
      moved: shifts().reduce((sum, { value }) => sum + value, 0),
      largestWasThere: largest.startTime < globalThis.takenOverAt,
      largest: largest.element?.textContent ?? '',
    };
  })()`) as Promise<Seen>;
}

story(
  'a page’s name and text can be read before hydration, and the editor shows them in the same place',
  async (t, app) => {
    const { page } = await signedInPage(t, app);
    for (const width of [320, 412, 1280]) {
      await page.setViewportSize({ width, height: 823 });
      for (const bodyFormat of ['wysiwyg_format', 'markdown_format']) {
        const name = `A page with a name that takes more than one line on a phone, in ${bodyFormat}, ${width}`;
        const isHidden = bodyFormat === 'markdown_format';
        const id = await createPublished(page, { name, body: bodies[bodyFormat], bodyFormat, isHidden });
        const requests: string[] = [];
        page.on('request', (request) => requests.push(new URL(request.url()).pathname));
        const open = await holdBack(page);
        await page.goto(`${new URL(page.url()).origin}/pages/${id}`, { waitUntil: 'domcontentloaded' });
        await page.locator('[data-meanwhile]').getByText('Written words').first().waitFor();
        assert.equal(await page.getByRole('textbox', { name: 'Name of the page' }).inputValue(), name);
        assert.equal(await page.getByText('This page is not in the navigation.').isVisible(), isHidden);
        const before = await placesOf(page);
        open();
        await page.locator('.ProseMirror, .cm-content').waitFor();
        const after = await placesOf(page);
        assert.equal(before.length, 9);
        assert.match(before[0]!, /in front/);
        assert.deepEqual(after, before, `${bodyFormat} moves on ${width} pixels`);
        // The app uses the responses to the requests that the HTML has made.
        const once = requests.filter((path) => path === '/admin/session' || path === `/admin/pages/${id}`);
        assert.deepEqual(once.sort(), [`/admin/pages/${id}`, '/admin/session']);
        page.removeAllListeners('request');
      }
    }
  },
);

story('a page whose script cannot be loaded says so, and offers to try again', async (t, app) => {
  const { page } = await signedInPage(t, app);
  const shared = /\/-\/app\/strings-.+\.js$/;
  await page.route(shared, (route) => route.abort());
  await page.reload();
  const failure = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await failure.waitFor();
  await checkAccessible(page, 'without the app');
  await page.unroute(shared);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('tree').waitFor();
  assert.equal(await failure.count(), 0);
});

story('hostile text of a page runs nothing, loads nothing and imitates nothing before hydration', async (t, app) => {
  const { page } = await signedInPage(t, app, { isForeign: true });
  const { origin } = new URL(page.url());
  for (const bodyFormat of ['wysiwyg_format', 'markdown_format']) {
    const fields = { name: `"><img src=/stolen-0 onerror=ran=0> ${bodyFormat}`, body: hostile, bodyFormat };
    const id = await createPublished(page, fields);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.route(files, (route) => route.abort());
    await page.goto(`${origin}/pages/${id}`);
    const place = page.locator('[data-meanwhile]');
    await place.getByText('Plain words').first().waitFor();
    await place.getByText('Last words').first().waitFor();
    const found = await page.evaluate(`({
      attributes: [...document.querySelectorAll('[data-meanwhile] > :not(:empty):not(:has(.mantine-Skeleton-root)) *')]
        .flatMap(({ attributes }) => [...attributes].map(({ name }) => name)),
      elements: [...new Set([...document.querySelectorAll('[data-meanwhile] > :not(:has(.mantine-Skeleton-root)) *')]
        .map(({ localName }) => localName))].sort(),
      ran: globalThis.ran,
      isShown: getComputedStyle(document.body).display,
      rests: document.querySelectorAll('#rest, #root').length,
      base: document.baseURI,
    })`);
    assert.deepEqual(found, {
      attributes: [],
      elements: bodyFormat === 'markdown_format' ? [] : ['a', 'p', 'span', 'table', 'tbody', 'td', 'tr'],
      ran: undefined,
      isShown: 'block',
      rests: 2,
      base: `${origin}/pages/${id}`,
    });
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(origin) || /stolen/.test(url)),
      [],
    );
    page.removeAllListeners('request');
  }
});

story('the first view shows the user’s draft, or only the local copy if this browser has one', async (t, app) => {
  const { page } = await signedInPage(t, app);
  const id = await createPublished(page, {
    name: 'Kept',
    body: 'With the service',
    bodyFormat: 'markdown_format',
  });
  const { user } = (await page.evaluate(`fetch('/admin/session').then((answer) => answer.json())`)) as {
    user: { id: number };
  };
  const draft = { body: 'Draft', bodyFormat: 'markdown_format' };
  const { updatedAt } = (await callAdmin(page, 'PUT', `pages/${id}/draft`, {
    fields: draft,
    basedOn: 1,
    draftAt: null,
  })) as unknown as { updatedAt: number };
  const { origin } = new URL(page.url());
  await page.route(files, (route) => route.abort());
  await page.goto(`${origin}/pages/${id}`);
  await page.locator('[data-meanwhile]').getByText('Draft', { exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  const fields = { body: 'In this browser', bodyFormat: 'markdown_format' };
  const copy = { fields, basedOn: 1, at: 0, draftAt: updatedAt };
  await page.evaluate(`localStorage.setItem('app:draft:${user.id}:${id}:a', ${JSON.stringify(JSON.stringify(copy))})`);
  await page.addInitScript(`{
    const texts = (globalThis.texts = new Set());
    new MutationObserver(() => {
      texts.add(document.querySelector('[data-meanwhile], .cm-content')?.textContent);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }`);
  await page.goto(`${origin}/pages/${id}`);
  await page.locator('.cm-content').getByText('In this browser').waitFor();
  const texts = (await page.evaluate('[...texts].filter(Boolean)')) as string[];
  assert.deepEqual(
    texts.filter((text) => !text.startsWith('In this browser')),
    [],
  );
});

story(
  'a mailed link shows its address before hydration, requests it once, and is used only by the button',
  async (t, app) => {
    const { page } = await signedInPage(t, app);
    await callAdmin(page, 'POST', 'email', { email: 'ruth.new@example.com', current: password }).catch(() => {});
    const link = await nextTokenLink(app, 'ruth.new@example.com');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') requests.push(new URL(request.url()).pathname);
    });
    const open = await holdBack(page);
    await page.goto(link, { waitUntil: 'domcontentloaded' });
    const words = page.getByText('You will sign in as ruth.new@example.com,');
    await words.waitFor();
    const before = await words.boundingBox();
    open();
    const button = page.getByRole('button', { name: 'Use this address' });
    await page.locator('button:enabled').waitFor();
    assert.deepEqual(await words.boundingBox(), before);
    assert.deepEqual(requests, ['/admin/one-time-link']);
    await button.click();
    await page.getByRole('heading', { name: 'Your address is changed' }).waitFor();
    assert.deepEqual(requests, ['/admin/one-time-link', '/admin/confirm-email']);
  },
);

story('the form for a new password does not move when the user’s address appears', async (t, app) => {
  const { page, subdomain, address } = await createCustomerPage(t, app);
  const { origin } = new URL(address);
  const email = customerFields().user_email!;
  const data = { account: subdomain, email };
  await page.context().request.post(`${origin}/admin/forgotten-password`, { headers: { Origin: origin }, data });
  const link = await nextTokenLink(app, email);
  const sent = Promise.withResolvers<void>();
  await page.route('**/admin/one-time-link', (route) => sent.promise.then(() => route.continue()));
  // A web font that arrives late would change the lines.
  await page.route(/\.woff2$/, (route) => route.abort());
  await page.goto(link);
  const field = page.getByRole('textbox', { name: 'New password' });
  const before = await field.boundingBox();
  sent.resolve();
  await page.getByText(`For ${email}`).waitFor();
  assert.deepEqual(await field.boundingBox(), before);
});

describeTestApp(
  'the admin app: before hydration',
  Object.fromEntries(stories.map(([name, run]) => [name, (app) => (t) => run(t, app)])),
);

const bodies: Readonly<Record<string, string>> = {
  wysiwyg_format: `<h1>A heading</h1>
    <p>Written words, <b>bold</b> and <a href="/far">linked</a>, that go on until there is another line of them.</p>
    <ul><li>One item</li><li><p>Another item</p></li></ul>
    <h2>Lesser heading</h2>
    <blockquote><p>A quote</p></blockquote>
    <table><tbody><tr><th>Column</th></tr><tr><td>A cell</td></tr></tbody></table>
    <pre><code>A line\n  of code</code></pre>
    <p>Last words</p>`,
  markdown_format: `A heading

Written words, bold and linked, that go on until there is another line of them.

One item
Another item

Lesser heading
A quote
Column
A cell
Last words
`,
};

/** Returns the position of each expected text, and whether the text is in front. */
function placesOf(page: Page): Promise<string[]> {
  return page.evaluate(`{
    const place = document.querySelector('.ProseMirror, .cm-content, [data-meanwhile]');
    const texts = ['A heading', 'Written', 'One item', 'Another item', 'Lesser', 'A quote', 'Column', 'A cell', 'Last'];
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const found = new Map();
    while (walker.nextNode()) {
      for (const text of texts) {
        const at = walker.currentNode.data.indexOf(text);
        if (at < 0 || found.has(text)) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + text.length);
        const { left, top } = range.getBoundingClientRect();
        const isSeen = place.contains(document.elementFromPoint(left + 4, top + 4));
        found.set(text, text + ' ' + Math.round(left) + ' ' + Math.round(top) + (isSeen ? ' in front' : ''));
      }
    }
    [...found.values()];
  }`) as Promise<string[]>;
}

const gates = new WeakMap<Page, Promise<void>>();

/**
 * Holds back the app's scripts and styles until the returned function is called, and blocks all fonts. The routes stay: a
 * request that is made while a route is being removed may never be answered.
 */
async function holdBack(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  if (!gates.has(page)) {
    await page.route(files, async (route) => {
      await gates.get(page);
      await route.continue();
    });
    await page.route(/\.woff2$/, (route) => route.abort());
  }
  gates.set(page, gate.promise);
  return gate.resolve;
}

/** HTML of every kind that acts merely by being in a document. */
const hostile = `<p id="root" class="mantine-Modal-root" style="position:fixed;inset:0" onclick="ran=1">Plain words</p>
  <img src="/stolen-1" srcset="/stolen-2 2x" onerror="ran=2" onload="ran=3"><svg onload="ran=4"><script>ran=5</script>
  <image href="/stolen-3" /><use href="/stolen-4#a" /></svg><iframe src="/stolen-5"></iframe>
  <iframe srcdoc="<script>parent.ran=6</script>"></iframe><link rel="stylesheet" href="/stolen-6">
  <style>@import "/stolen-7"; body { display: none }</style><base href="https://elsewhere.example/">
  <meta http-equiv="refresh" content="0;url=/stolen-8"><form id="rest" action="/stolen-9"><input autofocus onfocus="ran=7"
  name="asked"><button id="main">Go</button></form><object data="/stolen-10"></object><embed src="/stolen-11">
  <video src="/stolen-12" poster="/stolen-13" autoplay></video><audio src="/stolen-14" autoplay></audio>
  <template id="rest"><script>ran=8</script></template><script>ran=9</script><script src="/stolen-15"></script>
  <math><mtext><table><mglyph><style><img src="/stolen-16" onerror="ran=10"></style></mglyph></table></mtext></math>
  <a href="javascript:ran=11" ping="/stolen-17">A link</a><details open ontoggle="ran=12">More</details>
  <table background="/stolen-18"><tr><td background="/stolen-19">A cell</td></tr></table>
  <div data-meanwhile data-style="display:none" data-screen="x" nonce="x" is="x">Last words</div>`;
