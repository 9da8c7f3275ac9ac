import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { PageFieldsJson } from '../src/http/admin/contract.ts';
import { eventually } from './program.ts';
import {
  changeFormat,
  checkAllLooks,
  createPublished,
  goTo,
  publish,
  publishBy,
  signedInPage,
  signInVia,
  type TestApp,
  toast,
  typeText,
} from './test-app.ts';

/* One page in two browsers. Both belong to one user, so they share a draft: conflicts come from the version each has loaded. */

export function editTogether(app: TestApp) {
  return async (t: TestContext) => {
    const { page, other, visit, dialog } = await signedInTwice(t, app);
    await typeText(other, 'Soup');
    await typeText(page, 'Bread');
    await publish(other);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText('Soup').waitFor();
    await dialog.getByText('Bread').waitFor();
    assert.equal(await dialog.getByRole('table').count(), 0, 'no setting differs');
    assert.match(await visit('/menu'), /Soup/);
    await checkAllLooks(page, 'a text that two have written');
    await publishBy(page, () => dialog.getByRole('button', { name: 'Publish mine' }).click());
    assert.match(await visit('/menu'), /Bread/);
    await toast(page, 'Published').getByRole('button', { name: 'Undo' }).click();
    await eventually(
      t,
      () => visit('/menu'),
      (html) => /Soup/.test(html),
    );
  };
}

const drafts = '**/admin/pages/*/draft';

export function changeSettingsTogether(app: TestApp) {
  return async (t: TestContext) => {
    const { page, other, stored, dialog } = await signedInTwice(t, app);

    await t.test('a conflict in settings alone shows each setting with both values', async () => {
      await set(other, { address: 'Soups', date: '2026-03-01T12:00' });
      await set(page, { address: 'Our menu', isShown: true });
      await publish(other);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByText('Name, excerpt and text are the same in both').waitFor();
      // The address shows as it will be, and not as it was typed. Their date counts: it was not changed here.
      await setting(page, /^Address\/soups\/our-menu/).waitFor();
      await setting(page, /^NavigationHiddenShown$/).waitFor();
      assert.equal(await dialog.getByRole('rowgroup').count(), 3);
      await checkAllLooks(page, 'settings that two have changed');
      await publishBy(page, () => dialog.getByRole('button', { name: 'Publish mine' }).click());
      const { urlname, isHidden, customDate } = await stored();
      assert.deepEqual([urlname, isHidden, customDate], ['our-menu', false, Date.UTC(2026, 2, 1, 12)]);
      await toast(page, 'Published').getByRole('button', { name: 'Undo' }).click();
      const undone = await eventually(t, stored, (now) => now.urlname === 'soups');
      assert.deepEqual([undone.urlname, undone.isHidden, undone.customDate], ['soups', true, customDate]);
    });

    await t.test('a conflict shows the name, text and date that two people have changed', async () => {
      await other.reload();
      await other.getByLabel('Name of the page').fill('Lunch');
      await set(other, { isShown: true, date: '2026-04-02T12:00' });
      await typeText(page, 'Bread');
      await set(page, { date: '2026-05-03T12:00' });
      await publish(other);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await setting(page, /^Date.*2 Apr 2026, 12:003 May 2026, 12:00$/).waitFor();
      assert.equal(await dialog.getByRole('rowgroup').count(), 2);
      // The new name is on the right side, too.
      await dialog.getByText('Lunch', { exact: true }).nth(1).waitFor();
      assert.equal(await dialog.getByText('Menu', { exact: true }).count(), 0);
      await checkAllLooks(page, 'what two have changed of one page');
    });

    await t.test('the other person’s version can be kept, and discarding one’s own can be undone', async () => {
      const discarded = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await dialog.getByRole('button', { name: 'Keep theirs, discard mine' }).click();
      await page.getByText('Published', { exact: true }).waitFor();
      await page.getByText('Bread').waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Name of the page').inputValue(), 'Lunch');
      // Both browsers belong to one user: the other one would go on with the restored draft once the service has it.
      await discarded;
      await page.route(drafts, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()));
      await toast(page, 'The draft is discarded').getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('textbox', { name: 'Text of the page' }).getByText('Bread').waitFor();
      assert.equal(await page.getByLabel('Name of the page').inputValue(), 'Lunch');
      assert.equal((await stored()).body, '', 'the restored text is only a draft');
    });

    await t.test('one’s own changes can be applied to the other person’s version', async () => {
      await other.reload();
      await set(other, { address: 'Lunch' });
      await publish(other);
      await page.unroute(drafts);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByRole('button', { name: 'Continue editing mine' }).click();
      await page.getByText('Draft saved').waitFor();
      await publish(page);
      const { name, urlname, body, customDate, isHidden } = await stored();
      assert.deepEqual([name, urlname, body, isHidden], ['Lunch', 'lunch', '<p>Bread</p>', false]);
      assert.equal(customDate, Date.UTC(2026, 4, 3, 12));
    });
  };
}

export function changeFormatTogether(app: TestApp) {
  return async (t: TestContext) => {
    const { page, other, stored, dialog } = await signedInTwice(t, app);
    await typeText(page, 'Bread & butter');
    await changeFormat(other, 'Markdown');
    await other.keyboard.press('Escape');
    await publish(other);
    assert.equal((await stored()).bodyFormat, 'markdown_format');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await setting(page, /^FormatMarkdownVisual$/).waitFor();
    await publishBy(page, () => dialog.getByRole('button', { name: 'Publish mine' }).click());
    const { body, bodyFormat } = await stored();
    assert.deepEqual([body, bodyFormat], ['<p>Bread &amp; butter</p>', 'wysiwyg_format']);
  };
}

/** Opens an empty, hidden, published page in two browsers. */
async function signedInTwice(t: TestContext, app: TestApp) {
  const { page, address, visit } = await signedInPage(t, app);
  const created = await createPublished(page, { name: 'Menu', isHidden: true });
  await goTo(page, `/pages/${created}`, 'Edit page');
  const other = await (await app.browser.newContext({ reducedMotion: 'reduce' })).newPage();
  t.after(() => other.context().close());
  await signInVia(other, address, new URL(page.url()).pathname);
  await other.getByRole('heading', { name: 'Edit page' }).waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  const dialog = page.getByRole('dialog', { name: 'Somebody else published first' });
  const stored = () => page.evaluate<PageFieldsJson>(`fetch('/admin/pages/${id}').then((answer) => answer.json())`);
  return { page, other, visit, dialog, stored };
}

async function set(page: Page, { address, date, isShown }: { address?: string; date?: string; isShown?: boolean }) {
  await page.getByRole('button', { name: 'Page settings' }).click();
  const panel = page.getByRole('dialog', { name: 'Page settings' });
  if (address !== undefined) await panel.getByRole('textbox', { name: 'Address', exact: true }).fill(address);
  if (date !== undefined) await panel.getByLabel('Date').fill(date);
  if (isShown) await panel.getByLabel('Hide from the navigation').uncheck();
  await panel.getByRole('button', { name: 'Close' }).last().click();
  await panel.waitFor({ state: 'hidden' });
}

/** Finds the row of a setting, with its name and both values. */
function setting(page: Page, values: RegExp) {
  return page.getByRole('dialog').getByRole('rowgroup').filter({ hasText: values });
}
