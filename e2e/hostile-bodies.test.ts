import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { renderBody } from '../src/sites/render-body.ts';
import { forShortLives, launchBrowser } from '../test/browser.ts';
import { hostileBodies } from '../test/hostile-bodies.ts';
import { tagSoup } from '../test/tag-soup.ts';
import { outline } from './outline.ts';

const frames =
  'https://www.youtube-nocookie.com https://player.vimeo.com https://www.openstreetmap.org https://www.google.com';
const policy = `default-src 'none'; img-src 'self' https: data:; style-src 'self'; frame-src ${frames}`;

suite('hostile bodies in a browser', () => {
  let browser: Browser;
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const html = pages.get(request.url!.slice(1));
    // Report-only: the browser blocks nothing, and reports what it would have blocked.
    response.setHeader('Content-Security-Policy-Report-Only', policy);
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html ?? '');
  });
  let origin = '';

  before(async () => {
    for (const [index, { body, format }] of hostileBodies.entries())
      pages.set(String(index), pageOf(renderBody(body, format).html));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser(forShortLives);
  });

  after(async () => {
    await browser?.close();
    server.close();
  });

  test('the test detects running scripts, outgoing requests and violations of the policy', async () => {
    pages.set('999999', pageOf('<img src=x onerror=alert(1)><img src=https://evil.example/x.png>'));
    const { page, seen, refused } = await watchedPage(browser, origin);
    await visit(page, `${origin}/999999`);
    assert.deepEqual(seen, { ran: ['/999999'], requests: ['https://evil.example/x.png'] });
    assert.equal(refused.length, 1);
    assert.match(refused[0]!, /inline event handler/);
    await page.context().close();
  });

  test('no hostile body runs a script without a policy, or violates the policy', async () => {
    const left = [...hostileBodies.entries()];
    const visitRemaining = async () => {
      const { page, seen, refused } = await watchedPage(browser, origin);
      for (let next = left.pop(); next; next = left.pop()) {
        const [index, { name }] = next;
        const forbiddenElements = await visit(page, `${origin}/${index}`);
        assert.deepEqual(seen, { ran: [], requests: [] }, name);
        assert.deepEqual(refused, [], name);
        assert.deepEqual(forbiddenElements, [], name);
      }
      await page.context().close();
    };
    // In parallel, because most of a visit is waiting for the browser's next frame.
    await Promise.all(Array.from({ length: 4 }, visitRemaining));
  });

  test('a browser parses every rendered body exactly as it was written', async () => {
    const bodies = [
      ...hostileBodies.map(({ body, format }) => renderBody(body, format).html),
      ...fc.sample(tagSoup(), 1500).map((body) => renderBody(body, '').html),
    ];
    const { page } = await watchedPage(browser, origin);
    await page.goto(`${origin}/0`);
    const read = await page.evaluate<string[]>(`outlines(${JSON.stringify(bodies)})`);
    for (const [index, html] of bodies.entries()) assert.equal(read[index], outline(html), html);
    await page.context().close();
  });
});

function pageOf(html: string): string {
  return `<!DOCTYPE html><html lang="en"><head><title>x</title><link rel="icon" href="data:,"></head><body><main>${html}</main></body></html>`;
}

/**
 * Opens a page that records which scripts ran in it, which forbidden requests it would have made, and what its policy would
 * have blocked.
 */
async function watchedPage(browser: Browser, origin: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen = { ran: [] as string[], requests: [] as string[] };
  const refused: string[] = [];
  page.on(
    'console',
    (message) => void (/Content Security Policy/.test(message.text()) && refused.push(message.text())),
  );
  await page.exposeFunction('reportScript', (path: string) => void (seen.ran.includes(path) || seen.ran.push(path)));
  await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
  const allowed = frames.split(' ');
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.origin === origin) return route.continue();
    if (!allowed.includes(url.origin)) seen.requests.push(url.href);
    // No request leaves this machine. Allowed frames are answered with an empty document.
    return allowed.includes(url.origin) ? route.fulfill({ body: '' }) : route.abort();
  });
  return { page, seen, refused };
}

/** Loads the page, sends events to all of its elements, and returns the elements that must not be there. */
async function visit(page: Page, url: string): Promise<string[]> {
  await page.goto(url);
  return page.evaluate<string[]>('touchEverything().then(findForbiddenElements)');
}
