import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { flatten } from '../test/service.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  createPublished,
  publish,
  publishBy,
  signedInPage,
  type TestApp,
  toast,
  typeText,
} from './test-app.ts';

/** Checks that a change shows before the service has answered, and is reverted if the service fails. */
export function showChangesAtOnce(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, context, pages, visit } = await signedInPage(t, app);
    const { origin } = new URL(address);
    const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
    const names = async () => [...flatten(await pages())].map(({ name }) => name);
    const before = await names();
    const text = page.getByRole('textbox', { name: 'Text of the page' });
    const typeMore = async (more: string) => {
      await text.press('Control+End');
      await page.keyboard.insertText(more);
    };

    await t.test('a change in the page tree shows before the service has answered', async () => {
      const release = await delayRequests(page);
      await row('About').click();
      await page.getByRole('button', { name: 'Duplicate' }).click();
      await page.getByRole('tree').getByText('About').nth(1).waitFor();
      await page.getByRole('button', { name: 'Hide from navigation' }).click();
      await row('About').getByText('Hidden').waitFor();
      await row('About').focus();
      await page.keyboard.press('Delete');
      await row('About').waitFor({ state: 'detached' });
      await release();
      await toast(page, 'deleted').getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Undone').waitFor();
      assert.deepEqual(await names(), before.toSpliced(2, 0, 'About 2'));
      await row('About 2').waitFor();
    });

    await t.test('a new page shows in the tree at once, and opens when the service has created it', async () => {
      const all = await names();
      const release = await delayRequests(page);
      await create(page, 'Prices');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('tree').getByText('Prices').waitFor();
      // A user who has opened the dialog for another page stays in it.
      await row('Contact').click();
      await page.getByRole('button', { name: 'Add a page inside Contact' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('The way');
      assert.deepEqual(await names(), all);
      await release();
      await toast(page, '“Prices” created').waitFor();
      await row('Prices').waitFor();
      const releaseAgain = await delayRequests(page);
      await dialog.getByLabel('Name').press('Enter');
      await page.getByRole('tree').getByText('The way').waitFor();
      await releaseAgain();
      await page.getByRole('heading', { name: 'Edit page' }).waitFor();
      await toast(page, '“The way” created').getByRole('button', { name: 'Undo' }).click();
      await row('Contact').waitFor();
      assert.equal(await page.getByRole('tree').getByText('The way').count(), 0);
      // An “Undone” message may still be that of the story before, so wait for the stored pages.
      await eventually(t, names, (now) => isDeepStrictEqual(now, [...all, 'Prices']));
    });

    await t.test('a new page that the service refuses leaves the tree, and its dialog opens again', async () => {
      const release = await delayRequests(page);
      const coming = page.getByRole('tree').getByText('Services').nth(1);
      await create(page, 'Services');
      await coming.waitFor();
      await release();
      const dialog = page.getByRole('dialog', { name: 'New page' });
      await dialog.getByText('Name is already taken').waitFor();
      await coming.waitFor({ state: 'detached' });
      const field = dialog.getByLabel('Name');
      assert.equal(await field.inputValue(), 'Services');
      // If the dialog is open for another new page by then, it keeps what was typed.
      const releaseAgain = await delayRequests(page);
      await field.press('Enter');
      await coming.waitFor();
      await page.getByRole('button', { name: 'New page' }).click();
      await field.fill('Menu');
      await releaseAgain();
      await toast(page, '“Services” was not created').getByText('Name is already taken').waitFor();
      assert.equal(await field.inputValue(), 'Menu');
      await page.keyboard.press('Escape');
      await coming.waitFor({ state: 'detached' });
    });

    await t.test('a change in the page tree is reverted if the service cannot be reached', async () => {
      await context.setOffline(true);
      await row('Services').click();
      await page.getByRole('button', { name: 'Hide from navigation' }).click();
      await toast(page, 'cannot be reached').waitFor();
      await row('Services').getByText('Hidden').waitFor({ state: 'detached' });
      await page.keyboard.press('Delete');
      await row('Services').waitFor();
      await context.setOffline(false);
    });

    await t.test('saved settings show at once, and are reverted if the service cannot be reached', async () => {
      await page.goto(`${origin}/settings/site`);
      const release = await delayRequests(page);
      const field = page.getByLabel('Name of the site');
      await field.fill('Acmé & Fils');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('banner').getByText('Acmé & Fils').waitFor();
      await release();
      await toast(page, 'Saved').waitFor();
      await context.setOffline(true);
      await field.fill('Acmé');
      await page.getByRole('button', { name: 'Save' }).click();
      // The values stay in the form for another try.
      await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
      await page.getByRole('banner').getByText('Acmé & Fils').waitFor();
      assert.equal(await field.inputValue(), 'Acmé');
      await context.setOffline(false);
    });

    await t.test('a removed person and a revoked API key show at once', async () => {
      await callAdmin(page, 'POST', 'users', { name: 'Ned New', email: 'ned.new@example.com', role: 'viewer' });
      await callAdmin(page, 'POST', 'keys', { name: 'Till' });
      await page.goto(`${origin}/settings/people`);
      const ned = page.getByRole('listitem').filter({ hasText: 'Ned New' });
      await ned.getByRole('combobox').selectOption('Editor');
      await toast(page, 'Ned New has the role “Editor” now').waitFor();
      const release = await delayRequests(page);
      await ned.getByRole('button', { name: 'Remove' }).click();
      await ned.waitFor({ state: 'detached' });
      await release();
      await toast(page, 'Ned New is removed').waitFor();
      await page.goto(`${origin}/settings/keys`);
      const releaseAgain = await delayRequests(page);
      const till = page.getByRole('listitem').filter({ hasText: 'Till' });
      await till.getByRole('button', { name: 'Revoke' }).click();
      await till.getByText('Revoked').waitFor();
      await releaseAgain();
      await toast(page, '“Till” is revoked').waitFor();
    });

    await t.test('an invitation and a new API key show at once', async () => {
      await page.goto(`${origin}/settings/people`);
      const form = page.locator('form').filter({ hasText: 'Invite somebody' });
      const [name, email] = [form.getByLabel('Name'), form.getByLabel('E-mail address')];
      const person = (called: string) => page.getByRole('listitem').filter({ hasText: called });
      const invite = async (who: string, to: string) => {
        await name.fill(who);
        await email.fill(to);
        await email.press('Enter');
      };
      // Wait for the list: an invitation can only show in a loaded one.
      await person('(you)').waitFor();
      const release = await delayRequests(page);
      await invite('Una Used', 'una@example.com');
      await person('Una Used').getByText('Inviting…').waitFor();
      assert.equal(await name.inputValue(), '');
      // A second invitation can be sent before the first is answered.
      await invite('Una Twice', 'una@example.com');
      await person('Una Twice').getByText('Inviting…').waitFor();
      await release();
      await toast(page, 'on its way to una@example.com').waitFor();
      await person('Una Used').getByText('Invited', { exact: true }).waitFor();
      await person('Una Twice').waitFor({ state: 'detached' });
      await form.getByText('E-mail address is already taken').waitFor();
      assert.deepEqual([await name.inputValue(), await email.inputValue()], ['Una Twice', 'una@example.com']);
      const releaseAgain = await delayRequests(page);
      await email.press('Enter');
      await person('Una Twice').waitFor();
      await name.fill('Max');
      await releaseAgain();
      await toast(page, 'Una Twice (una@example.com) was not invited').waitFor();
      await person('Una Twice').waitFor({ state: 'detached' });
      assert.equal(await name.inputValue(), 'Max');

      await page.goto(`${origin}/settings/keys`);
      await page.getByRole('listitem').filter({ hasText: 'Till' }).waitFor();
      const releaseLast = await delayRequests(page);
      await page.getByLabel('What is it for?').fill('Newsletter');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Newsletter' }).waitFor();
      await page.getByText('Your new key is being created').waitFor();
      await releaseLast();
      await page.getByRole('alert').getByText(/^fh_/).waitFor();
      await page.getByRole('button', { name: 'Revoke Newsletter' }).waitFor();
      // If the user has left the screen, a message says that no key was issued.
      const releaseLater = await delayRequests(page);
      await page.getByLabel('What is it for?').fill('x'.repeat(300));
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByText('Your new key is being created').waitFor();
      await page.getByRole('link', { name: 'People' }).click();
      await form.waitFor();
      await releaseLater();
      await toast(page, 'was not created').waitFor();
      // If a key was issued but never seen, a message offers to revoke it.
      await page.getByRole('link', { name: 'API keys' }).click();
      const releaseUnseen = await delayRequests(page);
      await page.getByLabel('What is it for?').fill('Unseen');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByText('Your new key is being created').waitFor();
      await page.getByRole('link', { name: 'People' }).click();
      await form.waitFor();
      await releaseUnseen();
      await toast(page, '“Unseen” was created after you left').getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByText('Unseen', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Revoke Unseen' }).waitFor({ state: 'detached' });
    });

    await t.test('an invitation that is sent again shows “Inviting…” at once', async () => {
      await callAdmin(page, 'POST', 'users', { name: 'Iris Idle', email: 'iris@example.com', role: 'viewer' });
      await page.goto(`${origin}/settings/people`);
      const iris = page.getByRole('listitem').filter({ hasText: 'Iris Idle' });
      const again = iris.getByRole('button', { name: 'Send again' });
      const release = await delayRequests(page);
      await again.click();
      await iris.getByText('Inviting…').waitFor();
      assert.equal(await again.isDisabled(), true);
      assert.equal(await page.getByText('on its way to iris@example.com').count(), 0);
      await release();
      await toast(page, 'on its way to iris@example.com').waitFor();
      await iris.getByText('Invited', { exact: true }).waitFor();
      await context.setOffline(true);
      await again.click();
      await toast(page, 'Iris Idle (iris@example.com) was not invited again').getByText('cannot be reached').waitFor();
      await iris.getByText('Invited', { exact: true }).waitFor();
      assert.equal(await again.isEnabled(), true);
      await context.setOffline(false);
    });

    await t.test('a replaced API key and its successor show at once', async () => {
      const { service } = app.program;
      await callAdmin(page, 'POST', 'keys', { name: 'Shop' });
      await page.goto(`${origin}/settings/keys`);
      const shops = page.getByRole('listitem').filter({ hasText: 'Shop' });
      const secret = page.getByRole('alert').getByText(/^fh_/);
      const release = await delayRequests(page);
      await page.getByRole('button', { name: 'Replace Shop' }).click();
      await page.getByText('Your new key is being created').waitFor();
      await shops.nth(1).getByText('expires').waitFor();
      assert.equal(
        await shops.first().getByRole('button').count(),
        0,
        'a key without an answer of the service has no buttons',
      );
      assert.equal(await secret.count(), 0);
      await release();
      const key = (await secret.textContent())!;
      await shops
        .first()
        .getByText(`…${key.slice(-4)}`)
        .waitFor();
      assert.equal((await service.get('/api/account.json', key)).status, 200);

      // If the service refuses, there is no new key, and the old one stays valid.
      const { id } = await callAdmin(page, 'POST', 'keys', { name: 'Stall' });
      await page.reload();
      const stalls = page.getByRole('listitem').filter({ hasText: 'Stall' });
      const replaceStall = page.getByRole('button', { name: 'Replace Stall' });
      await replaceStall.waitFor();
      await context.setOffline(true);
      await replaceStall.click();
      await toast(page, '“Stall” was not replaced').getByText('cannot be reached').waitFor();
      await context.setOffline(false);
      await page.getByText('Your new key is being created').waitFor({ state: 'detached' });
      assert.equal(await stalls.count(), 1);
      assert.equal(await stalls.getByText('expires').count(), 0);
      await page.reload();
      await replaceStall.waitFor();
      await revoke(page, id);
      const releaseAgain = await delayRequests(page);
      await replaceStall.click();
      await stalls.nth(1).getByText('expires').waitFor();
      await releaseAgain();
      await toast(page, '“Stall” was not replaced').getByText('The key no longer works').waitFor();
      await stalls.getByText('Revoked').waitFor();
      assert.equal(await stalls.count(), 1);
      assert.equal(await secret.count(), 0);

      // If the user has left the screen, nobody has seen the key: a message offers to revoke it.
      const releaseUnseen = await delayRequests(page);
      await shops.first().getByRole('button', { name: 'Replace Shop' }).click();
      await shops.nth(2).waitFor();
      await page.getByRole('link', { name: 'People' }).click();
      await page.getByText('Invite somebody').waitFor();
      await releaseUnseen();
      await toast(page, '“Shop” was replaced after you left').getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'The key “Shop”, which nobody has seen, is revoked').waitFor();
      await page.getByRole('link', { name: 'API keys' }).click();
      await shops.first().getByText('Revoked').waitFor();
      assert.equal((await service.get('/api/account.json', key)).status, 200);
    });

    await t.test('an added domain shows at once', async () => {
      await page.goto(`${origin}/settings/domains`);
      await page.getByText('No domain of your own yet').waitFor();
      const field = page.getByLabel('Your domain');
      const domains = page.getByRole('listitem').filter({ hasText: 'bakery' });
      const release = await delayRequests(page);
      await field.fill('www.bakery.example');
      await field.press('Enter');
      await domains.getByText('Adding…').waitFor();
      assert.equal(await field.inputValue(), '');
      await field.fill('bakery');
      await field.press('Enter');
      await domains.nth(1).getByText('Adding…').waitFor();
      await release();
      await page.getByText('_website.www.bakery.example').first().waitFor();
      await page.getByText('Domain has to be complete, like www.example.com.').waitFor();
      assert.equal(await field.inputValue(), 'bakery');
      assert.equal(await domains.count(), 1);
    });

    await t.test('text typed while a page is being published becomes a new draft', async () => {
      const id = await createPublished(page, { name: 'Menu' });
      await page.goto(`${origin}/pages/${id}`);
      await page.getByRole('heading', { name: 'Edit page' }).waitFor();
      const button = page.getByRole('button', { name: 'Publish', exact: true });
      await typeText(page, 'Soup');
      await page.getByText('Draft saved').waitFor();
      const release = await delayRequests(page);
      await button.click();
      await page.getByText('Publishing…').waitFor();
      // “Published” may only show once the service has confirmed it.
      assert.equal(await page.getByText('Published').count(), 0);
      assert.doesNotMatch(await visit('/menu'), /Soup/);
      await typeMore(' and bread');
      await text.getByText('Soup and bread').waitFor();
      await release();
      await toast(page, 'Published').waitFor();
      await page.getByText('Draft saved').waitFor();
      assert.match(await visit('/menu'), /Soup/);
      assert.doesNotMatch(await visit('/menu'), /bread/);
      await publish(page);
      assert.match(await visit('/menu'), /Soup and bread/);
    });

    await t.test('a page that cannot be published is a draft again', async () => {
      const name = page.getByLabel('Name of the page');
      const button = page.getByRole('button', { name: 'Publish', exact: true });
      await name.fill('Services');
      const release = await delayRequests(page);
      await button.click();
      await page.getByText('Publishing…').waitFor();
      await typeMore(', always');
      await release();
      await toast(page, 'Name is already taken').waitFor();
      await page.getByText('Publishing…').waitFor({ state: 'detached' });
      assert.equal(await name.inputValue(), 'Services');
      await page.getByText('Soup and bread, always').waitFor();
      assert.equal(await button.isEnabled(), true);
      await name.fill('Menu');
      await context.setOffline(true);
      await button.click();
      await toast(page, 'cannot be reached').waitFor();
      await page.getByText('kept on this device').first().waitFor();
      await context.setOffline(false);
      await publish(page);
      assert.match(await visit('/menu'), /Soup and bread, always/);
    });

    await t.test('undoing a publication shows at once', async () => {
      const path = `pages/${page.url().split('/').at(-1)}`;
      const status = page.getByRole('status');
      const undo = () => toast(page, 'Published').getByRole('button', { name: 'Undo' });
      await page.reload();
      await text.getByText(/always$/).waitFor();
      await typeMore(', hot');
      await publish(page);
      const release = await delayRequests(page);
      await undo().click();
      await text.getByText(/always$/).waitFor();
      await status.getByText('Undoing…').waitFor();
      assert.match(await visit('/menu'), /always, hot/);
      // Text typed before the service answers stays.
      await typeMore(' or cold');
      await release();
      await toast(page, 'Undone').waitFor();
      await status.getByText('Draft saved').waitFor();
      await text.getByText(/always or cold$/).waitFor();
      assert.match(await visit('/menu'), /always</);
      await publish(page);
      assert.match(await visit('/menu'), /always or cold/);

      // If the undo is refused, the published text is back, with the text typed since.
      await change(page, path, { body: '<p>Not any more</p>' });
      const releaseAgain = await delayRequests(page);
      await undo().click();
      await text.getByText(/always$/).waitFor();
      await page.getByLabel('Name of the page').fill('Menus');
      await releaseAgain();
      await toast(page, 'That did not work').getByText('something else has changed since').waitFor();
      await text.getByText(/always or cold$/).waitFor();
      assert.equal(await page.getByLabel('Name of the page').inputValue(), 'Menus');
      assert.match(await visit('/menu'), /Not any more/);
      await status.getByText('Draft saved').waitFor();
      await page.getByRole('button', { name: 'Discard the draft' }).click();
      await toast(page, 'The draft is discarded').waitFor();

      // A publication that is undone from another screen is undone in the editor, too.
      await page.reload();
      await text.getByText('Not any more').waitFor();
      await typeMore(': soon');
      await publish(page);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await row('Menu').waitFor();
      await undo().click();
      await toast(page, 'Undone').waitFor();
      await page.goBack();
      await text.getByText(/Not any more$/).waitFor();
      await status.getByText('Published').waitFor();
      assert.doesNotMatch(await visit('/menu'), /soon/);
    });

    await t.test(
      'publishing asks if another person has published since, and asks again after the next change',
      async () => {
        const path = `pages/${page.url().split('/').at(-1)}`;
        const elsewhere = (body: string) => change(page, path, { body: `<p>${body}</p>` });
        const dialog = page.getByRole('dialog', { name: 'Somebody else published first' });
        const button = dialog.getByRole('button', { name: 'Publish mine' });
        await typeMore(' fresh');
        await elsewhere('Salad');
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await dialog.getByText('Salad').waitFor();
        await elsewhere('Stew');
        const release = await delayRequests(page);
        await button.click();
        await dialog.waitFor({ state: 'hidden' });
        await page.getByText('Publishing…').waitFor();
        await release();
        // The dialog shows what visitors see now, which publishing would replace, not what it showed before.
        await dialog.getByText('Stew').waitFor();
        assert.match(await visit('/menu'), /Stew/);
        await context.setOffline(true);
        await button.click();
        await toast(page, 'cannot be reached').waitFor();
        await dialog.getByText('Stew').waitFor();
        await context.setOffline(false);
        await publishBy(page, () => button.click());
        assert.match(await visit('/menu'), /Not any more fresh/);

        // If the user has left the screen, a message reports the conflict.
        await typeMore(', and now');
        await elsewhere('Rice');
        const releaseLast = await delayRequests(page);
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
        await row('Menu').waitFor();
        await releaseLast();
        const refused = page
          .getByRole('alert')
          .filter({ hasText: /^“Menu” was not publishedSomebody else changed this/ });
        await refused.waitFor();
        assert.match(await visit('/menu'), /Rice/);
      },
    );

    await t.test('signing out shows “Signing out…” until the service has answered', async () => {
      const release = await delayRequests(page);
      await page.getByRole('button', { name: /sign out$/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('menuitem', { name: 'Signing out…' }).waitFor();
      await release();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  };
}

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New page' }).click();
  const field = page.getByRole('dialog').getByLabel('Name');
  await field.fill(name);
  await field.press('Enter');
}

/** Holds back every request that changes data. Returns a function that releases the requests. */
export async function delayRequests(page: Page): Promise<() => Promise<void>> {
  const free = Promise.withResolvers<void>();
  const answered: Promise<void>[] = [];
  await page.route('**/admin/**', (route) => {
    const continueRequest = async () => {
      if (route.request().method() !== 'GET') await free.promise;
      await route.continue();
    };
    answered.push(continueRequest());
  });
  return async () => {
    free.resolve();
    // The route stays and passes everything on: requests sent while a route is being removed may get stuck.
    await Promise.all(answered);
  };
}

/** Revokes a key as another person would: the list on the screen still has it. */
async function revoke(page: Page, id: number): Promise<void> {
  const options = { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  assert.equal(
    await page.evaluate(`fetch('/admin/keys/${id}', ${JSON.stringify(options)}).then(({ status }) => status)`),
    204,
  );
}

/** Changes a resource as another person would: the open screen does not know of it. */
async function change(page: Page, path: string, fields: object): Promise<void> {
  const options = {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
    body: JSON.stringify(fields),
  };
  assert.equal(
    await page.evaluate(`fetch('/admin/${path}', ${JSON.stringify(options)}).then(({ status }) => status)`),
    200,
  );
}
