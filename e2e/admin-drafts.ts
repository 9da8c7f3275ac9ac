import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import type { PageJson } from '../src/http/admin/contract.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  checkAccessible,
  checkAllLooks,
  newPage,
  publish,
  signedInPage,
  type TestApp,
  toast,
  typeText,
} from './test-app.ts';

const OFFER = 'This device has another text';
const ELSEWHERE = 'Another draft was saved on another device or in another tab';

/** Saves a draft, types more without a connection, and closes the tab. Returns the page's address. The browser stays offline. */
async function writeAndLoseConnection(page: Page): Promise<string> {
  await newPage(page, 'Lost');
  await typeText(page, 'At the station.');
  await saved(page);
  await page.context().setOffline(true);
  await typeText(page, ' In a tunnel.');
  await page.getByText('kept on this device').waitFor();
  const address = page.url();
  // A browser sends the last requests of a closing tab after the tab is gone, when it is no longer offline.
  await page.evaluate(`window.fetch = () => Promise.reject(new TypeError('Failed to fetch'))`);
  await page.close();
  return address;
}

/** Checks that text typed without a connection survives closing the tab. */
export function restoreAfterClosedTab(app: TestApp) {
  return async (t: TestContext) => {
    const { page: first, context } = await signedInPage(t, app);
    const page = await openAgain(context, await writeAndLoseConnection(first));
    await page.getByText('This is what you last wrote on this device').waitFor();
    await textIs(page, 'In a tunnel.');
    // The service has the text by now.
    await saved(page);
  };
}

/** Checks the text of a tab that was closed without a connection, while another device saved a draft. */
export function offerLocalText(app: TestApp) {
  return async (t: TestContext) => {
    const { page: first, context } = await signedInPage(t, app);
    const device = await context.newPage();
    await device.goto(first.url());
    const address = await writeAndLoseConnection(first);
    await context.setOffline(false);
    await saveElsewhere(t, device, address, 'On the telephone.');
    const page = await openAgain(context, address);
    await textIs(page, 'On the telephone.');
    const offer = page.getByRole('alert').filter({ hasText: OFFER });
    await offer.waitFor();
    await checkAccessible(page, 'an offered copy');
    await offer.getByRole('button', { name: 'Discard it' }).click();
    await offer.waitFor({ state: 'detached' });
    await toast(page, 'is discarded').getByRole('button', { name: 'Undo' }).click();
    await offer.getByRole('button', { name: 'Show both' }).click();
    await useOther(page, 'In a tunnel.', 'On the telephone.');
    await textIs(page, 'In a tunnel.');
    await toast(page, 'is in the editor now').getByRole('button', { name: 'Undo' }).click();
    await textIs(page, 'On the telephone.');
    await offer.waitFor();
    await saved(page);
  };
}

/** Checks a tab without a connection, in a browser whose storage is full. */
export function warnOfFullStorage(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await signedInPage(t, app);
    await newPage(page, 'No room');
    await fillStorage(page);
    await page.getByRole('textbox', { name: /^Text of the page/ }).waitFor();
    await context.setOffline(true);
    await typeText(page, 'Nowhere else.');
    await page.getByText('Not saved. Keep this tab open.').waitFor();
    let questions = 0;
    page.on('dialog', (dialog) => {
      if (dialog.type() === 'beforeunload') questions += 1;
      void dialog.dismiss();
    });
    const question = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    await question;
    await context.setOffline(false);
    await saved(page);
    await page.reload();
    await textIs(page, 'Nowhere else.');
    assert.equal(questions, 1);
  };
}

/** Checks a page that one person edits on two devices. */
export function editOnTwoDevices(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await newPage(page, 'Menu');
    await typeText(page, 'Bread.');
    await saved(page);
    await saveElsewhere(t, page, page.url(), 'Soup.');
    await typeText(page, 'Cake.');
    const elsewhere = page.getByRole('alert').filter({ hasText: ELSEWHERE });
    await elsewhere.waitFor();
    await textIs(page, 'Cake.');
    await page.getByText('Not saved: kept on this device until you choose.').waitFor();
    await checkAccessible(page, 'an offered draft of another device');
    await elsewhere.getByRole('button', { name: 'Show both' }).click();
    await useOther(page, 'Soup.', 'Cake.', () => checkAllLooks(page, 'the choice between two texts'));
    await textIs(page, 'Soup.');
    await elsewhere.waitFor({ state: 'detached' });
    await saved(page);
    await toast(page, 'is in the editor now').getByRole('button', { name: 'Undo' }).click();
    await textIs(page, 'Cake.');
    await saved(page);
  };
}

/** Checks that the dialog shows both texts, and chooses the other one. `look` checks the open dialog. */
async function useOther(page: Page, other: string, own: string, look?: () => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Which text do you want to continue with?' });
  await dialog.getByText(other).waitFor();
  await dialog.getByText(own).waitFor();
  await look?.();
  await dialog.getByRole('button', { name: 'Use the other text' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Checks a page that one person has open in two tabs. */
export function editInTwoTabs(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await signedInPage(t, app);
    await newPage(page, 'Tabs');
    const notice = (tab: Page) => tab.getByText('This page is open in another tab, too.');
    const tab = await context.newPage();
    await tab.goto(page.url());
    await Promise.all([notice(page).waitFor(), notice(tab).waitFor()]);
    await checkAccessible(page, 'a page in two tabs');
    await typeText(page, 'Bread.');
    await saved(page);
    await textIs(tab, 'Bread.');
    await publish(page);
    await tab.getByText('Published', { exact: true }).waitFor();
    await tab.close();
    await notice(page).waitFor({ state: 'detached' });
  };
}

/** Checks the tree before and after it is loaded again: it must not change in front of the user. */
export function showDraftsInTree(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
    const badge = page.getByRole('tree').getByText('Draft', { exact: true });
    /** Opens the tree, and runs the check both before and after the service has answered. */
    const inTree = async (look: () => Promise<unknown>) => {
      const free = Promise.withResolvers<void>();
      await page.route('**/admin/pages?*', async (route) => {
        await free.promise;
        await route.continue();
      });
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await page.getByRole('tree').waitFor();
      await look();
      free.resolve();
      await page.unrouteAll({ behavior: 'wait' });
      await look();
    };
    await row('About').dblclick();
    await typeText(page, 'Soup. ');
    await saved(page);
    await inTree(() => row('About').and(page.locator(':has-text("Draft")')).waitFor());
    await page.goBack();
    // The text typed before the editor was left is back.
    await textIs(page, 'Soup.');
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await toast(page, 'The draft is discarded').getByRole('button', { name: 'Undo' }).click();
    await textIs(page, 'Soup.');
    await page.getByLabel('Name of the page').fill('Find us');
    await publish(page);
    await inTree(() => row('Find us').waitFor());
    assert.equal(await badge.count(), 0);
  };
}

/** Checks that forms closed before saving keep their input in the browser, but no secrets. */
export function restoreUnsavedForms(app: TestApp) {
  return async (t: TestContext) => {
    const { page: first, context, address } = await signedInPage(t, app, { path: '/settings/site' });
    const { origin } = new URL(address);
    let page = first;
    const closeAndOpen = async (section: string) => {
      await page.close();
      page = await openAgain(context, `${origin}/settings/${section}`);
    };
    const notice = () => page.getByRole('alert').filter({ hasText: 'unsaved changes are back' });
    const field = () => page.getByLabel('Name of the site');
    const isIn = (text: string) =>
      field()
        .and(page.locator(`[value="${text}"]`))
        .waitFor();
    const stored = () => page.evaluate<string>('JSON.stringify(localStorage)');

    await t.test('an unsaved setting is restored, and can be discarded', async () => {
      const before = 'Acme Bakery';
      await isIn(before);
      await field().fill('Bakehouse');
      await closeAndOpen('site');
      await notice().waitFor();
      await isIn('Bakehouse');
      await checkAccessible(page, 'a form with unsaved input');
      await page.getByRole('banner').getByText(before).waitFor();
      await notice().getByRole('button', { name: 'Discard these changes' }).click();
      await isIn(before);
      assert.doesNotMatch(await stored(), /Bakehouse/);
      await toast(page, 'are discarded').getByRole('button', { name: 'Undo' }).click();
      await isIn('Bakehouse');
    });

    await t.test('a setting that could not be saved is restored', async () => {
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
      await closeAndOpen('site');
      await notice().waitFor();
      await isIn('Bakehouse');
    });

    await t.test('another person in the same browser does not see the unsaved input', async () => {
      const other = await signedInPage(t, app);
      const own = await context.cookies();
      await context.addCookies(await other.page.context().cookies());
      await page.goto(`${origin}/settings/site`);
      await isIn('Acme Bakery');
      assert.equal(await notice().count(), 0);
      await context.addCookies(own);
    });

    await t.test('a saved setting is no longer stored in the browser', async () => {
      await page.goto(`${origin}/settings/site`);
      await isIn('Bakehouse');
      await page.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Saved').waitFor();
      await notice().waitFor({ state: 'detached' });
      assert.doesNotMatch(await stored(), /app:form/);
      await page.reload();
      await isIn('Bakehouse');
      assert.equal(await notice().count(), 0);
    });

    await t.test('an unsaved look, name and e-mail address are stored in the browser, and no password', async () => {
      await page.goto(`${origin}/settings/look`);
      await page.getByText('Portfolio', { exact: true }).click();
      await closeAndOpen('look');
      await notice().waitFor();
      await page.getByRole('radio', { name: 'Portfolio' }).and(page.locator(':checked')).waitFor();
      await page.goto(`${origin}/settings/you`);
      await page.getByLabel('Your name').fill('Ann Other');
      await page.getByLabel('New e-mail address').fill('other@example.com');
      await page.getByLabel('Current password').first().fill('a secret of hers');
      assert.doesNotMatch(await stored(), /secret of hers/);
      await closeAndOpen('you');
      await page.getByLabel('Your name').and(page.locator('[value="Ann Other"]')).waitFor();
      await page.getByLabel('New e-mail address').and(page.locator('[value="other@example.com"]')).waitFor();
      assert.equal(await notice().count(), 2);
    });
  };
}

async function openAgain(context: BrowserContext, address: string): Promise<Page> {
  await context.setOffline(false);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Saves a draft as another device would. */
async function saveElsewhere(t: TestContext, page: Page, address: string, text: string): Promise<void> {
  const path = `pages/${address.split('/').at(-1)}`;
  const fields = { body: `<p>${text}</p>` };
  const save = async () => {
    const { version, draft } = await page.evaluate<PageJson>(`fetch('/admin/${path}').then((answer) => answer.json())`);
    return callAdmin(page, 'PUT', `${path}/draft`, { fields, basedOn: version, draftAt: draft?.updatedAt ?? null });
  };
  // The last request of a closing tab may arrive between these two, so the save is retried.
  await eventually(t, save, (answer) => 'updatedAt' in answer);
}

function saved(page: Page): Promise<void> {
  return page.getByText('Draft saved').waitFor();
}

/** Fills the local storage of the browser to the last byte. */
async function fillStorage(page: Page): Promise<void> {
  await page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2) {
    try { while (true) localStorage.setItem('full:' + Math.random(), 'x'.repeat(size)); } catch {}
  }`);
}

async function textIs(page: Page, text: string): Promise<void> {
  await page
    .getByRole('textbox', { name: /^Text of the page/ })
    .getByText(text)
    .waitFor();
}
