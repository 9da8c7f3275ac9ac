import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { startDemo } from '../demo/start.ts';
import { launchBrowser } from '../test/browser.ts';

/* Takes screenshots of the demo as an agency sees it: `npm run docs:screenshots`. */

const out = join(import.meta.dirname, 'agency');
mkdirSync(out, { recursive: true });
const demo = await startDemo({ port: 8080 });
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
  const { account, email, password } = demo;
  const headers = { Origin: demo.url };
  await context.request.post(`${demo.url}/admin/sign-in`, { headers, data: { account, email, password } });
  const page = await context.newPage();
  const open = (path: string) => page.goto(demo.url + path, { waitUntil: 'networkidle' });
  for (const screen of ['overview', 'customers', 'plans', 'revenue']) {
    await open(`/${screen}`);
    await take(page, screen);
  }
  await open('/brand');
  await page.getByText('Message', { exact: true }).click();
  await page.frameLocator('iframe:not([data-pending])').getByText('From:').waitFor();
  await take(page, 'brand');
  await page.goto(`${demo.url}/customers?q=whitby-dental`);
  await page.getByRole('link', { name: 'Whitby Dental Care', exact: true }).click();
  await page.getByText('Plan history').waitFor();
  // Wait for the preview of the site, with its fonts and images.
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await take(page, 'customer');
  // Tall enough for the first picture of a site.
  await page.setViewportSize({ width: 1280, height: 1400 });
  const sites = { bakery: 'the-old-oven-bramley', garden: 'the-millbrook-gardeners' };
  for (const [name, subdomain] of Object.entries(sites)) {
    await page.goto(demo.url.replace('localhost', `${subdomain}.localhost`), { waitUntil: 'networkidle' });
    await take(page, `site-${name}`);
  }
} finally {
  await browser.close();
  await demo.stop();
}

async function take(page: Page, name: string): Promise<void> {
  const file = join(out, `${name}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(file);
}
