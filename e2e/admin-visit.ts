import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { callAdmin, checkAllLooks, nextTokenLink, signedInPage, type TestApp, toast } from './test-app.ts';

/** Signs in an agency as a user of its customer, who sees this in the log and forbids it. */
export function signInAsCustomer(app: TestApp) {
  return async (t: TestContext) => {
    const { page, subdomain } = await signedInPage(t, app, { path: '/customers' });
    const { origin } = new URL(page.url());
    const person = { userName: 'Bob Baker', email: 'bob@bakery.example' };
    const bakery = { name: 'Bakery', subdomain: `bakery-of-${subdomain}`, ...person };
    const { id } = await callAdmin(page, 'POST', 'customers', bakery);
    const link = await nextTokenLink(app, person.email);
    const bob = await (await app.browser.newContext({ reducedMotion: 'reduce' })).newPage();
    t.after(() => bob.context().close());
    await bob.goto(link);
    await bob.getByLabel('New password').fill('a password of his');
    await bob.getByRole('button', { name: 'Save and sign in' }).click();
    await bob.getByRole('tree').waitFor();

    await page.goto(`${origin}/customers/${id}`);
    await page.getByText('Nothing is published yet').waitFor();
    await page.getByRole('button', { name: 'Read “Your website Bakery is ready”' }).click();
    await page.getByRole('dialog').getByText('#token=••••').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Sign in as…' }).click();
    await page.getByLabel('Reason').fill('The name is wrong.');
    await checkAllLooks(page, 'as whom to sign in');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const banner = page.getByRole('region', { name: 'Signed in as another person' });
    await banner.getByText('You are signed in as Bob Baker of Bakery').waitFor();
    await page.goto(`${origin}/settings`);
    await page.getByLabel('Name of the site').fill('Bob’s Bakery');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();
    await banner.getByText('15 min left').waitFor();
    await checkAllLooks(page, 'the website of a customer');
    for (const name of ['People', 'You', 'Log']) assert.equal(await page.getByRole('link', { name }).count(), 0);
    await page.getByRole('link', { name: 'Pages' }).click();
    await banner.getByRole('button', { name: 'End the sign-in as Bob Baker' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bob’s Bakery' }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/customers/${id}`);
    await page.getByText(/The name is wrong\. · until \d\d:\d\d at the latest/).waitFor();

    await page.getByRole('button', { name: 'Sign in as…' }).click();
    await page.getByLabel('Reason').fill('The look is wrong, too.');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await banner.waitFor();

    await bob.goto(`${origin}/settings/log`);
    await bob.getByText('(Acme Bakery) as Bob Baker').first().waitFor();
    await bob.getByText(/“The name is wrong.” · until \d\d:\d\d at the latest/).waitFor();
    await bob.getByRole('link', { name: 'Agency', exact: true }).click();
    await bob.getByRole('listitem').filter({ hasText: 'The name is wrong.' }).waitFor();
    await checkAllLooks(bob, 'help from an agency');
    await bob.getByRole('switch', { name: 'People and programs of Acme Bakery may work here' }).click();
    await toast(bob, 'Your agency can no longer sign in').waitFor();

    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByRole('heading', { name: 'You have been signed out' }).waitFor();
    await checkAllLooks(page, 'the end of a visit');
    await page.getByRole('button', { name: 'Back to the customer' }).click();
    await page.getByText('Its owner does not allow people of your agency to sign in.').waitFor();
    await checkAllLooks(page, 'a customer that nobody may sign in to');
  };
}
