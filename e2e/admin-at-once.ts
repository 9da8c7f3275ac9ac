import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { flatten } from '../test/service.ts';
import { begin, call, type House, nextMail, signIn, toast } from './house.ts';

/** What one does is to be seen while the service has not heard of it, and goes again where it never does. */
export function atOnce(house: House) {
  return async (t: TestContext) => {
    const { page, address, context, pages } = await begin(t, house);
    const { origin } = new URL(address);
    await signIn(page);
    const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
    const names = async () => [...flatten(await pages())].map(({ name }) => name);
    const before = await names();

    await t.test('in the tree', async () => {
      const letGo = await hold(page);
      await row('About').click();
      await page.getByRole('button', { name: 'Duplicate' }).click();
      await page.getByRole('tree').getByText('About').nth(1).waitFor();
      await page.getByRole('button', { name: 'Hide from navigation' }).click();
      await row('About').getByText('Hidden').waitFor();
      await row('About').focus();
      await page.keyboard.press('Delete');
      await row('About').waitFor({ state: 'detached' });
      await letGo();
      await toast(page, 'deleted').getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Undone').waitFor();
      assert.deepEqual(await names(), before.toSpliced(2, 0, 'About 2'));
      await row('About 2').waitFor();
    });

    await t.test('but not for good where the service cannot be reached', async () => {
      await context.setOffline(true);
      await row('Services').click();
      await page.getByRole('button', { name: 'Hide from navigation' }).click();
      await toast(page, 'cannot be reached').waitFor();
      await row('Services').getByText('Hidden').waitFor({ state: 'detached' });
      await page.keyboard.press('Delete');
      await row('Services').waitFor();
      await context.setOffline(false);
    });

    await t.test('in the settings', async () => {
      await page.goto(`${origin}/settings/site`);
      const letGo = await hold(page);
      const field = page.getByLabel('Name of the site');
      await field.fill('Acmé & Fils');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('banner').getByText('Acmé & Fils').waitFor();
      await letGo();
      await toast(page, 'Saved').waitFor();
      await context.setOffline(true);
      await field.fill('Acmé');
      await page.getByRole('button', { name: 'Save' }).click();
      // What was to be saved stays in the form, for another try.
      await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
      await page.getByRole('banner').getByText('Acmé & Fils').waitFor();
      assert.equal(await field.inputValue(), 'Acmé');
      await context.setOffline(false);
    });

    await t.test('among people and keys', async () => {
      await call(page, 'POST', 'users', { name: 'Ned New', email: 'ned.new@example.com', role: 'viewer' });
      await nextMail(house);
      await call(page, 'POST', 'keys', { name: 'Till' });
      await page.goto(`${origin}/settings/people`);
      const ned = page.getByRole('listitem').filter({ hasText: 'Ned New' });
      await ned.getByRole('combobox').selectOption('Editor');
      await toast(page, 'Ned New is Editor now').waitFor();
      const letGo = await hold(page);
      await ned.getByRole('button', { name: 'Remove' }).click();
      await ned.waitFor({ state: 'detached' });
      await letGo();
      await toast(page, 'Ned New is removed').waitFor();
      await page.goto(`${origin}/settings/keys`);
      const letGoAgain = await hold(page);
      const till = page.getByRole('listitem').filter({ hasText: 'Till' });
      await till.getByRole('button', { name: 'Revoke' }).click();
      await till.getByText('Revoked').waitFor();
      await letGoAgain();
      await toast(page, '“Till” is revoked').waitFor();
    });

    await t.test('or says that it is being done', async () => {
      const letGo = await hold(page);
      await page.getByRole('button', { name: /sign out$/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('menuitem', { name: 'Signing out…' }).waitFor();
      await letGo();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  };
}

/** Keeps back everything that changes something. Returns what lets it go. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const free = Promise.withResolvers<void>();
  await page.route('**/admin/**', async (route) => {
    if (route.request().method() !== 'GET') await free.promise;
    await route.continue();
  });
  return async () => {
    free.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
}
