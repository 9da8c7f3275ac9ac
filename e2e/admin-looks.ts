import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { runCliJson } from '../test/cli.ts';
import { photo } from '../test/images.ts';
import {
  callAdmin,
  checkAccessible,
  checkAllLooks,
  checkDark,
  createCustomerPage,
  enterPassword,
  goTo,
  insertFile,
  newCustomerPage,
  newPage,
  nextTokenLink,
  onPhone,
  password,
  publish,
  signedInPage,
  signIn,
  type TestApp,
  toast,
  typeText,
  waitUntilLoaded,
} from './test-app.ts';

/* Checks every screen of the admin app with axe. Other files test what the screens do. */

const check = checkAllLooks;
const look = { viewport: { width: 1280, height: 800 } };

export function checkScreens(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await newCustomerPage(t, app, look);
    const { origin } = new URL(address);
    // Nothing can be pressed until the app has hydrated the page.
    await page.getByRole('button', { name: 'Sign in with a passkey', disabled: false }).waitFor();
    await check(page, 'sign in');
    await page.goto(`${origin}/forgotten-password`);
    await page.getByRole('button', { name: 'Send the link' }).waitFor();
    await check(page, 'forgotten password');
    await page.goto(`${origin}/reset-password#token=none`);
    await page.getByText('no longer works').waitFor();
    await check(page, 'used link');
    await page.goto(address);
    await signIn(page);
    await goTo(page, '/nowhere', 'There is nothing here');
    await check(page, 'an unknown address');
    await goTo(page, '/images', 'Images');
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
    await check(page, 'no images');
    await goTo(page, '/pages', 'Pages');
    await page.getByRole('treeitem').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('zzz');
    await page.getByText('No page found').waitFor();
    await check(page, 'nothing found');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('treeitem').first().click();
    await check(page, 'pages');
    await checkDark(page, 'pages');
    await page.keyboard.press('F2');
    await page.getByLabel(/^New name for/).waitFor();
    await check(page, 'another name for a page');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').waitFor();
    await check(page, 'keyboard shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /sign out$/ }).click();
    await page.getByRole('menu').waitFor();
    await check(page, 'the user menu');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await check(page, 'new page');
    await page.keyboard.press('Escape');
    await newPage(page, 'Bridges');
    const question = page.getByLabel('What does this image show?');
    await onPhone(page, async () => {
      await insertFile(page, 'drop', await photo(300, 200), 'bridge.jpg');
      // A phone has no room for the question beside the text: a notice with a button comes first.
      await page.getByRole('button', { name: 'Describe it' }).waitFor();
      await checkAccessible(page, 'an image without a description');
      await page.getByRole('button', { name: 'Describe it' }).click();
      await question.waitFor();
    });
    await check(page, 'what an image shows');
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByRole('button', { name: 'Choose bridge.jpg' }).click();
    await page.getByRole('dialog').getByLabel('It is only decoration').waitFor();
    await check(page, 'images');
    await page.getByRole('tab', { name: 'From the web' }).click();
    await check(page, 'image from the web');
    await goTo(page, '/images', 'Images');
    await page.getByRole('button', { name: /^bridge\.jpg/ }).waitFor();
    await check(page, 'all images');
    await page.getByRole('button', { name: /^bridge\.jpg/ }).click();
    await page.getByText('No page yet').or(page.getByRole('dialog').getByRole('link')).first().waitFor();
    await check(page, 'one image');
    await goTo(page, '/pages', 'Pages');
    await newPage(page, 'News');
    await page.getByRole('textbox', { name: 'Text of the page' }).waitFor();
    await check(page, 'visual editor');
    await checkDark(page, 'visual editor');
    await page.getByRole('link', { name: 'Earlier versions' }).click();
    await page.getByText('No earlier versions yet').waitFor();
    await check(page, 'no earlier versions');
    await page.goBack();
    await page.getByRole('button', { name: 'Page settings' }).click();
    await page.getByRole('dialog').getByLabel('Excerpt').waitFor();
    await check(page, 'page settings');
    await page.getByRole('dialog').getByText('Markdown', { exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await typeText(page, '## Hello');
    await publish(page);
    await page.getByText('Preview', { exact: true }).click();
    await page.frameLocator('iframe').getByText('Hello').waitFor();
    await check(page, 'Markdown and preview');
    await page.getByRole('link', { name: 'Earlier versions' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.getByRole('region', { name: 'Both texts and their differences' }).waitFor();
    await check(page, 'earlier versions');
    await asViewer(app, page, t);
    for (const [section, heading] of [
      ['site', 'Site'],
      ['look', 'Look'],
      ['domains', 'Domains'],
      ['people', 'People'],
      ['keys', 'API keys'],
      ['log', 'Log'],
      ['you', 'You'],
    ] as const) {
      await goTo(page, `/settings/${section}`, heading);
      await page.locator('main form, main li, main iframe').first().waitFor();
      await check(page, section);
    }
    await goTo(page, '/settings/keys', 'API keys');
    await page.getByLabel('What is it for?').fill('Newsletter');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('shown only once').waitFor();
    await check(page, 'a new key');
    const leaked = await callAdmin(page, 'POST', 'keys', { name: 'Leaked' });
    await app.program.service.post('/api/keys.json', leaked.key, { 'key[name]': 'Stolen' });
    await page.reload();
    await page.getByText('Created with the key “Leaked”').waitFor();
    await page.getByRole('button', { name: 'Revoke Leaked' }).click();
    await page.getByRole('dialog').getByText('A key that was created with it still works.').waitFor();
    await check(page, 'keys that were issued with a key');
    await page.getByRole('button', { name: 'Revoke both' }).click();
    await page.getByText('“Leaked” and all keys that were created with it are revoked.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Stolen' }).getByText('Revoked').waitFor();
    const { id: parentId } = await callAdmin(page, 'POST', 'pages', { name: 'Breads' });
    await callAdmin(page, 'POST', 'pages', { name: 'Rye', parentId });
    await callAdmin(page, 'DELETE', `pages/${parentId}`);
    await goTo(page, '/images', 'Images');
    await page.getByRole('button', { name: /^bridge\.jpg/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
    await goTo(page, '/pages', 'Pages');
    const rows = page.getByRole('treeitem');
    await rows.first().waitFor();
    for (let left = await rows.count(); left > 0; left--) {
      await rows.first().focus();
      await page.keyboard.press('Delete');
      await rows.nth(left - 1).waitFor({ state: 'detached' });
    }
    await page.getByRole('heading', { name: 'Your website starts with a page' }).waitFor();
    await check(page, 'no pages');
    await goTo(page, '/trash', 'Trash');
    await page.getByRole('button', { name: '1 page below it' }).click();
    await page.getByText('Rye').waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByRole('group', { name: 'Selection' }).waitFor();
    await check(page, 'trash');
    await checkDark(page, 'trash');
    await page.getByRole('button', { name: 'Select none' }).click();
    await page.getByRole('button', { name: 'Empty the trash' }).click();
    await page.getByRole('dialog').getByText('cannot be undone').waitFor();
    await check(page, 'emptying the trash');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Images' }).last().click();
    await page.getByRole('button', { name: /^Restore bridge\.jpg/ }).waitFor();
    await check(page, 'images in the trash');
  };
}

/** Walks an agency through its first customer, from the name to the delivered message. */
export function createCustomer(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/overview', ...look });
    await page.getByRole('link', { name: 'Make a plan' }).waitFor();
    await callAdmin(page, 'POST', 'plans', { name: 'Business', price: '49', interval: 'month', isDefault: true });
    await page.reload();
    await page.getByRole('img', { name: 'Done' }).waitFor();
    // The navigation has no plans yet.
    await page.getByRole('link', { name: 'Your plans' }).waitFor();
    await check(page, 'the first steps');
    await goTo(page, '/customers', 'Customers');
    await page.getByRole('heading', { name: 'No customers yet' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New customer' }).first().click();
    await page.getByLabel('Name of the customer').fill('Bäckerei Müller');
    await page.getByText('baeckerei-mueller.localhost').waitFor();
    await page.getByLabel('Subdomain').fill('www');
    await page.getByText('cannot be chosen').waitFor();
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByText('E-mail address is missing').waitFor();
    await check(page, 'a new customer with mistakes');
    await page.getByLabel('Subdomain').fill('muellers-brot');
    await page.getByLabel('Name of the person').fill('Ann Müller');
    await page.getByLabel('E-mail address').fill('ann@mueller.example');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bäckerei Müller' }).waitFor();
    await page.getByText('The mail server has accepted the message to ann@mueller.example').waitFor();
    await check(page, 'a customer');
    await page.getByRole('button', { name: 'Correct the address' }).click();
    await page.getByRole('dialog').getByLabel('E-mail address').fill('ann');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByText('has to be like name@example.com').waitFor();
    await check(page, 'the wrong address of a person');
    await page.getByRole('dialog').getByLabel('E-mail address').fill('anna@mueller.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByText('The mail server has accepted the message to anna@mueller.example').waitFor();
    await suspendAndDelete(page);
    await page.getByRole('link', { name: 'All customers' }).click();
    await page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: 'Bäckerei Müller' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as CSV' }).click();
    assert.match(readFileSync(await (await download).path(), 'utf8'), /,Bäckerei Müller,muellers-brot,/);
    await check(page, 'a list of customers');
    await seeRevenue(page);
    await page.getByRole('link', { name: 'All customers' }).click();
    await suspendSelected(page);
    await callAdmin(page, 'POST', 'domains', { host: 'www.agency.example' });
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    await page.getByText('1 domain of your own does not work').waitFor();
    await page.getByRole('img', { name: /^The revenue a month/ }).waitFor();
    await check(page, 'the overview');
  };
}

/** Walks from the revenue of a plan to the customers behind a figure, and to one of them. */
async function seeRevenue(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Revenue' }).click();
  await page.getByRole('table', { name: 'Cohorts' }).getByText('100%').waitFor();
  await check(page, 'the revenue');
  await page.getByRole('table', { name: 'By plan' }).getByRole('link', { name: 'Business' }).click();
  await page.getByText('a customer who comes from another paid plan').waitFor();
  await page.getByRole('table', { name: 'By plan' }).getByRole('link', { name: '49.00' }).click();
  await page.getByText('1 customer: 588.00 a year').waitFor();
  await check(page, 'the customers behind a figure');
  await page.getByRole('list', { name: 'Paying customers' }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Bäckerei Müller' }).waitFor();
}

/** Suspends all customers that a filter shows, and undoes it: the dialog stays open although the list becomes empty. */
async function suspendSelected(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Filters' }).click();
  // Until the response, the earlier list is shown, dimmed.
  const filtered = page.waitForResponse(/\/admin\/customers\?.*state=active/);
  await page.getByLabel('State').selectOption('active');
  await (await filtered).finished();
  await page.getByRole('checkbox', { name: 'Select Bäckerei Müller' }).check();
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await dialog.getByText('1 customer will be suspended:').waitFor();
  await check(page, 'what is done with the selected customers');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByText('1 customer is suspended.').waitFor();
  await page.getByText('0 customers match the filters').waitFor();
  await check(page, 'what was done with the selected customers');
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('1 customer is as before.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** Suspends a customer, deletes it, and undoes both. */
async function suspendAndDelete(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await dialog.getByLabel('Reason').fill('The invoice of May is open.');
  await check(page, 'the suspension of a customer');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Its people see this reason: The invoice of May is open.').waitFor();
  await toast(page, 'is suspended').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('it is deleted for good').waitFor();
  await page.getByRole('link', { name: 'All customers' }).click();
  await page
    .getByRole('region', { name: 'Deleted customers' })
    .getByRole('link', { name: 'Bäckerei Müller' })
    .waitFor();
  await check(page, 'a list of customers that were deleted');
  await page.getByRole('link', { name: 'Bäckerei Müller' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
}

/** Walks an agency through creating a plan and putting its plans in order. */
export function orderPlans(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/plans', ...look });
    const dialog = page.getByRole('dialog');
    const add = page.getByRole('button', { name: 'New plan' });
    await add.click();
    await dialog.getByLabel('Name').fill('Free');
    await dialog.getByLabel('Price').fill('dear');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await dialog.getByText('Price').last().waitFor();
    await check(page, 'a new plan with mistakes');
    await dialog.getByLabel('Name').fill('Business');
    await dialog.getByLabel('Price').fill('49,00');
    await dialog.getByLabel('Description').fill('For companies with a shop');
    await dialog.getByLabel('Pages').fill('50');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    const plans = page.getByRole('region', { name: 'Offered' }).getByRole('listitem');
    await plans.filter({ hasText: 'Up to 50 pages' }).waitFor();
    // The form for the next plan is empty.
    await add.click();
    assert.equal(await dialog.getByLabel('Name').inputValue(), '');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move “Free” down, now 1 of 2' }).press('Enter');
    // The focus stays with the plan, where it can be moved back.
    await page.locator(':focus[aria-label="Move “Free” up, now 2 of 2"]').waitFor();
    assert.match((await plans.first().textContent())!, /^Business/);
    await check(page, 'plans');
    await page.reload();
    await page.getByRole('button', { name: 'Move “Free” up, now 2 of 2' }).waitFor();
  };
}

/** Walks an agency through setting a brand and its messages, removing the brand, and undoing that. */
export function setBrand(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await createCustomerPage(t, app, look);
    // Only an account that the operator has set up can word messages.
    const { sign_in_link: link } = await runCliJson(app.database, 'user', 'sign-in-link', '--account', 'agency');
    const { pathname, hash } = new URL(link);
    const { origin } = new URL(address);
    await page.goto(origin + pathname + hash);
    await page.waitForURL('**/welcome');
    await page.goto(`${origin}/brand`);
    const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe:not([data-pending])');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Acme Agency');
    await preview.getByText('Acme Agency').waitFor();
    await page.getByRole('textbox', { name: 'Support page' }).fill('acme');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Support page is not an address like').waitFor();
    await check(page, 'a brand with mistakes');
    await page.getByRole('button', { name: 'Back to the default: Support page' }).press('Enter');
    assert.equal(await page.locator(':focus').getAttribute('placeholder'), 'No link');
    await page.getByText('Message', { exact: true }).click();
    await page.getByText('Dark', { exact: true }).click();
    await preview.getByText('From: Acme Agency').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const remove = page.getByRole('button', { name: 'Remove the brand' });
    await remove.waitFor();
    await check(page, 'a brand');
    await checkDark(page, 'a brand');
    await page.getByRole('link', { name: 'Address', exact: true }).click();
    await page.getByRole('radio', { name: 'The standard address' }).waitFor();
    await check(page, 'the address of a brand');
    await page.goBack();
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('Dear {nme}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Text needs {link}').waitFor();
    await check(page, 'the words of a message with mistakes');
    await page.getByRole('textbox', { name: 'Text' }).fill('Dear {name}\n\n{link}');
    await preview.getByText('Dear Alex Baker').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Back to the default', exact: true }).press('Enter');
    await page.getByText('“Login instructions” has the default words').waitFor();
    assert.match(await page.getByRole('textbox', { name: 'Text' }).inputValue(), /^Hello \{name\}/);
    await page.goBack();
    // By keyboard, because messages cover the button.
    await remove.press('Enter');
    await page.getByText('“Acme Agency” is removed').waitFor();
    assert.equal(await name.inputValue(), '');
    await page.getByRole('button', { name: 'Undo' }).last().press('Enter');
    await remove.waitFor();
    assert.equal(await name.inputValue(), 'Acme Agency');
    // The customers of the other stories expect no brand.
    await remove.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).last().waitFor();
  };
}

/** Shows the screens of a person who cannot sign in, or whose service does not answer. */
export function checkFailures(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, subdomain } = await createCustomerPage(t, app, look);
    const { origin } = new URL(address);

    await t.test('axe finds no problem where the operator’s sign-in link is followed, or was used before', async () => {
      const { sign_in_link: link } = await runCliJson(app.database, 'user', 'sign-in-link', '--account', subdomain);
      const path = link.slice(new URL(link).origin.length);
      const sent = Promise.withResolvers<void>();
      await page.route('**/admin/sign-in-link', (route) => sent.promise.then(() => route.continue()));
      await page.goto(origin + path);
      await page.locator('button[type=submit][data-loading]').waitFor();
      await check(page, 'a link that is followed');
      sent.resolve();
      await page.getByRole('tree').waitFor();
      await page.goto(origin + path);
      await page.getByRole('alert').getByText('This link no longer works').waitFor();
      await check(page, 'a link that was followed');
    });

    await t.test('axe finds no problem where the service fails or cannot be reached', async () => {
      await page.goto(`${origin}/pages`);
      await page.getByRole('treeitem').first().press('Enter');
      await page.getByRole('heading', { name: 'Edit page' }).waitFor();
      const editor = page.url();
      const broken = { status: 500, json: { error: 'internal', message: 'Broken' } };
      for (const [what, path, problem] of [
        ['the session cannot be loaded', 'session', 'The service has a problem'],
        ['the page cannot be loaded', 'pages/*', 'The service has a problem'],
        ['the service cannot be reached', 'session', 'The service cannot be reached'],
      ] as const) {
        await page.route(`**/admin/${path}`, (route) =>
          problem.includes('reached') ? route.abort() : route.fulfill(broken),
        );
        await page.goto(editor);
        await page.getByRole('alert').getByText(problem).waitFor();
        await page.getByRole('heading', { level: 1, name: 'That did not work' }).waitFor();
        assert.match(await page.title(), /^That did not work/);
        await check(page, what);
        await page.unrouteAll({ behavior: 'wait' });
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('heading', { name: 'Edit page' }).waitFor();
      }
    });

    await t.test('axe finds no problem in a suspended account, before and after signing in', async () => {
      await runCliJson(app.database, 'customer', 'suspend', subdomain);
      await page.goto(`${origin}/pages`);
      await page.getByRole('alert').getByText('has suspended this site').waitFor();
      await check(page, 'inside, suspended');
      await page.goto(address);
      await enterPassword(page);
      await page.getByRole('alert').getByText('has suspended this site').waitFor();
      await check(page, 'the way in, suspended');
    });
  };
}

/** Checks the screens of a viewer, who may look at everything and change nothing. */
async function asViewer(app: TestApp, owner: Page, t: TestContext): Promise<void> {
  const editor = new URL(owner.url()).pathname.replace('/revisions', '');
  await callAdmin(owner, 'POST', 'users', { name: 'Vi Viewer', email: 'vi@example.com', role: 'viewer' });
  const link = await nextTokenLink(app, 'vi@example.com');
  const context = await app.browser.newContext({ reducedMotion: 'reduce', ...look });
  context.setDefaultTimeout(60_000);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: /^Welcome to/ }).waitFor();
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.waitForURL('**/pages');
  await waitUntilLoaded(page);
  await page.getByRole('treeitem').first().click();
  await page.getByRole('toolbar').getByRole('button', { name: 'View', exact: true }).waitFor();
  await check(page, 'pages, for a viewer');
  await goTo(page, editor, 'Edit page');
  await page.getByText('You can look at this page. To change it').waitFor();
  await page.frameLocator('iframe').getByText('Hello').waitFor();
  await check(page, 'the preview, for a viewer');
  await page.getByRole('button', { name: 'Page settings' }).click();
  await page.getByRole('dialog').getByLabel('Excerpt').waitFor();
  await check(page, 'page settings, for a viewer');
  // A viewer cannot save, so no field may be editable.
  const fields = page.getByRole('dialog').locator('input:not(:disabled), textarea');
  assert.ok((await fields.count()) >= 3);
  for (const field of await fields.all()) assert.equal(await field.isEditable(), false);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Earlier versions' }).click();
  await page.getByRole('region', { name: 'Both texts and their differences' }).waitFor();
  await check(page, 'earlier versions, for a viewer');
  await goTo(page, '/images', 'Images');
  await page.getByRole('button', { name: /^bridge\.jpg/ }).click();
  await page.getByRole('dialog').getByText('Shown on').waitFor();
  await check(page, 'an image, for a viewer');
}
