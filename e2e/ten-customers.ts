import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from './program.ts';
import {
  callAdmin,
  enterPassword,
  nextTokenLink,
  password,
  signedInPage,
  signOut,
  type TestApp,
  tokenLink,
  waitUntilLoaded,
} from './test-app.ts';

const CSV = [
  'Company,Subdomain,Contact,Mail',
  ...Array.from({ length: 9 }, (_, index) => {
    const number = index + 1;
    return `Shop ${number},shop-${number},Person ${number},person-${number}@shops.example`;
  }),
  'Linden Bakery,linden-bakery,Ann Baker,refused@linden.example',
].join('\n');

/** Walks an agency from its first steps to ten paying customers, one of whom does not get the first mail. */
export function tenCustomers(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await signedInPage(t, app, { path: '/overview' });
    app.mailbox.treat = (recipient) => (recipient.startsWith('refused') ? 'refuse' : 'accept');
    t.after(() => {
      app.mailbox.treat = () => 'accept';
    });
    const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    const step = (name: string) => page.getByRole('main').getByRole('link', { name });

    await t.test('the first step makes the plan that new customers are put on', async () => {
      await step('Make a plan').click();
      await page.getByRole('button', { name: 'New plan' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Business');
      await dialog.getByLabel('Price').fill('49');
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      await page.getByRole('button', { name: 'Make default: “Business”' }).click();
      await page.getByRole('button', { name: 'Make default: “Free”' }).waitFor();
    });

    await t.test('ten customers are created from a file', async () => {
      await page.goto(new URL('/customers', page.url()).href);
      await step('Import').first().click();
      const fileChooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await fileChooser).setFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
      await page.getByRole('button', { name: 'Create 10 customers' }).click();
      await page.getByText('10 customers created.').waitFor();
    });

    await t.test('the overview shows the ten paying customers, and the one without login instructions', async () => {
      await entry('Overview').click();
      await page.getByText('490.00').first().waitFor();
      await reloadUntil(t, page, '1 customer did not get the login instructions');
      await step('Linden Bakery').click();
      await page.getByText('The mail server said:').first().waitFor();
    });

    await t.test('a corrected address gets the login instructions, and nothing needs the agency any more', async () => {
      await page.getByRole('button', { name: 'Correct the address' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('E-mail address').fill('ann@linden.example');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await page.getByText('The mail server has accepted the message to ann@linden.example').waitFor();
      await entry('Overview').click();
      await page.getByText('Nothing needs your attention.').waitFor();
    });

    await t.test('the customer sets a password through the link, and the agency sees the sign-in', async () => {
      const { email } = await app.mailbox.find(({ to }) => to.includes('ann@linden.example'));
      const context = await app.browser.newContext();
      t.after(() => context.close());
      const theirs = await context.newPage();
      await theirs.goto(tokenLink.exec(email.text!)![0]);
      await theirs.getByRole('textbox', { name: 'New password' }).fill('flour and water');
      await theirs.getByRole('button', { name: 'Save and sign in' }).click();
      await theirs.getByRole('tree').waitFor();
      await page.reload();
      await step('Make a plan').waitFor({ state: 'detached' });
      await entry('Customers').click();
      await step('Linden Bakery').click();
      await page.getByText('The person at ann@linden.example has signed in.').waitFor();
    });

    await t.test(
      'the sign-in form, the bare address and the name in the banner lead an agency to its overview',
      async () => {
        const heading = page.getByRole('heading', { name: 'Overview', level: 1 });
        await signOut(page);
        await page.goto(address);
        const documents: string[] = [];
        page.on('request', (request) => {
          if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
        });
        await enterPassword(page);
        await heading.waitFor();
        assert.deepEqual(documents, ['/overview']);
        await page.goto(new URL('/', address).href);
        await heading.waitFor();
        await entry('Pages').click();
        await page.getByRole('banner').getByRole('link').first().click();
        await heading.waitFor();
        assert.deepEqual(documents, ['/overview', '/', '/overview']);
      },
    );

    await t.test('confirming a new e-mail address leads an agency to its overview', async () => {
      const email = 'new@acme.example';
      await callAdmin(page, 'POST', 'email', { email, current: password }).catch(() => {});
      await page.goto(await nextTokenLink(app, email));
      await page.getByRole('button', { name: 'Use this address' }).click();
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    });
  };
}

/** Reloads the screen, as a user would who waits for the mail, until it shows the text. */
async function reloadUntil(t: TestContext, page: Page, text: string): Promise<void> {
  const count = async () => {
    await page.reload();
    await waitUntilLoaded(page);
    return page.getByText(text).count();
  };
  await eventually(t, count, (found) => found === 1);
}
