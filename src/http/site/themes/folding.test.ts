import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { forShortLives, launchBrowser } from '../../../../test/browser.ts';
import { arabic, bare } from '../../../../test/site-views.ts';
import { serveViews, type ViewServer } from '../../../../test/view-server.ts';
import type { PageView } from '../view.ts';

/** Returns a page of a site with these root pages. */
function withRoots(names: readonly string[], view: PageView = bare): PageView {
  const navigation = names.map((name, index) => {
    const path = index === 0 ? '/' : `/${index}`;
    return { name, path, children: [], isCurrent: index === 1, isAncestor: false, hasMore: false };
  });
  return { ...view, navigation };
}

const german = ['Startseite', 'Dienstleistungsangebot', 'Öffnungszeiten', 'Veranstaltungskalender', 'Über uns'];
const menus = {
  short: withRoots(['Home', 'Bread', 'Contact']),
  german: withRoots([...german, 'Ansprechpartner', 'Datenschutzerklärung']),
  many: withRoots(Array.from({ length: 12 }, (_, index) => german[index % 5]!)),
  japanese: withRoots(Array.from({ length: 12 }, () => 'お問い合わせ')),
  arabic: withRoots(['الرئيسية', 'خبزنا', 'الكعك والحلويات', 'المخبز', 'الأسعار', 'أوقات العمل', 'اتصل بنا'], arabic),
};

const widths = [320, 375, 768, 1024, 1280, 1920];

/** Describes the header after it is painted: the rows of visible links, whether the button is visible, and the size. */
const found = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => {
  const seen = (selector) => [...document.querySelectorAll('.site-header ' + selector)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const links = seen('nav a');
  return {
    rows: new Set(links.map((link) => Math.round(link.getBoundingClientRect().top))).size,
    hasButton: seen('.menu-button').length > 0,
    height: document.querySelector('.site-header').getBoundingClientRect().height,
    width: Math.max(
      document.documentElement.scrollWidth,
      ...seen('a, button').map((one) => one.getBoundingClientRect().right),
    ),
  };
})`;

interface Found {
  rows: number;
  hasButton: boolean;
  height: number;
  width: number;
}

suite('menus', () => {
  let browser: Browser;
  let server: ViewServer<keyof typeof menus>;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(forShortLives), serveViews(menus)]);
  });
  after(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  for (const theme of ['typographic', 'business', 'portfolio'] as const) {
    test(`${theme}: the menu is one line if it fits, and otherwise a button`, async () => {
      await using page = await browser.newPage();
      const shown: Record<string, string> = {};
      const heights: Record<number, number> = {};
      for (const menu of Object.keys(menus) as (keyof typeof menus)[]) {
        await page.goto(server.url(theme, menu));
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          const { rows, hasButton, height, width: needed } = await page.evaluate<Found>(found);
          assert.equal(rows, hasButton ? 0 : 1, `${menu} at ${width}`);
          assert.ok(needed <= width, `${menu} at ${width} needs ${needed}`);
          heights[width] ??= height;
          if (width >= 768) assert.equal(height, heights[width], `${menu} at ${width}: as high in any form`);
          shown[menu] = (shown[menu] ?? '') + (hasButton ? '=' : '-');
        }
      }
      assert.match(shown.short!, /^==-+$/);
      assert.match(shown.german!, /^===/);
      assert.match(shown.arabic!, /^==.*-$/);
      assert.match(shown.many!, /^====/);
    });
  }

  test('a folded menu opens by keyboard, and closing it returns the focus to its button', async () => {
    await using page = await browser.newPage({ viewport: { width: 1024, height: 800 } });
    await page.goto(server.url('business', 'many'));
    for (const expected of ['skip', 'brand', 'menu-button']) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.className'), expected);
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Startseite');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.className'), 'menu-button');
    // The animation that folds the menu takes effect with the next frame, before a user could press another key.
    await page.locator('#menu').waitFor({ state: 'hidden' });
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate("document.activeElement.closest('#menu')"), null);
  });
});
