import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import type { Locator } from 'playwright-core';
import { openDatabase } from '../src/db/open-database.ts';
import type { UserJson } from '../src/http/admin/contract.ts';
import { codeOf } from '../src/users/totp.ts';
import { delayRequests } from './admin-at-once.ts';
import { startSecondFactor } from './admin-people.ts';
import { signInAsCustomer } from './admin-visit.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  checkAccessible,
  comeBack,
  createPublished,
  describeTestApp,
  enterPassword,
  goTo,
  nextMail,
  nextTokenLink,
  password,
  signedInPage,
  signInVia,
  signOut,
  type TestApp,
  toast,
} from './test-app.ts';

/* Settings, people, signing in and undoing, used as users do: half done, twice, or in another order. */

describeTestApp('the admin app: settings and undo', {
  'an unsent invitation is restored when its form is opened again': restoreInvitation,
  'a role chosen by arrow keys is saved once, when the user stops at it': chooseRoleByKeyboard,
  'the sections of the brand are at the same height as those of the settings': alignSections,
  'an accountant sees customers, and no pages': limitAccountant,
  'an agency signs in as a user of a customer, who sees this in the log and forbids it': signInAsCustomer,
  'an archive of everything can be downloaded once the service has made it': downloadArchive,
  'checking a domain again reports the result again': checkDomainAgain,
  'a domain whose DNS records are gone shows which to create': showMissingRecords,
  'a button stays in line with its input when an error appears below': alignButtons,
  'a wrong code is replaced by typing the next one': correctCode,
  'a tab that shows another site after a sign-in in another tab says so': changeSite,
  'a search that finds more than it shows says so': limitSearch,
  'pages deleted and restored in another order return to their places': undoInOtherOrder,
  'the editor shows that undoing a restored version is in progress': undoRestoredVersion,
});

function restoreInvitation(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/people' });
    const form = page.locator('form').filter({ hasText: 'Invite somebody' });
    const [name, email, role] = [form.getByLabel('Name'), form.getByLabel('E-mail address'), form.getByLabel('Role')];
    await name.fill('Ned New');
    await email.fill('ned@example.com');
    await role.selectOption('Admin');
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByLabel('Name of the site').waitFor();
    await page.goBack();
    await form.getByText('Your unsaved changes are back').waitFor();
    assert.deepEqual(
      [await name.inputValue(), await email.inputValue(), await role.inputValue()],
      ['Ned New', 'ned@example.com', 'admin'],
    );

    // After sending, the form is empty except for the role, which is proposed for the next invitation.
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await toast(page, 'on its way to ned@example.com').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Ned New' }).getByText('Invited').waitFor();
    assert.equal(await role.inputValue(), 'admin');
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'Ned New' }).waitFor();
    assert.equal(await form.getByText('Your unsaved changes are back').count(), 0);
    assert.deepEqual([await name.inputValue(), await email.inputValue()], ['', '']);

    // A refused invitation is in the form again, even after leaving the screen.
    const release = await delayRequests(page);
    await name.fill('Ned Again');
    await email.fill('ned@example.com');
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Ned Again' }).waitFor();
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByLabel('Name of the site').waitFor();
    await release();
    await toast(page, 'Ned Again (ned@example.com) was not invited').waitFor();
    await page.goBack();
    await form.getByText('Your unsaved changes are back').waitFor();
    assert.equal(await name.inputValue(), 'Ned Again');
  };
}

function downloadArchive(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/archive' });
    for (const name of ['Bread', 'Cakes']) await callAdmin(page, 'POST', 'pages', { name });
    await page.getByRole('button', { name: 'Make the archive' }).click();
    await page.getByText('The archive is being made').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Make a new one' }).count(), 0);
    await page.getByText('The archive is ready').waitFor();
    assert.equal(new URL(await nextMail(app, /http:\/\/\S+\/settings\/archive\b/)).pathname, '/settings/archive');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download \(/ }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /\.zip$/);
    assert.equal((await readFile(await download.path())).subarray(0, 2).toString(), 'PK');
    await page.getByRole('button', { name: 'Make a new one' }).waitFor();
    // The address opens nothing without a session.
    assert.equal((await fetch(new URL('/admin/archive/file', page.url()))).status, 401);
    await checkAccessible(page);
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'made an archive of everything' });
    assert.ok(!(await entry.innerText()).includes('below'));
  };
}

function limitAccountant(app: TestApp) {
  return async (t: TestContext) => {
    const { page: owner } = await signedInPage(t, app);
    await callAdmin(owner, 'POST', 'users', { name: 'Ada Count', email: 'ada@example.com', role: 'accountant' });
    const context = await app.browser.newContext({ reducedMotion: 'reduce' });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(await nextTokenLink(app, 'ada@example.com'));
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor();
    const entries = page.getByRole('navigation').getByRole('link');
    assert.deepEqual(await entries.allTextContents(), ['Customers', 'Settings']);
    await page.goto(owner.url().replace(/pages$/, 'images'));
    await page.getByText('You cannot open this').waitFor();
    await page.goto(owner.url());
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor();
  };
}

function chooseRoleByKeyboard(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const { id } = await callAdmin(page, 'POST', 'users', {
      name: 'Ned New',
      email: 'ned@example.com',
      role: 'viewer',
    });
    await goTo(page, '/settings/people', 'People');
    const role = page.getByLabel('Role of Ned New');
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(`/users/${id}`)) sent.push(request.postDataJSON().role);
    });
    await role.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    assert.equal(await role.inputValue(), 'admin');
    await page.keyboard.press('Tab');
    await toast(page, 'Ned New has the role “Admin” now').waitFor();
    assert.deepEqual(sent, ['admin']);

    // Staying on a role chooses it, too; coming back to the former one changes nothing.
    await role.focus();
    await page.keyboard.press('ArrowUp');
    await toast(page, 'Ned New has the role “Editor” now').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await role.selectOption('Viewer');
    await toast(page, 'Ned New has the role “Viewer” now').waitFor();
    assert.deepEqual(sent, ['admin', 'editor', 'viewer']);

    // A role also counts if the screen is left at once.
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByRole('link', { name: 'People' }).click();
    await role.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.goBack();
    await page.getByLabel('Name of the site').waitFor();
    await toast(page, 'Ned New has the role “Admin” now').waitFor();
    assert.deepEqual(sent.slice(3), ['admin']);

    // Or if the tab is closed.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await page.bringToFront();
    await page.getByRole('link', { name: 'People' }).click();
    await role.focus();
    await page.keyboard.press('ArrowUp');
    await page.close({ runBeforeUnload: true });
    const roleNow = async () => {
      const { users } = (await other.evaluate(async () => (await fetch('/admin/users')).json())) as {
        users: UserJson[];
      };
      return users.find((user) => user.id === id)!.role;
    };
    await eventually(t, roleNow, (now) => now === 'editor');
  };
}

function alignSections(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/site' });
    const place = async (name: string) => (await page.getByRole('navigation', { name }).boundingBox())!.y;
    const ofSettings = await place('Settings');
    await goTo(page, '/brand/messages', 'Messages to your customers');
    assert.equal(await place('Parts of the brand'), ofSettings);
  };
}

function checkDomainAgain(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await callAdmin(page, 'POST', 'domains', { host: 'www.bakery.example' });
    await goTo(page, '/settings/domains', 'Domains');
    const message = toast(page, 'www.bakery.example is checked: it is not verified yet');
    for (const _ of ['once', 'and again']) {
      await page.getByRole('button', { name: 'Check now' }).click();
      await message.waitFor();
      await page.getByText('There is no TXT record').waitFor();
      await message.getByRole('button').click();
      await message.waitFor({ state: 'detached' });
    }
  };
}

function showMissingRecords(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const { id } = await callAdmin(page, 'POST', 'domains', { host: 'www.bakery.example' });
    // Marks the domain as proved earlier.
    const db = await openDatabase(app.database);
    const proved = db.updateTable('domains').set({ verified_at: Date.now() }).where('id', '=', id);
    await db.transaction().execute((trx) => trx.executeQuery(proved));
    await db.destroy();
    await callAdmin(page, 'POST', `domains/${id}/verify`, { mayLeadElsewhere: false });
    await goTo(page, '/settings/domains', 'Domains');
    await page.getByText('The domain is still yours, but correct its entries soon').waitFor();
    await page.getByRole('button', { name: 'Copy the value of the CNAME record' }).waitFor();
  };
}

function alignButtons(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const tops = (form: Locator) =>
      form.evaluate((element) =>
        [...element.querySelectorAll('.mantine-Input-input, button[type=submit]')].map((one) =>
          Math.round(one.getBoundingClientRect().top),
        ),
      );
    for (const { path, heading, field, text } of [
      { path: 'domains', heading: 'Domains', field: 'Your domain', text: 'no domain' },
      { path: 'webhooks', heading: 'Webhooks', field: 'Address of the program', text: 'https://127.0.0.1/' },
    ]) {
      await goTo(page, `/settings/${path}`, heading);
      const input = page.getByLabel(field);
      const form = page.locator('form').filter({ has: input });
      await input.fill(text);
      const before = await tops(form);
      assert.equal(new Set(before).size, 1, `${path}: ${before}`);
      await input.press('Enter');
      await form.locator('[aria-invalid=true]').waitFor();
      assert.equal(new Set(await tops(form)).size, 1, `${path} with an error: ${await tops(form)}`);
    }
  };
}

function correctCode(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, section, secret } = await startSecondFactor(t, app);
    const code = () => codeOf(secret, Math.floor(Date.now() / 30_000));
    const field = section.getByLabel('The code the app shows');
    await field.fill('000000');
    await section.getByRole('button', { name: 'Confirm' }).click();
    await section.getByText(/^Code /).waitFor();
    await page.keyboard.type(code());
    await page.keyboard.press('Enter');
    const codes = section.getByRole('alert').locator('pre');
    const [recoveryCode] = (await codes.textContent())!.split('\n');

    await signOut(page);
    await page.goto(address);
    await enterPassword(page);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('That code is wrong').waitFor();
    await page.keyboard.type(recoveryCode!);
    assert.equal(await page.getByLabel('Code').inputValue(), recoveryCode);
    await page.keyboard.press('Enter');
    await page.getByRole('tree').waitFor();
  };
}

function changeSite(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await signedInPage(t, app);
    const other = await signedInPage(t, app);
    const message = page.getByRole('alert').filter({ hasText: 'This tab now shows' });
    const otherTab = await context.newPage();
    await signInVia(otherTab, other.address);
    await comeBack(page);
    await message
      .getByText(new RegExp(`^This tab now shows “.*” \\(${other.subdomain}\\), because Ann Baker`))
      .waitFor();
    // The message shows only once.
    await page.reload();
    await page.getByRole('tree').waitFor();
    assert.equal(await message.count(), 0);
    assert.equal(await otherTab.getByText('This tab now shows').count(), 0);
  };
}

function limitSearch(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    for (let count = 1; count <= 51; count += 1) {
      await callAdmin(page, 'POST', 'pages', { name: `Report ${count}` });
    }
    const search = page.getByRole('searchbox', { name: 'Search pages' });
    await search.fill('report');
    await page.getByRole('status').getByText('More than 50 pages found').waitFor();
    await search.fill('report 1');
    await page
      .getByRole('status')
      .getByText(/^\d+ pages found$/)
      .waitFor();
  };
}

function undoInOtherOrder(app: TestApp) {
  return async (t: TestContext) => {
    const { page, pages } = await signedInPage(t, app);
    const before = (await pages()).map(({ name }) => name);
    const names = () =>
      page
        .getByRole('treeitem')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? row.textContent));
    await page.getByRole('treeitem').nth(1).waitFor();
    const shown = await names();
    const remove = async (name: string) => {
      await page.getByRole('treeitem').filter({ hasText: name }).click();
      await page.keyboard.press('Delete');
      await toast(page, `“${name}” deleted`).waitFor();
    };
    await remove(before[1]!);
    await remove(before[2]!);
    const undo = (name: string) => toast(page, `“${name}” deleted`).getByRole('button', { name: 'Undo' }).click();
    const release = await delayRequests(page);
    await undo(before[1]!);
    await undo(before[2]!);
    await page
      .getByRole('treeitem')
      .nth(shown.length - 1)
      .waitFor();
    assert.deepEqual(await names(), shown);
    await release();
    await page.getByRole('alert').filter({ hasText: 'Undone' }).nth(1).waitFor();
    assert.deepEqual(
      (await pages()).map(({ name }) => name),
      before,
    );
    assert.deepEqual(await names(), shown);
  };
}

function undoRestoredVersion(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const id = await createPublished(page, {
      name: 'Prices',
      body: 'Tea',
      bodyFormat: 'markdown_format',
    });
    await page.evaluate(`fetch('/admin/pages/${id}', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
      body: '{"body":"Coffee"}',
    })`);
    await goTo(page, `/pages/${id}/revisions`, 'Earlier versions');
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await toast(page, 'That version is published again').waitFor();
    await page.getByRole('link', { name: 'Prices' }).click();
    const text = page.getByRole('textbox', { name: 'Text of the page' });
    await text.getByText('Tea').waitFor();
    const release = await delayRequests(page);
    await toast(page, 'That version is published again').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('Publishing again…').waitFor();
    await release();
    await text.getByText('Coffee').waitFor();
    await page.getByRole('status').getByText('Published', { exact: true }).waitFor();
  };
}
