import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { checkAllLooks as check, signedInPage, type TestApp } from './test-app.ts';

/** Imports customers from a file with a column to assign and an invalid line, up to the report. */
export function importCustomers(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/customers', viewport: { width: 1280, height: 800 } });
    await page.getByRole('main').getByRole('link', { name: 'Import' }).first().click();
    await page.getByText('Choose a CSV file, or drop it here').waitFor();
    await check(page, 'a file to choose');
    const shops = Array.from({ length: 120 }, (_, at) => `Shop ${at};shop-${at};Sam;sam${at}@shop.example`);
    const lines = ['Laden;Subdomain;Chef;E-Mail;Template', 'Bakery;www;Ann;ann;Gold', ...shops];
    const csv = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
    await page.locator('input[type="file"]').setInputFiles(csv);
    await page.getByText('Choose columns for: Name of the customer, Name of the person.').waitFor();
    await page.getByLabel('Name of the customer').selectOption('Laden');
    await page.getByText('Choose a column for: Name of the person.').waitFor();
    await page.getByLabel('Name of the person').selectOption('Chef');
    await page.getByText('1 line will be skipped').waitFor();
    await page.getByText('E-mail address has to be like name@example.com.').waitFor();
    await page.getByText('There is no template “Gold”. You have no templates yet.').waitFor();
    await page.getByText('Customers that start from a template take longer').waitFor();
    await check(page, 'the preview of an import');
    await page.getByRole('button', { name: 'Create 120 customers' }).click();
    await page.getByText('120 customers created, 1 line skipped.').waitFor();
    await check(page, 'the report of an import');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save skipped lines as CSV' }).click();
    assert.match(readFileSync(await (await download).path(), 'utf8'), /\n2,skipped,Bakery,www,Ann,ann,/);
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByText('120 customers created, 1 line skipped.').waitFor();
    await check(page, 'the list of imports');
    await page.getByRole('link', { name: 'All customers' }).click();
    await page.getByText('120 active customers').waitFor();
  };
}
