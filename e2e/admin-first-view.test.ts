import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { begin, beginInside, checkAccessible, enter, openHouse, whole } from './house.ts';

/* What is to be seen before the app is there: it comes with the page, and the app takes it over. */

const files = /\/-\/app\/.+\.(?:js|css)$/;

/** What those who are signed in begin with. What is large on a page's own screens is the page's. */
const screens = [
  { path: '/pages', heading: 'Pages' },
  { path: '/pages/PAGE', heading: 'Edit page', isOfPage: true },
  { path: '/pages/PAGE/revisions', heading: 'Earlier versions' },
  { path: '/images', heading: 'Images' },
  { path: '/settings', heading: 'Site' },
  { path: '/settings/site', heading: 'Site' },
  { path: '/settings/look', heading: 'Look' },
  { path: '/settings/domains', heading: 'Domains' },
  { path: '/settings/people', heading: 'People' },
  { path: '/settings/keys', heading: 'API keys' },
  { path: '/settings/log', heading: 'Log' },
  { path: '/settings/you', heading: 'You' },
];

const doors = [
  { path: '/sign-in', heading: 'Sign in' },
  { path: '/forgotten-password', heading: 'Forgotten your password?' },
  { path: '/reset-password', heading: 'Choose a new password' },
  { path: '/confirm-email', heading: 'Your new address' },
];

test('every screen has its heading and its frame before any script is there, and axe finds nothing in them', async (t) => {
  const house = await openHouse(t, 'sqlite');
  const { page, address, pages } = await begin(t, house, { viewport: { width: 412, height: 823 } });
  await page.context().route(files, (route) => route.abort());
  const check = async (path: string, heading: string) => {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await checkAccessible(page, path);
  };
  const { origin } = new URL(page.url());
  for (const { path, heading } of doors) await check(origin + path, heading);
  await page.context().unroute(files);
  await enter(page, address);
  const id = (await pages())[0]!.id.replace('page_', '');
  await page.context().route(files, (route) => route.abort());
  for (const { path, heading } of screens) await check(origin + path.replace('PAGE', id), heading);
});

test('the app takes over what is there: nothing is built anew, nothing moves, nothing larger comes later', async (t) => {
  const house = await openHouse(t, 'sqlite');
  const { page, context, pages } = await beginInside(t, house, { viewport: { width: 412, height: 823 } });
  const { origin } = new URL(page.url());
  const id = (await pages())[0]!.id.replace('page_', '');
  for (const { path, isOfPage } of screens) {
    const seen = await takenOver(context, origin + path.replace('PAGE', id));
    assert.equal(seen.isSame, true, `${path} was built anew`);
    assert.ok(seen.moved < 0.01, `${path} moves by ${seen.moved}`);
    if (!isOfPage) assert.equal(seen.largestWasThere, true, `${path} gets something larger: ${seen.largest}`);
  }
});

test('what is written in the search before the app is there is searched for', async (t) => {
  const house = await openHouse(t, 'sqlite');
  const { page } = await beginInside(t, house);
  const gate = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('searchbox', { name: 'Search pages' }).fill('contac');
  gate.resolve();
  await page.getByRole('main').getByRole('link', { name: 'Contact' }).waitFor();
});

test('what is clicked before the app is there is done once it is', async (t) => {
  const house = await openHouse(t, 'sqlite');
  const { page } = await beginInside(t, house, { viewport: { width: 412, height: 823 } });
  const beforeTheApp = async (click: () => Promise<void>) => {
    const gate = Promise.withResolvers<void>();
    await page.route(files, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'domcontentloaded' });
    await click();
    gate.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
  // However often: nobody who waits for a menu means to close it.
  await beforeTheApp(() => page.getByRole('button', { name: 'Open menu' }).dblclick());
  await page.getByRole('button', { name: 'Close menu' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' }).click();
  await page.getByRole('heading', { level: 1, name: 'Images' }).waitFor();
  await page.getByRole('button', { name: 'Open menu' }).waitFor();
  await beforeTheApp(() => page.getByRole('button', { name: /sign out$/ }).press('Enter'));
  await page.getByRole('menuitem', { name: 'Name, password, sessions' }).click();
  await page.getByRole('heading', { level: 1, name: 'You' }).waitFor();
});

interface Seen {
  readonly isSame: boolean;
  /** As browsers measure it, from 0 to 1. */
  readonly moved: number;
  readonly largestWasThere: boolean;
  readonly largest: string;
}

/** Opens the address, and lets the scripts come once what there is without them has been painted. */
async function takenOver(context: BrowserContext, address: string): Promise<Seen> {
  const page = await context.newPage();
  const gate = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await gate.promise;
    await route.continue();
  });
  // Lines break elsewhere in another font, as far as it is from what this machine has in its place.
  await page.route(/\.woff2$/, (route) => route.abort());
  await page.addInitScript(`
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
  `);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await page.evaluate(`(async () => {
    while (paints().length === 0) await new Promise(requestAnimationFrame);
    globalThis.before = document.querySelector('header');
    globalThis.opened = performance.now();
  })()`);
  gate.resolve();
  await whole(page);
  const seen = await page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const largest = paints().at(-1);
    return {
      isSame: globalThis.before.isConnected,
      moved: shifts().reduce((sum, { value }) => sum + value, 0),
      largestWasThere: largest.startTime < globalThis.opened,
      largest: largest.element?.textContent ?? '',
    };
  })()`);
  await page.close();
  return seen as Seen;
}
