import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../../test/browser.ts';
import { serveViews, type ViewName, type ViewServer } from '../../../../test/view-server.ts';
import type { Theme } from '../../../sites/site.ts';

suite('the tree of the documentation theme, and the index of the portfolio theme', () => {
  let browser: Browser;
  let server: ViewServer;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), serveViews()]);
  });
  after(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  async function open(theme: Theme, view: ViewName, width: number): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, javaScriptEnabled: false });
    await page.goto(server.url(theme, view));
    return page;
  }

  test('documentation: on wide screens the tree and the headings are visible', async () => {
    await using page = await open('documentation', 'article', 1280);
    assert.equal(await page.locator('.menu-button').isVisible(), false);
    assert.equal(await page.locator('.tree').getByText('Raising day at Millbrook').isVisible(), true);
    assert.equal(await page.locator('.toc').getByText('Drawing it').isVisible(), true);
  });

  test('documentation: on phones the tree and headings are folded, and open by keyboard without a script', async () => {
    await using page = await open('documentation', 'article', 375);
    const branch = page.locator('.tree').getByText('Raising day at Millbrook');
    const heading = page.locator('.toc').getByText('Drawing it');
    assert.deepEqual([await branch.isVisible(), await heading.isVisible()], [false, false]);
    await page.locator('.toc summary').press('Enter');
    assert.equal(await heading.isVisible(), true);
    await page.locator('.menu-button').press('Enter');
    assert.equal(await branch.isVisible(), true);
    await page.keyboard.press('Escape');
    assert.equal(await branch.isVisible(), false);
  });

  test('documentation: a branch of a large tree opens and closes by keyboard', async () => {
    await using page = await open('documentation', 'extreme', 1280);
    const summary = page.locator('.tree summary').first();
    const child = page.locator('.tree details').first().getByText('Unterseite 2', { exact: true });
    assert.equal(await child.isVisible(), false);
    await summary.press('Enter');
    assert.equal(await child.isVisible(), true);
    await summary.press('Space');
    assert.equal(await child.isVisible(), false);
  });

  test('portfolio: the index opens by keyboard, closes with Escape, and includes sub-pages', async () => {
    await using page = await open('portfolio', 'home', 1280);
    const below = page.locator('#menu').getByText('Raising day at Millbrook');
    assert.equal(await below.isVisible(), false);
    await page.locator('.menu-button').press('Enter');
    assert.equal(await below.isVisible(), true);
    await page.keyboard.press('Escape');
    assert.equal(await below.isVisible(), false);
  });

  test('portfolio: root pages are in the header if they fit, and otherwise only in the index', async () => {
    await using few = await open('portfolio', 'home', 1280);
    assert.equal(await few.locator('.roots').isVisible(), true);
    await using many = await open('portfolio', 'extreme', 1280);
    assert.equal(await many.locator('.roots').isVisible(), false);
    assert.equal(await many.locator('.menu-button').isVisible(), true);
  });
});
