import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Theme } from '../src/sites/site.ts';
import { themes } from '../src/sites/site.ts';
import { launchBrowser } from '../test/browser.ts';
import { siteViews } from '../test/site-views.ts';
import { serveViews, type ViewName } from '../test/view-server.ts';

/*
 * Takes screenshots of the themes in a real browser:
 *   node docs/screenshots.ts [--out=FOLDER] [--theme=NAME,…] [--view=NAME,…] [--width=1280,375,320] [--scheme=light,dark] [--menu] [--fold]
 */

const options = Object.fromEntries(
  process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('=') as [string, string?]),
);
const list = (value: string | undefined, all: readonly string[]) => value?.split(',') ?? all;
const out = options.out ?? mkdtempSync(join(tmpdir(), 'screenshots-'));

await using server = await serveViews();
const browser = await launchBrowser();
try {
  for (const scheme of list(options.scheme, ['light', 'dark'])) {
    for (const width of list(options.width, ['1280', '375', '320'])) {
      const context = await browser.newContext({
        viewport: { width: Number(width), height: width === '1280' ? 860 : 720 },
        colorScheme: scheme as 'light' | 'dark',
      });
      const page = await context.newPage();
      for (const theme of list(options.theme, themes)) {
        for (const view of list(options.view, Object.keys(siteViews))) {
          await page.goto(server.url(theme as Theme, view as ViewName), { waitUntil: 'networkidle' });
          const menu = 'menu' in options;
          if (menu) await openMenu();
          const name = `${theme}-${view}-${width}-${scheme}${menu ? '-menu' : ''}.png`;
          await page.screenshot({ path: join(out, name), fullPage: !menu && !('fold' in options) });
        }
      }
      await context.close();

      async function openMenu() {
        const button = page.locator('.menu-button');
        if (await button.isVisible()) await button.click();
        const summary = page.locator('.menu summary').first();
        if (await summary.isVisible()) await summary.click();
      }
    }
  }
} finally {
  await browser.close();
}
console.log(out);
