import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createCustomer } from '../src/accounts/create-customer.ts';
import { createCustomerFromSite } from '../src/accounts/create-customer-from-site.ts';
import { prepareInvitedCustomer } from '../src/accounts/prepare-invited-customer.ts';
import { operator } from '../src/audit/record-audit-event.ts';
import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { openMediaStore } from '../src/media/open-store.ts';
import { updatePage } from '../src/pages/update-page.ts';
import { readTemplate } from '../src/templates/read-site.ts';
import { listTemplates } from '../src/templates/templates.ts';
import { actor, addresses, quota, settings } from '../test/factories.ts';
import { ownerOf } from '../test/template-site.ts';
import { checkAllLooks as check, signedInPage, type TestApp } from './test-app.ts';

const SITES = 200;

/** Walks an agency through offering its website as a template, pushing a change to 200 websites, and undoing that. */
export function pushTemplate(app: TestApp) {
  return async (t: TestContext) => {
    const { page, subdomain } = await signedInPage(t, app, { path: '/templates' });
    const { origin } = new URL(page.url());
    const visit = async (site: string) => {
      const host = { Host: `${site}.localhost` };
      return (await app.program.service.request('GET', '/', { headers: host })).text;
    };
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
    await check(page, 'no templates');
    await page.getByRole('button', { name: 'Offer our own website' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Bakery');
    await dialog.getByLabel('What it is for').fill('For everybody who bakes');
    await dialog.getByRole('button', { name: 'Offer' }).click();
    const listed = page.getByRole('region', { name: 'Offered' }).getByRole('listitem');
    await listed.filter({ hasText: 'No website made from it yet' }).waitFor();
    await check(page, 'a template');

    const db = await openDatabase(app.database);
    t.after(() => db.destroy());
    const { templateId, home, changed } = await makeSites(db, app, subdomain);
    const patch = `fetch('/admin/pages/${home}', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
      body: JSON.stringify({ body: '<p>Fresh bread every day</p>' }),
    }).then(({ status }) => status)`;
    assert.equal(await page.evaluate(patch), 200);

    await page.goto(`${origin}/templates/${templateId}`);
    await page.getByRole('button', { name: 'See what would change' }).click();
    await page.getByText(`${SITES - 1} of ${SITES} websites would change`).waitFor();
    await page.getByText(changed.name).click();
    await check(page, 'what a push would change');
    await page.getByRole('button', { name: `Compare “${changed.page}” of ${changed.name}` }).click();
    await dialog.getByText('Our own words').waitFor();
    await dialog.getByText('Fresh bread every day').waitFor();
    await check(page, 'both versions of a page');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: `Update ${SITES - 1} websites` }).click();
    await page.getByText(`Done: ${SITES - 1} pages changed, 1 left as it is (${SITES} websites).`).waitFor();
    assert.match(await visit(`${subdomain}-7`), /Fresh bread every day/);
    assert.match(await visit(changed.subdomain), /Our own words/);
    await page.getByRole('region', { name: 'Pages to check' }).getByText(changed.name).waitFor();
    await page.getByRole('region', { name: 'All websites' }).getByText('1 page updated').first().waitFor();
    await check(page, 'a push');
    await page.getByRole('button', { name: 'Undo on all websites' }).click();
    await page.getByText(`Undone: ${SITES - 1} pages put back (${SITES} websites).`).waitFor();
    assert.doesNotMatch(await visit(`${subdomain}-7`), /Fresh bread every day/);
    await page.getByRole('link', { name: 'Bakery', exact: true }).click();
    await page.getByText('Earlier updates').waitFor();
    await check(page, 'a template with a push');
  };
}

/** Creates the sites as the app would, one after another, and changes the home page of one. */
async function makeSites(db: Db, app: TestApp, subdomain: string) {
  const { id: accountId } = await db
    .selectFrom('accounts')
    .select('id')
    .where('subdomain', '=', subdomain)
    .executeTakeFirstOrThrow();
  const [{ id: templateId } = { id: 0 }] = await listTemplates(db, accountId);
  const site = await readTemplate(db, accountId, templateId, addresses);
  const store = openMediaStore(readConfig({ DATA_DIR: app.database.dataDir }));
  const config = { pageQuota: quota, mediaQuota: quota };
  const nameOf = (index: number) => `Bakery No. ${index}`;
  const sites: number[] = [];
  for (let index = 1; index <= SITES; index++) {
    const names = { accountName: nameOf(index), subdomain: `${subdomain}-${index}`, userName: 'Sue Baker' };
    const customer = await prepareInvitedCustomer(db, accountId, { ...names, userEmail: 'sue@bakery.example' });
    const create = (prepared: typeof customer) =>
      db.transaction().execute((trx) => createCustomer(trx, accountId, prepared, settings, operator));
    sites.push(await createCustomerFromSite({ db, store, config }, customer, site, create));
  }
  const homeOf = (account: number) => {
    const pages = db.selectFrom('pages').select(['id', 'name']).where('account_id', '=', account);
    return pages.orderBy('position').executeTakeFirstOrThrow();
  };
  const changedSite = sites[11]!;
  const page = await homeOf(changedSite);
  const by = actor(await ownerOf(db, changedSite));
  const change = { id: page.id, basedOn: undefined, fields: { body: '<p>Our own words</p>' }, quota };
  await db.transaction().execute((trx) => updatePage(trx, changedSite, change, by));
  const { id: home } = await homeOf(accountId);
  return { templateId, home, changed: { name: nameOf(12), subdomain: `${subdomain}-12`, page: page.name } };
}
