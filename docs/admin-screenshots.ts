import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { addSite } from '../audit/site.ts';
import { scratchFolder, startService } from '../bench/processes.ts';
import { openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { startSession } from '../src/users/sessions.ts';
import { launchBrowser } from '../test/browser.ts';
import { draw, drawings } from './drawings.ts';

/* Pictures of the admin app's main screens, on a desk, on a phone and in the dark: `npm run docs:screenshots`. */

const out = join(import.meta.dirname, 'admin');
const dataDir = scratchFolder();
const db = await openDatabase({ dataDir, databaseUrl: '', databasePool: 2 });
await migrate(db);
const { accountId, userId, longPageId } = await addSite(db, 'business');
const whence = { ip: '127.0.0.1', network: '127.0.0.1', userAgent: 'Chromium' };
const token = await db.transaction().execute((trx) => startSession(trx, accountId, { userId, whence }));
const [first] = await db.selectFrom('pages').select('id').where('account_id', '=', accountId).orderBy('id').execute();
await db.destroy();

const service = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const browser = await launchBrowser();
const url = service.url.replace('127.0.0.1', 'localhost');
try {
  for (const [name, alt, drawing] of drawings) await upload(name, alt, await draw(drawing));
  await take(browser, 'desktop', { viewport: { width: 1280, height: 800 } });
  await take(browser, 'phone', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await take(browser, 'dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
} finally {
  await browser.close();
  await service.stop();
}

/** As the app does it. */
async function upload(name: string, alt: string | null, bytes: Buffer): Promise<void> {
  const send = async (method: string, path: string, type: string, body: Uint8Array | string) => {
    const headers = { 'Content-Type': type, Cookie: `freehold=${token}`, Origin: url };
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
    await page.screenshot({ path: join(out, `${name}-${look}.png`) });
  };
  await picture('sign-in', '/sign-in?account=business');
  await context.addCookies([{ name: 'freehold', value: token, url }]);
  await picture('pages', '/pages');
  await picture('visual-editor', `/pages/${first!.id}`);
  await picture('markdown-editor', `/pages/${longPageId}`);
  await picture('images', '/images');
  await picture('settings', '/settings/look');
  await context.close();
}
