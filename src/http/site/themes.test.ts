import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { forShortLives, launchBrowser } from '../../../test/browser.ts';
import { siteViews } from '../../../test/site-views.ts';
import { serveViews, type ViewName, type ViewServer } from '../../../test/view-server.ts';
import { type Theme, themes } from '../../sites/site.ts';

/**
 * The source of axe, which is evaluated in the page in spite of the policy. Its rules for whole pages are on; contrast is
 * measured as painted.
 */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const views = Object.keys(siteViews) as ViewName[];

suite('the themes, in a browser', () => {
  let browser: Browser;
  let server: ViewServer;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(forShortLives), serveViews()]);
  });
  after(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  for (const theme of themes) {
    test(`${theme}: axe finds no violations on any page, light or dark, and no page is wider than the screen`, async () => {
      const findings: string[] = [];
      await using page = await pageIn({ width: 1280 });
      for (const view of views) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(server.url(theme, view));
        await page.evaluate(axe);
        for (const found of await violations(page)) findings.push(`${view}: ${found}`);
        // Only the colours differ between light and dark.
        await page.emulateMedia({ colorScheme: 'dark' });
        for (const found of await violations(page, ['color-contrast'])) findings.push(`${view} in the dark: ${found}`);
        // A desktop screen, and the narrowest phone.
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (needed > width) findings.push(`${view} needs ${needed} of ${width}`);
        }
      }
      assert.deepEqual(findings, []);
    });

    test(`${theme}: axe finds no violations on a phone with the menu open`, async () => {
      await using page = await pageIn({ width: 375 });
      await page.goto(server.url(theme, 'home'));
      await openMenu(page);
      await page.evaluate(axe);
      assert.deepEqual(await violations(page), []);
    });

    test(`${theme}: links and buttons outside of text are at least 24 pixels high`, async () => {
      await using page = await pageIn({ width: 375 });
      const small: string[] = [];
      for (const view of ['home', 'section', 'deep', 'notFound'] satisfies ViewName[]) {
        await page.goto(server.url(theme, view));
        small.push(...(await page.evaluate<string[]>(smallTargets)));
      }
      assert.deepEqual(small, []);
    });

    test(`${theme}: no separator of the breadcrumbs is alone on a line`, async () => {
      await using page = await pageIn({ width: 375 });
      await page.goto(server.url(theme, 'deep'));
      const higher = `[...document.querySelectorAll('.breadcrumbs li')]
        .filter((item) => item.clientHeight > item.firstElementChild.getBoundingClientRect().height + 1)
        .map(({ textContent }) => innerWidth + ': ' + textContent)`;
      const found: string[] = [];
      for (let width = 120; width <= 320; width += 4) {
        await page.setViewportSize({ width, height: 800 });
        found.push(...(await page.evaluate<string[]>(higher)));
      }
      assert.deepEqual(found, []);
    });

    test(`${theme}: navigation, buttons and embeds are not printed`, async () => {
      await using page = await pageIn({ width: 1280 });
      await page.emulateMedia({ media: 'print' });
      const printed: string[] = [];
      for (const view of views) {
        await page.goto(server.url(theme, view));
        const found = page
          .locator('nav, .site-footer, .menu-button, .skip, .sub-pages, .embed, .button')
          .filter({ visible: true });
        const names = await found.evaluateAll((all: { outerHTML: string }[]) =>
          all.map(({ outerHTML }) => outerHTML.slice(0, 80)),
        );
        printed.push(...names.map((name) => `${view}: ${name}`));
      }
      assert.deepEqual(printed, []);
    });

    test(`${theme}: everything is printed within the page, also on a wide one`, async () => {
      await using page = await pageIn({ width: 1280 });
      await page.emulateMedia({ media: 'print' });
      const outside: string[] = [];
      for (const view of views) {
        await page.goto(server.url(theme, view));
        const found = await page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
          .filter((element) => element.checkVisibility() && !element.closest('.unseen') && element.getBoundingClientRect().left < -1)
          .map(({ outerHTML }) => outerHTML.slice(0, 80))`);
        outside.push(...found.map((html) => `${view}: ${html}`));
      }
      assert.deepEqual(outside, []);
    });

    test(`${theme}: nothing is loaded from other hosts, and nothing violates the policy`, async () => {
      await using page = await pageIn({ width: 1280 });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('request', (request) => {
        if (new URL(request.url()).host !== new URL(server.url(theme, 'home')).host) complaints.push(request.url());
      });
      for (const view of ['home', 'article'] satisfies ViewName[]) {
        await page.goto(server.url(theme, view), { waitUntil: 'load' });
      }
      // The placeholder frame of a video has no URL.
      assert.deepEqual(
        complaints.filter((complaint) => complaint !== 'about:blank'),
        [],
      );
    });
  }

  test('typographic: the sub-pages in the menu open and close by keyboard', () => byKeyboard('typographic'));
  test('business: the sub-pages in the menu open and close by keyboard', () => byKeyboard('business'));

  async function byKeyboard(theme: Theme) {
    await using page = await pageIn({ width: 1280 });
    await page.goto(server.url(theme, 'home'));
    const first = page.locator('#menu').getByText('Oak barns');
    assert.equal(await first.isVisible(), false);
    // Tab past the skip link, the site's name, Home and Timber frames to the button of Timber frames.
    for (let step = 0; step < 5; step++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await first.isVisible(), true);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Oak barns');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    assert.equal(await first.isVisible(), false);
  }

  test('an open submenu closes when another opens, or on a click elsewhere', async () => {
    await using page = await pageIn({ width: 1280 });
    await page.goto(server.url('business', 'home'));
    const opened = page.locator('.menu [open]');
    await page.locator('.menu summary').nth(0).click();
    await page.locator('.menu summary').nth(1).click();
    assert.equal(await opened.count(), 1);
    await page.mouse.click(640, 700);
    assert.equal(await opened.count(), 0);
  });

  test('the phone menu opens by keyboard, is next in the tab order, and closes with Escape', async () => {
    await using page = await pageIn({ width: 375 });
    await page.goto(server.url('typographic', 'home'));
    const menu = page.locator('#menu');
    await page.locator('.menu-button').focus();
    await page.keyboard.press('Enter');
    assert.equal(await menu.isVisible(), true);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'menu-close');
    await page.keyboard.press('Escape');
    assert.equal(await menu.isVisible(), false);
    assert.equal(await page.evaluate('document.activeElement.className'), 'menu-button');
  });

  test('the skip link is visible when it has the focus, and leads to the content', async () => {
    await using page = await pageIn({ width: 1280 });
    await page.goto(server.url('typographic', 'home'));
    await page.keyboard.press('Tab');
    const box = await page.locator('.skip').boundingBox();
    assert.ok(box && box.y >= 0);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  });

  /** Opens a page with reduced motion, so that no colour is measured during a transition. */
  async function pageIn({ width }: { width: number }) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    return Object.assign(await context.newPage(), { [Symbol.asyncDispose]: () => context.close() });
  }
});

async function openMenu(page: Page) {
  const button = page.locator('.menu-button');
  if (await button.isVisible()) await button.click();
  const summary = page.locator('.menu summary').first();
  if (await summary.isVisible()) await summary.click();
}

async function violations(page: Page, runOnly?: string[]): Promise<string[]> {
  // Report only violations, and only their HTML. Frames do not have axe, and it would wait for each to answer.
  const options = { resultTypes: ['violations'], selectors: false, iframes: false, runOnly };
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ' ' + html + ' ' + (any[0]?.message ?? ''))))`);
}

/** Finds targets that are smaller than WCAG 2.2, 2.5.8 requires, except links in sentences. */
const smallTargets = `[...document.querySelectorAll('a, button, summary')]
  .filter((element) => element.checkVisibility() && !element.closest('p:not([class]), .skip'))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([element, { height, width }]) => height > 0 && height < 24 && !element.closest('h1, h2, h3, .prose'))
  .map(([element, { height }]) => element.outerHTML.slice(0, 80) + ' is ' + Math.round(height))`;
