import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startAdminApp } from '../audit/admin-app.ts';
import { launchBrowser } from '../test/browser.ts';
import { draw, drawings } from './drawings.ts';

/* Takes screenshots of the admin app's main screens on a desktop, on a phone and in dark mode: `npm run docs:screenshots`. */

const out = join(import.meta.dirname, 'admin');
const { url, token, firstPageId, longPageId, stop } = await startAdminApp();
const browser = await launchBrowser();
try {
  for (const [name, alt, drawing] of drawings) await upload(name, alt, await draw(drawing));
  await take(browser, 'desktop', { viewport: { width: 1280, height: 800 } });
  await take(browser, 'phone', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await take(browser, 'dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
} finally {
  await browser.close();
  await stop();
}

/** Uploads an image as the app does. */
async function upload(name: string, alt: string | null, bytes: Buffer): Promise<void> {
  const send = async (method: string, path: string, type: string, body: Uint8Array | string) => {
    const headers = { 'Content-Type': type, Cookie: `session=${token}`, Origin: url };
    return (await fetch(`${url}/admin/${path}`, { method, headers, body })).json();
  };
  const { id } = (await send('POST', `media?name=${name}`, 'application/octet-stream', new Uint8Array(bytes))) as {
    id: number;
  };
  if (alt !== null) await send('PATCH', `media/${id}`, 'application/json', JSON.stringify({ alt }));
}

async function take(browser: Browser, look: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const picture = async (name: string, path: string) => {
    await page.goto(url + path, { waitUntil: 'networkidle' });
    // A preview may still be loading.
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    await page.screenshot({ path: join(out, `${name}-${look}.png`) });
  };
  await picture('sign-in', '/sign-in?account=business');
  await context.addCookies([{ name: 'freehold', value: token, url }]);
  await picture('pages', '/pages');
  await picture('visual-editor', `/pages/${firstPageId}`);
  await picture('markdown-editor', `/pages/${longPageId}`);
  await picture('images', '/images');
  await picture('settings', '/settings/look');
  await context.close();
}
