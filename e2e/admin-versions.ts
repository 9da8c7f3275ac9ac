import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { customerFields } from '../test/service.ts';
import { begin, call, checkBothLooks, type House, signIn } from './house.ts';

/** What a page was before: all of it that is kept, with everything that differs. */
export function earlierVersions(house: House) {
  return async (t: TestContext) => {
    const { page, address } = await begin(t, house);
    await signIn(page);
    const { id } = await call(page, 'POST', 'pages', { name: 'Prices', body: 'Tea', bodyFormat: 'markdown_format' });
    const write = (fields: object) =>
      page.evaluate(`fetch('/admin/pages/${id}', {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
        body: ${JSON.stringify(JSON.stringify(fields))},
      }).then(({ status }) => status)`);
    for (let count = 1; count <= 52; count += 1) {
      assert.equal(await write({ description: `The prices of ${count} teas` }), 200);
    }
    const customDate = Date.UTC(2027, 2, 1, 12);
    await write({ urlname: 'price-list', isHidden: true, customDate, bodyFormat: 'wysiwyg_format' });
    await page.goto(`${new URL(address).origin}/pages/${id}/revisions`);
    const list = page.getByRole('navigation', { name: 'Versions' });
    const entries = list.getByRole('button', { name: customerFields().user_name! });
    const settings = page.getByRole('table', { name: 'Page settings that differ' });

    await t.test('are listed in parts, down to the first', async () => {
      await entries.nth(49).waitFor();
      assert.equal(await entries.count(), 50);
      const more = list.getByRole('button', { name: 'Show earlier versions' });
      await more.press('Enter');
      await entries.nth(52).waitFor();
      await more.waitFor({ state: 'detached' });
      assert.equal(await entries.count(), 53);
      await entries.nth(52).click();
      const compared = page.getByRole('region', { name: 'Both texts, with what differs' });
      await compared.getByText('Excerpt: The prices of 52 teas').waitFor();
      assert.equal(await compared.getByText('Excerpt').count(), 1, 'it had none');
    });

    await t.test('with what differs of the settings, in words', async () => {
      const setting = (values: RegExp) => settings.getByRole('rowgroup').filter({ hasText: values });
      await setting(/^Addresspricesprice-list$/).waitFor();
      await setting(/^NavigationShownHidden$/).waitFor();
      await setting(/^Date.*1 Mar 2027, 12:00$/).waitFor();
      await setting(/^FormatMarkdownVisual$/).waitFor();
      assert.equal(await settings.getByRole('rowgroup').count(), 5);
      await checkBothLooks(page, 'versions with other settings');
    });

    await t.test('and with any other one, where none of them does', async () => {
      await page.getByLabel('Compare with').selectOption({ index: 2 });
      await page.getByText('Excerpt: The prices of 51 teas').waitFor();
      assert.equal(await settings.count(), 0);
    });
  };
}
