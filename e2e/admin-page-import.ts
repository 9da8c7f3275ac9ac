import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { wordPressExport } from '../test/wordpress-export.ts';
import { checkAllLooks as check, signedInPage, type TestApp } from './test-app.ts';

const bread = {
  'wp:post_id': 1,
  title: 'Bread',
  'wp:post_type': 'post',
  'wp:status': 'publish',
  'wp:post_name': 'bread',
  link: 'https://old.example/2019/bread/',
  'content:encoded': 'Rye.\n\n[gallery]',
};
const ghost = { data: { posts: [{ title: 'Hello', slug: 'hello', status: 'draft', html: '<p>Hi</p>' }] } };

/** Imports a site from another system: invalid files, the preview, the created pages, and the undo. */
export function importPages(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/pages', viewport: { width: 1280, height: 800 } });
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByText('Choose a file, or drop it here').waitFor();
    await check(page, 'a file of pages to choose');
    const choose = (name: string, content: string) =>
      page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

    await choose('photo.txt', 'nothing of that kind');
    await page.getByText('This file cannot be imported.').waitFor();
    await choose('pages.json', JSON.stringify({ pages: [{ name: '' }] }));
    await page.getByText('Name is missing.').waitFor();
    await check(page, 'pages that are wrong');

    await choose('ghost.json', JSON.stringify(ghost));
    await page.getByLabel('Address of the old site').fill('https://old.example');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 page is not published').waitFor();

    await choose('wordpress.xml', wordPressExport([bread]));
    await page.getByText('2 pages will be created').waitFor();
    await page.getByText('[gallery] does not work here').waitFor();
    await page.getByLabel('Page for the posts').fill('News');
    await check(page, 'what a file of pages has');
    await page.getByRole('button', { name: 'Create 2 pages' }).click();
    await page.getByText('2 pages created').waitFor();
    await check(page, 'imported pages');
    await page.getByRole('link', { name: 'See the pages' }).click();
    await page.getByRole('treeitem', { name: 'News' }).waitFor();

    await page.goBack();
    await choose('wordpress.xml', wordPressExport([bread]));
    await page.getByText('“Bread” becomes').or(page.getByText('"Bread" becomes "Bread 2"')).waitFor();
    await page.getByRole('button', { name: 'Create 2 pages' }).click();
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('The import is undone').waitFor();
    await page.getByRole('link', { name: 'See the pages' }).click();
    await page.getByRole('treeitem', { name: 'News' }).waitFor();
    assert.equal(await page.getByRole('treeitem', { name: 'Blog' }).count(), 0);
  };
}
