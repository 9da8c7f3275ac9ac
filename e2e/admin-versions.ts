import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { PageFieldsJson } from '../src/http/admin/contract.ts';
import { customerFields } from '../test/service.ts';
import { delayRequests } from './admin-at-once.ts';
import { checkAllLooks, createPublished, goTo, signedInPage, type TestApp, toast } from './test-app.ts';

/** Checks the earlier versions of a page, and how they differ from it. */
export function compareVersions(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await signedInPage(t, app);
    const id = await createPublished(page, {
      name: 'Prices',
      body: 'Tea',
      bodyFormat: 'markdown_format',
    });
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
    await goTo(page, `/pages/${id}/revisions`, 'Earlier versions');
    const list = page.getByRole('navigation', { name: 'Versions' });
    const entries = list.getByRole('button', { name: customerFields().user_name! });
    const settings = page.getByRole('table', { name: 'Page settings that differ' });
    const compared = page.getByRole('region', { name: 'Both texts and their differences' });

    await t.test('earlier versions are listed in batches, down to the first', async () => {
      await entries.nth(49).waitFor();
      assert.equal(await entries.count(), 50);
      const more = list.getByRole('button', { name: 'Show earlier versions' });
      await more.press('Enter');
      await entries.nth(52).waitFor();
      await more.waitFor({ state: 'detached' });
      assert.equal(await entries.count(), 53);
      await entries.nth(52).click();
      await compared.getByText('Excerpt: The prices of 52 teas').waitFor();
      assert.equal(await compared.getByText('Excerpt').count(), 1, 'the first version had no excerpt');
    });

    await t.test('an earlier version shows in words which settings differ', async () => {
      const setting = (values: RegExp) => settings.getByRole('rowgroup').filter({ hasText: values });
      await setting(/^Addresspricesprice-list$/).waitFor();
      await setting(/^NavigationShownHidden$/).waitFor();
      await setting(/^Date.*1 Mar 2027, 12:00$/).waitFor();
      await setting(/^FormatMarkdownVisual$/).waitFor();
      assert.equal(await settings.getByRole('rowgroup').count(), 5);
      await checkAllLooks(page, 'versions with other settings');
    });

    await t.test('comparing two versions with the same settings shows only their texts', async () => {
      await page.getByLabel('Compare with').selectOption({ index: 2 });
      await page.getByText('Excerpt: The prices of 51 teas').waitFor();
      assert.equal(await settings.count(), 0);
    });

    await t.test('a version that could not be loaded is loaded with “Try again”', async () => {
      await page.route('**/admin/revisions/*', (route) => route.fulfill({ status: 429, json: {} }));
      await entries.nth(20).click();
      const tryAgain = page.getByRole('button', { name: 'Try again' });
      await tryAgain.waitFor();
      await page.unroute('**/admin/revisions/*');
      await tryAgain.click();
      await compared.getByText('Excerpt: The prices of 32 teas').waitFor();
      await entries.nth(52).click();
    });

    const unknown: string[] = [];
    page.on('request', (request) => {
      if (/revisions\/-/.test(request.url())) unknown.push(request.url());
    });
    const restore = page.getByRole('button', { name: 'Restore this version' });
    const stored = () => page.evaluate<PageFieldsJson>(`fetch('/admin/pages/${id}').then((answer) => answer.json())`);

    await t.test(
      'a restored version shows at once, and is called published once the service has published it',
      async () => {
        const release = await delayRequests(page);
        await restore.click();
        await compared.getByText('Publishing again…', { exact: true }).waitFor();
        await page.getByText('Name, excerpt and text are the same in both').waitFor();
        await entries.nth(53).waitFor();
        assert.equal(await page.getByText('Published now', { exact: true }).count(), 0);
        assert.equal((await stored()).description, 'The prices of 52 teas');
        await release();
        await toast(page, 'That version is published again').waitFor();
        await compared.getByText('Published now', { exact: true }).waitFor();
        const { description, bodyFormat, urlname, isHidden, customDate: date } = await stored();
        assert.deepEqual([description, bodyFormat], [null, 'markdown_format']);
        assert.deepEqual([urlname, isHidden, date], ['price-list', true, customDate], 'the address stays');
      },
    );

    await t.test('undoing a restoration shows at once', async () => {
      const release = await delayRequests(page);
      await toast(page, 'That version is published again').getByRole('button', { name: 'Undo' }).click();
      await compared.getByText('Excerpt: The prices of 52 teas').waitFor();
      await compared.getByText('Publishing again…', { exact: true }).waitFor();
      await entries.nth(54).waitFor();
      // The replaced version is in the list, though the service has not stored it yet.
      await entries.first().click();
      await page.locator('[aria-current=true]').and(entries.first()).waitFor();
      await compared.getByText('Excerpt: The prices of 52 teas').waitFor();
      await entries.nth(54).click();
      await release();
      await toast(page, 'Undone').waitFor();
      assert.deepEqual(unknown, []);
      await compared.getByText('Published now', { exact: true }).waitFor();
      await compared.getByText('Excerpt: The prices of 52 teas').waitFor();
      assert.equal((await stored()).description, 'The prices of 52 teas');
    });

    await t.test('restoring a version is refused if another person has published since', async () => {
      await write({ description: 'No more tea' });
      const release = await delayRequests(page);
      await restore.click();
      await page.getByText('Name, excerpt and text are the same in both').waitFor();
      await release();
      await toast(page, 'Somebody else changed this in the meantime').waitFor();
      // The selected version is compared with the one that was published since.
      await compared.getByText('Excerpt: No more tea').waitFor();
      assert.equal((await stored()).description, 'No more tea');
      await entries.nth(55).waitFor();
      const before = await entries.count();
      await context.setOffline(true);
      await restore.click();
      await toast(page, 'cannot be reached').waitFor();
      await compared.getByText('Published now', { exact: true }).waitFor();
      await compared.getByText('Excerpt: No more tea').waitFor();
      assert.equal(await entries.count(), before, 'the list has no entry for a restoration that failed');
      await context.setOffline(false);
    });
  };
}
