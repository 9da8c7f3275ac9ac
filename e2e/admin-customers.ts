import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { callAdmin, goTo, signedInPage, type TestApp } from './test-app.ts';

/* Stories about an agency and the list of its customers. */

/** Signs in an agency with one customer. `open` opens its list of customers. */
async function customerList(t: TestContext, app: TestApp) {
  const { page, subdomain } = await signedInPage(t, app, { path: '/pages' });
  const plan = { price: '49', interval: 'month', isDefault: true };
  await callAdmin(page, 'POST', 'plans', { ...plan, name: 'Business' });
  const person = { userName: 'Bob Baker', email: 'bob@bakery.example' };
  const bakery = await callAdmin(page, 'POST', 'customers', {
    name: 'Bakery',
    subdomain: `its-${subdomain}`,
    ...person,
  });
  const open = async () => {
    await goTo(page, '/customers', 'Customers');
    await page.getByText('1 active customer').waitFor();
  };
  return { page, bakery: bakery as { id: number }, open };
}

export function filterCustomers(app: TestApp) {
  return async (t: TestContext) => {
    const { page, open } = await customerList(t, app);
    await open();
    const go = Promise.withResolvers<void>();
    await page.route('**/admin/customers?*', (route) => go.promise.then(() => route.continue()));
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('State').selectOption('suspended');
    const status = page.getByRole('main').getByRole('status');
    await status.filter({ hasText: 'Looking for customers…' }).waitFor();
    await page.getByRole('link', { name: 'Bakery', exact: true }).waitFor();
    go.resolve();
    await page.getByText('No customer is suspended.').waitFor();
    assert.equal(await status.textContent(), '0 customers match the filters');
    // An empty list is not announced while the next filter loads.
    const goAgain = Promise.withResolvers<void>();
    await page.route('**/admin/customers?*', (route) => goAgain.promise.then(() => route.continue()));
    await page.getByLabel('State').selectOption('active');
    await status.filter({ hasText: 'Looking for customers…' }).waitFor();
    assert.equal(await page.getByText('No customer is').count(), 0);
    goAgain.resolve();
    await status.filter({ hasText: '1 customer matches the filters' }).waitFor();
  };
}

export function keepScheduledChanges(app: TestApp) {
  return async (t: TestContext) => {
    const { page, bakery, open } = await customerList(t, app);
    const later = { name: 'Premium', price: '89', interval: 'month', isDefault: false };
    const { id: planId } = (await callAdmin(page, 'POST', 'plans', later)) as { id: number };
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await callAdmin(page, 'PUT', `customers/${bakery.id}/scheduled-change`, { planId, day, seenId: null });
    await open();
    const scheduled = page.getByText(/^From .*: Premium$/);
    const cancel = async (answer: string) => {
      await page.getByRole('button', { name: 'Cancel scheduled changes' }).click();
      await page.getByRole('dialog').getByRole('button', { name: answer }).click();
    };
    await page.getByRole('checkbox', { name: 'Select Bakery' }).check();
    const bar = page.getByRole('group', { name: 'Selection' });
    assert.equal(await bar.getByRole('button', { name: 'End the suspension' }).count(), 0, 'nobody is suspended');
    await cancel('Keep the changes');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await scheduled.count(), 1);
    await cancel('Cancel the changes');
    await page.getByRole('dialog').getByText('1 customer will stay on its plan.').waitFor();
    await scheduled.waitFor({ state: 'detached' });
    await callAdmin(page, 'POST', `customers/${bakery.id}/suspend`, { reason: '' });
    await page.reload();
    await page.getByRole('checkbox', { name: 'Select Bakery' }).check();
    await bar.getByRole('button', { name: 'End the suspension' }).waitFor();
  };
}

export function choosePlan(app: TestApp) {
  return async (t: TestContext) => {
    const { page, bakery, open } = await customerList(t, app);
    await callAdmin(page, 'POST', 'plans', { name: 'Premium', price: '89', interval: 'month', isDefault: false });
    await goTo(page, `/customers/${bakery.id}`, 'Bakery');
    const dialog = page.getByRole('dialog');
    const change = dialog.getByRole('button', { name: 'Change', exact: true });
    await page.getByRole('button', { name: 'Change the plan' }).click();
    await dialog.getByRole('option', { name: 'Premium' }).waitFor({ state: 'attached' });
    assert.equal(await change.isDisabled(), true, 'no plan is proposed');
    await dialog.getByLabel('New plan').selectOption('Premium, 89.00 a month');
    await change.click();
    await page.getByText('Bakery is on “Premium” now.').waitFor();

    await open();
    await page.getByRole('checkbox', { name: 'Select Bakery' }).check();
    await page.getByRole('button', { name: 'Change the plan' }).click();
    await dialog.getByRole('option', { name: 'Business' }).waitFor({ state: 'attached' });
    assert.equal(await change.isDisabled(), true, 'no plan is proposed for selected customers');
    await dialog.getByLabel('New plan').selectOption('Business, 49.00 a month');
    await dialog.getByText('1 customer will be put on this plan:').waitFor();
  };
}
