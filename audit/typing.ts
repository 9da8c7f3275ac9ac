import type { Browser, CDPSession, Page } from 'playwright-core';
import type { StartedApp } from './admin-app.ts';

/*
 * Measures the cost of a key press in the visual editor in a long page: the time for which the browser's main thread is busy with
 * the editor, the app, layout and paint.
 */

const SIZES = [100, 1000, 5000];

/** The limit for a key press in the largest page. */
const MAX_KEY_MS = 32;

const KEYS = 30;

/** The time between two key presses. */
const KEY_INTERVAL_MS = 150;

/** Long enough for the app to save the typed text. */
const PAUSE_MS = 4000;

/** Measures pages of different lengths. Returns the number of pages that are too slow. */
export async function measureTyping(browser: Browser, app: StartedApp): Promise<number> {
  let wrong = 0;
  for (const size of SIZES) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    try {
      await context.addCookies([{ name: 'session', value: app.token, url: app.url }]);
      const page = await context.newPage();
      await openLongPage(page, app.url, size);
      const { key, slowest, pause } = await measureKeys(page, await context.newCDPSession(page));
      const said = [key, slowest, pause].map((milliseconds) => milliseconds.toFixed(1));
      console.log(
        `typing in ${size} paragraphs: ${said[0]} ms a key, ${said[1]} ms the slowest, ${said[2]} ms in the pause`,
      );
      if (key < MAX_KEY_MS) continue;
      console.log(`  a key takes more than ${MAX_KEY_MS} ms`);
      wrong += 1;
    } finally {
      await context.close();
    }
  }
  return wrong;
}

/** Opens a page with `size` paragraphs, and puts the cursor in the middle. */
export async function openLongPage(page: Page, url: string, size: number): Promise<void> {
  const paragraph = (index: number) =>
    `<p>Paragraph ${index} says a few words about <strong>bread</strong> and what goes into it.</p>`;
  const body = Array.from({ length: size }, (_, index) => paragraph(index)).join('\n');
  const answer = await page.context().request.post(`${url}/admin/pages`, {
    headers: { Origin: url },
    data: { name: `${size} paragraphs`, body, bodyFormat: 'wysiwyg_format' },
  });
  const { id } = (await answer.json()) as { id: number };
  await page.goto(`${url}/pages/${id}`);
  await page.locator(`.tiptap > p:nth-child(${size})`).waitFor({ state: 'attached', timeout: 120_000 });
  await page.evaluate(`{
    const { editor } = document.querySelector('.tiptap');
    editor.chain().setTextSelection(Math.floor(editor.state.doc.content.size / 2)).scrollIntoView().run();
    editor.view.focus();
  }`);
  await page.waitForTimeout(PAUSE_MS);
}

/** Returns the median and the slowest key press, and the time of the work after typing ends. */
async function measureKeys(page: Page, tools: CDPSession) {
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async () => {
    const { metrics } = await tools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
  const press = async () => {
    const before = await busyMs();
    await page.keyboard.press('x');
    await page.waitForTimeout(KEY_INTERVAL_MS);
    return (await busyMs()) - before;
  };
  // Warm up, so that the code is compiled.
  for (let warming = 0; warming < 10; warming++) await press();
  const keys: number[] = [];
  for (let index = 0; index < KEYS; index++) keys.push(await press());
  const before = await busyMs();
  await page.waitForTimeout(PAUSE_MS);
  const pause = (await busyMs()) - before;
  keys.sort((one, other) => one - other);
  return { key: keys[KEYS >> 1]!, slowest: keys.at(-1)!, pause };
}
