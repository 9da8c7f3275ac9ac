import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { beginInside, call, checkAccessible, type House, newPage, toast, write } from './house.ts';

const OFFER = 'You wrote something else on this device';

/** What was written and could not be saved is there again, or offered, whatever has happened meanwhile. */
export function keptDrafts(house: House) {
  return async (t: TestContext) => {
    const { page: first, context } = await beginInside(t, house);
    const pages = new URL('/pages', first.url()).href;

    /** A page with a draft that is saved, and more that is not when its tab is closed; without a connection from then on. */
    const writeAndLoseConnection = async (name: string): Promise<string> => {
      const page = await context.newPage();
      await page.goto(pages);
      await newPage(page, name);
      await write(page, 'At the station.');
      await page.getByText('Draft saved').waitFor();
      await context.setOffline(true);
      await write(page, ' In a tunnel.');
      await page.getByText('kept on this device').waitFor();
      const address = page.url();
      await page.close();
      return address;
    };

    await t.test('where the clock of the device is behind', async () => {
      await context.clock.setFixedTime(Date.now() - 3_600_000);
      const page = await openAgain(context, await writeAndLoseConnection('Late'));
      await page.getByText('This is what you wrote last on this device').waitFor();
      await textIs(page, 'In a tunnel.');
      // It is the service's by now.
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'In a tunnel.');
      await page.close();
    });

    await t.test('where another device has saved a draft since', async () => {
      const address = await writeAndLoseConnection('Two devices');
      await context.setOffline(false);
      await saveElsewhere(first, address, 'On the telephone.');
      const page = await openAgain(context, address);
      await textIs(page, 'On the telephone.');
      const offer = page.getByRole('alert').filter({ hasText: OFFER });
      await offer.waitFor();
      await checkAccessible(page, 'an offered copy');

      // It stays where it is while something else is written.
      await write(page, 'And there.');
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'And there.');
      await offer.getByRole('button', { name: 'Discard it' }).click();
      await offer.waitFor({ state: 'detached' });
      await toast(page, 'is discarded').getByRole('button', { name: 'Undo' }).click();
      await page.reload();

      const take = offer.getByRole('button', { name: 'Use what was typed on this device' });
      await take.click();
      await textIs(page, 'In a tunnel.');
      await offer.waitFor({ state: 'detached' });
      await toast(page, 'is in the editor now').getByRole('button', { name: 'Undo' }).click();
      await textIs(page, 'And there.');
      await take.click();
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'In a tunnel.');
      assert.equal(await offer.count(), 0);
      await page.close();
    });

    await t.test('and where the device has no room for it, one is told so and asked before it is lost', async () => {
      const page = await context.newPage();
      await page.goto(pages);
      await newPage(page, 'No room');
      await page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2) {
        try { while (true) localStorage.setItem('full:' + Math.random(), 'x'.repeat(size)); } catch {}
      }`);
      await context.setOffline(true);
      await write(page, 'Nowhere else.');
      await page.getByText('Not saved. Keep this tab open.').waitFor();
      let questions = 0;
      page.on('dialog', (dialog) => {
        if (dialog.type() === 'beforeunload') questions += 1;
        void dialog.dismiss();
      });
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      await asked;
      await context.setOffline(false);
      await page.getByText('Draft saved').waitFor();
      await page.reload();
      await textIs(page, 'Nowhere else.');
      assert.equal(questions, 1);
    });
  };
}

async function openAgain(context: BrowserContext, address: string): Promise<Page> {
  await context.setOffline(false);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** As another device does, which knows nothing of this one. */
async function saveElsewhere(page: Page, address: string, text: string): Promise<void> {
  const path = `pages/${address.split('/').at(-1)}`;
  const { version } = (await page.evaluate(`fetch('/admin/${path}').then((answer) => answer.json())`)) as {
    version: number;
  };
  await call(page, 'PUT', `${path}/draft`, { fields: { body: `<p>${text}</p>` }, basedOn: version });
}

async function textIs(page: Page, text: string): Promise<void> {
  await page
    .getByRole('textbox', { name: /^Text of the page/ })
    .getByText(text)
    .waitFor();
}
