import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { photo } from '../test/images.ts';
import {
  begin,
  call,
  checkAccessible,
  give,
  type House,
  newPage,
  nextMail,
  openHouse,
  password,
  publish,
  signIn,
  write,
} from './house.ts';

/* Every screen of the admin app, looked at by axe: apart from what is done there, so that both are tested at a time. */

const looks = [
  { what: 'wide and light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { what: 'narrow and dark', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
] as const;

test('axe finds nothing on any screen of the admin app', async (t) => {
  const house = await openHouse(t, 'sqlite');
  for (const { what, ...look } of looks) await t.test(what, accessible(house, look));
});

function accessible(house: House, look: BrowserContextOptions) {
  return async (t: TestContext) => {
    const { page, address } = await begin(t, house, look);
    const { origin } = new URL(address);
    // Until the scripts have taken over the page it came with, nothing can be pressed.
    await page.getByRole('button', { name: 'Sign in with a passkey', disabled: false }).waitFor();
    await checkAccessible(page, 'sign in');
    await page.goto(`${origin}/forgotten-password`);
    await page.getByRole('button', { name: 'Send the link', disabled: false }).waitFor();
    await checkAccessible(page, 'forgotten password');
    await page.goto(`${origin}/reset-password#token=none`);
    await page.getByText('does not work any more').waitFor();
    await checkAccessible(page, 'used link');
    await page.goto(address);
    await signIn(page);
    await page.goto(`${origin}/nowhere`);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await checkAccessible(page, 'nothing there');
    await page.goto(`${origin}/images`);
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
    await checkAccessible(page, 'no images');
    await page.goto(`${origin}/pages`);
    await page.getByRole('treeitem').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('zzz');
    await page.getByText('No page found').waitFor();
    await checkAccessible(page, 'nothing found');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('treeitem').first().click();
    await checkAccessible(page, 'pages');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').waitFor();
    await checkAccessible(page, 'keyboard shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /sign out$/ }).click();
    await page.getByRole('menu').waitFor();
    await checkAccessible(page, 'menu of the person');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await checkAccessible(page, 'new page');
    await page.keyboard.press('Escape');
    await newPage(page, 'Bridges');
    await give(page, 'drop', await photo(300, 200), 'bridge.jpg');
    await page.getByLabel('What does this image show?').waitFor();
    await checkAccessible(page, 'what an image shows');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByRole('button', { name: 'Choose bridge.jpg' }).click();
    await page.getByRole('dialog').getByLabel('It is only decoration').waitFor();
    await checkAccessible(page, 'images');
    await page.getByRole('tab', { name: 'From the web' }).click();
    await checkAccessible(page, 'image from the web');
    await page.goto(`${origin}/images`);
    await page.getByRole('button', { name: /^bridge\.jpg/ }).waitFor();
    await checkAccessible(page, 'all images');
    await page.getByRole('button', { name: /^bridge\.jpg/ }).click();
    await page.getByText('No page yet').or(page.getByRole('dialog').getByRole('link')).first().waitFor();
    await checkAccessible(page, 'one image');
    await page.goto(`${origin}/pages`);
    await newPage(page, 'News');
    await page.getByRole('textbox', { name: 'Text of the page' }).waitFor();
    await checkAccessible(page, 'visual editor');
    await page.getByRole('link', { name: 'Earlier versions' }).click();
    await page.getByText('No earlier versions yet').waitFor();
    await checkAccessible(page, 'no earlier versions');
    await page.goBack();
    await page.getByRole('button', { name: 'Page settings' }).click();
    await page.getByRole('dialog').getByLabel('Excerpt').waitFor();
    await checkAccessible(page, 'page settings');
    await page.getByRole('dialog').getByText('Markdown', { exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await write(page, '## Hello');
    await publish(page);
    await page.getByText('Preview', { exact: true }).click();
    await page.frameLocator('iframe').getByText('Hello').waitFor();
    await checkAccessible(page, 'Markdown and preview');
    await page.getByRole('link', { name: 'Earlier versions' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.getByRole('region', { name: 'Both texts, with what differs' }).waitFor();
    await checkAccessible(page, 'earlier versions');
    await asViewer(house, look, page, t);
    for (const section of ['site', 'look', 'domains', 'people', 'keys', 'log', 'you']) {
      await page.goto(`${origin}/settings/${section}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main form, main li, main iframe').first().waitFor();
      await checkAccessible(page, section);
    }
    await page.goto(`${origin}/settings/keys`);
    await page.getByLabel('What is it for?').fill('Newsletter');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByText('shown only this once').waitFor();
    await checkAccessible(page, 'a new key');
    await page.goto(`${origin}/pages`);
    const rows = page.getByRole('treeitem');
    await rows.first().waitFor();
    for (let left = await rows.count(); left > 0; left--) {
      await rows.first().focus();
      await page.keyboard.press('Delete');
      await rows.nth(left - 1).waitFor({ state: 'detached' });
    }
    await page.getByRole('heading', { name: 'Your website starts with a page' }).waitFor();
    await checkAccessible(page, 'no pages');
  };
}

/** What somebody sees who may look at everything and change nothing. */
async function asViewer(house: House, look: BrowserContextOptions, owner: Page, t: TestContext): Promise<void> {
  const editor = owner.url().replace('/revisions', '');
  await call(owner, 'POST', 'users', { name: 'Vi Viewer', email: 'vi@example.com', role: 'viewer' });
  const link = /http:\/\/\S+#token=\S+/.exec(await nextMail(house))![0];
  const context = await house.browser.newContext({ reducedMotion: 'reduce', ...look });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: /^Welcome to/ }).waitFor();
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('The same again').fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.getByRole('treeitem').first().click();
  await checkAccessible(page, 'pages, for a viewer');
  await page.goto(editor);
  await page.getByText('You can look at this page in the preview').waitFor();
  await checkAccessible(page, 'a page, for a viewer');
  await page.getByText('Preview', { exact: true }).click();
  await page.frameLocator('iframe').getByText('Hello').waitFor();
  await checkAccessible(page, 'the preview, for a viewer');
  await page.getByRole('button', { name: 'Page settings' }).click();
  await page.getByRole('dialog').getByLabel('Excerpt').waitFor();
  await checkAccessible(page, 'page settings, for a viewer');
  // What they would type could not be saved.
  const fields = page.getByRole('dialog').locator('input:not(:disabled), textarea');
  assert.ok((await fields.count()) >= 3);
  for (const field of await fields.all()) assert.equal(await field.isEditable(), false);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Earlier versions' }).click();
  await page.getByRole('region', { name: 'Both texts, with what differs' }).waitFor();
  await checkAccessible(page, 'earlier versions, for a viewer');
  await page.goto(`${new URL(editor).origin}/images`);
  await page.getByRole('button', { name: /^bridge\.jpg/ }).click();
  await page.getByRole('dialog').getByText('Shown on').waitFor();
  await checkAccessible(page, 'an image, for a viewer');
}
