import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { beginInside, checkAllLooks, type House, openHouse } from './house.ts';

/*
 * What goes wrong, or comes in numbers, beside pages and editors: on SQLite alone, since it is the browser's part that is
 * tried here.
 */

test('the admin app in use', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('a screen that cannot be loaded says so, and takes nothing with it', withoutConnection(house));
});

function withoutConnection(house: House) {
  return async (t: TestContext) => {
    const { page, context } = await beginInside(t, house, { path: '/settings/site' });
    const main = page.getByRole('navigation', { name: 'Main' });
    const failed = page.getByRole('heading', { name: 'That did not work' });
    await page.getByLabel('Name of the site').fill('Bakehouse');
    await context.setOffline(true);
    await main.getByRole('link', { name: 'Images' }).click();
    await failed.waitFor();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await checkAllLooks(page, 'a screen that cannot be loaded');
    await page.goBack();
    assert.equal(await page.getByLabel('Name of the site').inputValue(), 'Bakehouse');

    // Nor is one left to wait for what does not come; when it can, it does.
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await context.setOffline(false);
    await page.getByRole('listitem').getByText('Ann Baker (you)').waitFor();

    await main.getByRole('link', { name: 'Images' }).click();
    await failed.waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
  };
}
