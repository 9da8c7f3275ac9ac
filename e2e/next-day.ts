import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { countActions } from './count-actions.ts';
import { takeStoryPicture } from './story-picture.ts';
import {
  callAdmin,
  createPublished,
  nextTokenLink,
  publish,
  publishBy,
  signedInPage,
  type TestApp,
  toast,
  waitUntilLoaded,
} from './test-app.ts';

/** Tests the story of docs/stories/next-day.md, including its counts of clicks and fields. */
export function nextDay(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, visit } = await signedInPage(t, app);
    const { origin } = new URL(address);
    // Creates what the customer did the day before.
    const body = '<p>A croissant is <strong>2.00</strong>.</p>';
    const prices = await createPublished(page, { name: 'Prices', body, bodyFormat: 'wysiwyg_format' });
    const offers = await createPublished(page, { name: 'Offers', body: '<p>Half price after six.</p>' });
    await callAdmin(page, 'DELETE', `pages/${offers}`);
    await callAdmin(page, 'POST', 'users', { name: 'Ned New', email: 'next-day@example.com', role: 'editor' });
    const colleague = await (await app.browser.newContext({ reducedMotion: 'reduce' })).newPage();
    t.after(() => colleague.context().close());
    await colleague.goto(await nextTokenLink(app, 'next-day@example.com'));
    await colleague.getByLabel('New password').fill('a password of his');
    await colleague.getByRole('button', { name: 'Save and sign in' }).click();
    await colleague.getByRole('tree').waitFor();

    const counted = await countActions(page);
    await page.goto(`${origin}/pages`);
    await waitUntilLoaded(page);
    const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    const text = page.getByRole('textbox', { name: 'Text of the page' });

    await t.test('a price is changed in 5 clicks and 1 field', async () => {
      await page.getByRole('tree').getByText('Prices').dblclick();
      await text.getByText('2.00').dblclick();
      await page.keyboard.type('2.20');
      await publish(page);
      assert.match(await visit('/prices'), /2\.20/);
      assert.deepEqual(counted(), { clicks: 5, fields: 1 });
    });

    await t.test('yesterday’s version is restored in 2 clicks', async () => {
      await page.getByRole('link', { name: 'Earlier versions' }).click();
      await page.getByRole('button', { name: 'Restore this version' }).waitFor();
      await takeStoryPicture(page, 'next-day-version');
      await page.getByRole('button', { name: 'Restore this version' }).click();
      await toast(page, 'That version is published again').waitFor();
      assert.match(await visit('/prices'), /2\.00/);
      assert.deepEqual(counted(), { clicks: 2, fields: 0 });
    });

    await t.test('a page deleted the day before is restored in 2 clicks', async () => {
      await entry('Trash').click();
      await page.getByRole('button', { name: 'Restore Offers' }).waitFor();
      await takeStoryPicture(page, 'next-day-trash');
      await page.getByRole('button', { name: 'Restore Offers' }).click();
      await toast(page, '“Offers” is back').waitFor();
      assert.match(await visit('/offers'), /Half price/);
      assert.deepEqual(counted(), { clicks: 2, fields: 0 });
    });

    await t.test('a conflict with a colleague’s change is resolved in 2 clicks', async () => {
      await entry('Pages').click();
      await page.getByRole('tree').getByText('Prices').dblclick();
      await text.getByText('2.00').dblclick();
      await page.keyboard.type('2.40');
      await colleague.goto(`${origin}/pages/${prices}`);
      await colleague.getByRole('textbox', { name: 'Text of the page' }).getByText('2.00').dblclick();
      await colleague.keyboard.type('1.90');
      await publish(colleague);
      counted();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Somebody else published first' });
      await dialog.getByText('Ned New').first().waitFor();
      await takeStoryPicture(page, 'next-day-colleague');
      await publishBy(page, () => dialog.getByRole('button', { name: 'Publish mine' }).click());
      assert.match(await visit('/prices'), /2\.40/);
      assert.deepEqual(counted(), { clicks: 2, fields: 0 });
    });
  };
}
