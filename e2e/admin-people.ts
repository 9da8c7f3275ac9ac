import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { openDatabase } from '../src/db/open-database.ts';
import { registerClient } from '../src/oauth/client.ts';
import { codeOf } from '../src/users/totp.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  checkAllLooks,
  comeBack,
  createCustomerPage,
  createPublished,
  devtools,
  endSessions,
  enterPassword,
  goTo,
  newCustomerPage,
  newPage,
  nextMail,
  nextTokenLink,
  password,
  publish,
  signedInPage,
  signIn,
  signInAgain,
  signInVia,
  signOut,
  type TestApp,
  toast,
  tokenLink,
} from './test-app.ts';

/** Stories about signing in. */
export const signInStories = {
  'a user with several sites names one when signing in, or chooses among those with the same password': chooseSite,
  'a user who has to wait because others guess the password is told how to sign in by mail': waitAfterGuesses,
  'a second factor is scanned and asked for, and a recovery code replaces it': signInWithSecondFactor,
  'signing out everywhere ends the sessions of other browsers': signOutEverywhere,
  'the link in the first mail sets the password once, even if another user is signed in': followFirstMail,
  'a forgotten password is replaced through the link in the mail': replacePassword,
  'a passkey is created, renamed, used with and without its button, removed and restored': signInWithPasskeys,
};

/** Stories about the people, keys, log and settings of an account. */
export const peopleStories = {
  'an invited person signs in from the mail with the right role, is removed and restored': invitePerson,
  'a user’s name changes at once, and the e-mail address once the link mailed there is followed': changeNameAndAddress,
  'an API key is shown once, replaced and revoked, a domain added and removed, with undo and log entries':
    manageKeysAndDomains,
  'a program that asks for access is granted part of it by a user who signs in, or refused': authorizeProgram,
  'creating and duplicating a page can be undone': undoNewPages,
  'settings of the site are saved, shown to visitors, and undone': changeSettings,
  'a new page opens in the editor that is set for the site': setDefaultEditor,
  'the log shows times in the time zone of the device': showDeviceTimeZone,
  'the log names no fields of a page that was published unchanged': logUnchangedPublication,
};

function chooseSite(app: TestApp) {
  return async (t: TestContext) => {
    // Signing in tries only a few sites of an address, so this address belongs to no other story.
    const email = 'several@example.com';
    const { page, address, subdomain } = await createCustomerPage(t, app, { email });
    await createCustomerPage(t, app, { email });
    await page.goto(`${new URL(address).origin}/sign-in`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    assert.equal(await page.getByLabel('Site', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const site = page.getByLabel('Site', { exact: true });
    await site.waitFor();
    await page.keyboard.type('also wrong');
    assert.equal(await page.getByRole('textbox', { name: 'Password' }).inputValue(), 'also wrong');
    await site.fill(subdomain);
    await checkAllLooks(page, 'naming the site');
    await enterPassword(page, email);
    await page.getByRole('tree').waitFor();
    assert.equal((await session(page)).account.subdomain, subdomain);

    await signOut(page);
    await page.goto(`${new URL(address).origin}/sign-in`);
    await enterPassword(page, email);
    await page.getByRole('heading', { name: 'Which site?' }).waitFor();
    await checkAllLooks(page, 'several sites');
    await page.getByRole('button', { name: subdomain }).click();
    await page.getByRole('tree').waitFor();
    assert.equal((await session(page)).account.subdomain, subdomain);
  };
}

function waitAfterGuesses(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await createCustomerPage(t, app);
    const db = await openDatabase(app.database);
    t.after(() => db.destroy());
    const now = Date.now();
    const guessedAt = { key: 'address bo@example.com', failures: 9, failed_at: now, open_at: now + 600_000 };
    await db.transaction().execute((trx) => trx.insertInto('sign_in_attempts').values(guessedAt).execute());
    await page.goto(`${new URL(address).origin}/sign-in`);
    await page.getByLabel('E-mail address').fill('bo@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('whatever it is');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/^Too many attempts.* the link in the mail lets you in at once\.$/).waitFor();
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await page.getByRole('button', { name: 'Send the link' }).waitFor();
  };
}

/** Signs in a user and starts to set up a second factor. Returns its secret, among others. */
export async function startSecondFactor(t: TestContext, app: TestApp) {
  const { page, address } = await signedInPage(t, app, { path: '/settings/you' });
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('textbox', { name: 'Current password' }).fill(password);
  await section.getByRole('button', { name: 'Set up' }).click();
  const secret = (await section.getByRole('code').textContent())!;
  return { page, address, section, secret };
}

function signInWithSecondFactor(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, section, secret } = await startSecondFactor(t, app);
    const uri = await scan(page);
    assert.ok(uri.startsWith('otpauth://totp/localhost:ann%40example.com?'), uri);
    assert.equal(new URL(uri).searchParams.get('secret'), secret);
    await checkAllLooks(page, 'setting up a second factor');
    await section.getByLabel('The code the app shows').fill(codeOf(secret, Math.floor(Date.now() / STEP_MS)));
    await section.getByRole('button', { name: 'Confirm' }).click();
    const codes = section.getByRole('alert').locator('pre');
    const [recoveryCode, another] = (await codes.textContent())!.split('\n');
    await nextMail(app, /From now on, you need a code from your authenticator app/);
    await checkAllLooks(page, 'recovery codes');

    // No code works twice, but the code of the next step is accepted already, since clocks differ. It is computed when it is
    // needed: on a slow machine, the steps before take longer than a code is valid.
    const nextCode = () => codeOf(secret, Math.floor(Date.now() / STEP_MS) + 1);
    for (const codeToGive of [nextCode, () => recoveryCode!]) {
      await signOut(page);
      await page.goto(address);
      await enterPassword(page);
      await page.getByLabel('Code').fill('000000');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('That code is wrong').waitFor();
      await page.getByLabel('Code').fill(codeToGive());
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('tree').waitFor();
    }

    // In an app that is still open, the password alone is not enough either.
    await endSessions(page);
    await comeBack(page);
    await signInAgain(page);
    await page.getByLabel('Code').fill(another!);
    await checkAllLooks(page, 'signing in again, with a second factor');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('tree').waitFor();
  };
}

/** How long an authenticator app shows a code. */
const STEP_MS = 30_000;

const SIZE_PX = 300;

/** Reads the QR code from the pixels that the browser has painted, as a camera would. */
async function scan(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const picture = await page.evaluate<number[]>(`(async () => {
    const copy = document.querySelector('[role=img][aria-label^="QR"]').cloneNode(true);
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.setAttribute('height', copy.getAttribute('width'));
    const picture = new Image(${SIZE_PX}, ${SIZE_PX});
    picture.src = 'data:image/svg+xml,' + encodeURIComponent(copy.outerHTML);
    await picture.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: ${SIZE_PX}, height: ${SIZE_PX} });
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0, ${SIZE_PX}, ${SIZE_PX});
    return [...context.getImageData(0, 0, ${SIZE_PX}, ${SIZE_PX}).data];
  })()`);
  return decodeQR({ data: Uint8Array.from(picture), width: SIZE_PX, height: SIZE_PX });
}

function invitePerson(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await signedInPage(t, app, { path: '/settings/people' });
    const { origin } = new URL(address);
    const form = page.locator('form').filter({ hasText: 'Invite somebody' });
    await form.getByLabel('Name').fill('Ned New');
    await form.getByLabel('E-mail address').fill('ned@example.com');
    await form.getByLabel('Role').selectOption('Editor');
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await toast(page, 'on its way to ned@example.com').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Ned New' }).getByText('Invited').waitFor();

    const link = await nextTokenLink(app, 'ned@example.com');
    const other = await (await app.browser.newContext()).newPage();
    t.after(() => other.context().close());
    await other.goto(link);
    await other.getByRole('heading', { name: /^Welcome to/ }).waitFor();
    await checkAllLooks(other, 'an invitation');
    await other.getByLabel('New password').fill('a password of his');
    await other.getByRole('button', { name: 'Save and sign in' }).click();
    await other.getByRole('tree').waitFor();
    const { user } = await session(other);
    assert.deepEqual([user.name, user.role], ['Ned New', 'editor']);
    await other.goto(`${origin}/settings`);
    await other.getByRole('heading', { name: 'You', exact: true }).waitFor();
    assert.equal(await other.getByRole('link', { name: 'People' }).count(), 0);

    // Permissions that a role takes away come back with the role.
    const { service } = app.program;
    const role = page.getByLabel('Role of Ned New');
    await role.selectOption('Admin');
    await toast(page, 'Ned New has the role “Admin” now').waitFor();
    const { key } = await callAdmin(other, 'POST', 'keys', { name: 'Till' });
    const answered = async () => (await service.get('/api/account.json', key)).status;
    await page.reload();
    await role.selectOption('Viewer');
    const lost = toast(page, 'Ned New has the role “Viewer” now, and has lost an API key');
    await lost.waitFor();
    assert.equal(await answered(), 401);
    await lost.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Ned New has the role “Admin” now').waitFor();
    assert.equal((await session(other)).user.role, 'admin');
    assert.equal(await answered(), 200);

    // A removed person loses access at once, and has it again at once after “Undo”.
    await page.reload();
    const ned = page.getByRole('listitem').filter({ hasText: 'Ned New' });
    await ned.getByRole('button', { name: 'Remove' }).click();
    const removed = toast(page, 'Ned New is removed, with an API key');
    await removed.waitFor();
    assert.equal(await ned.count(), 0);
    assert.equal(await answered(), 401);
    await other.goto(`${origin}/pages`);
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await removed.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Ned New is back').waitFor();
    await ned.waitFor();
    assert.equal(await answered(), 200);
    await other.getByLabel('E-mail address').fill('ned@example.com');
    await other.getByRole('textbox', { name: 'Password' }).fill('a password of his');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('tree').waitFor();
  };
}

function changeNameAndAddress(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await page.getByRole('button', { name: /sign out$/ }).click();
    await page.getByRole('menuitem', { name: 'Your name and password' }).click();
    const section = page.getByRole('region', { name: 'Name and e-mail address' });
    const name = section.getByLabel('Your name');
    const before = await name.inputValue();
    await name.fill('Ann Baker-Brown');
    await section.getByRole('button', { name: 'Save' }).click();
    const renamed = toast(page, 'Your name is “Ann Baker-Brown” now');
    await renamed.waitFor();
    assert.equal((await session(page)).user.name, 'Ann Baker-Brown');
    await renamed.getByRole('button', { name: 'Undo' }).click();
    await toast(page, `Your name is “${before}” now`).waitFor();
    assert.equal(await name.inputValue(), before);

    await section.getByLabel('New e-mail address').fill('ann@new.example');
    await section.getByRole('textbox', { name: 'Current password' }).fill(password);
    await section.getByRole('button', { name: 'Send a link to this address' }).click();
    await section.getByText('A link is on its way to ann@new.example').waitFor();
    await checkAllLooks(page, 'another address');
    const link = await nextTokenLink(app, 'ann@new.example');
    await nextMail(app, /wants to change your e-mail address to ann@new\.example/);
    const other = await (await app.browser.newContext()).newPage();
    t.after(() => other.context().close());
    await other.goto(link);
    await other.getByText('You will sign in as ann@new.example').waitFor();
    await checkAllLooks(other, 'confirming an address');
    await other.getByRole('button', { name: 'Use this address' }).click();
    await other.getByRole('heading', { name: 'Your address is changed' }).waitFor();
    await nextMail(app, /From now on, you sign in as ann@new\.example/);
    await other.reload();
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.reload();
    await section.getByText('You sign in as ann@new.example').waitFor();
  };
}

function signOutEverywhere(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, subdomain } = await signedInPage(t, app);
    const other = await (await app.browser.newContext()).newPage();
    t.after(() => other.context().close());
    await signInVia(other, address);
    await page.goto(`${new URL(address).origin}/settings/you`);
    const section = page.getByRole('region', { name: 'Where you are signed in' });
    await section.getByRole('listitem').nth(1).waitFor();
    await section.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    for (const browser of [page, other]) {
      await browser.goto(`${new URL(address).origin}/pages`);
      await browser.getByRole('heading', { name: 'Sign in' }).waitFor();
    }

    // The author of a link to the sign-in page must not choose where a user ends up. See also `test/own-path.test.ts`.
    const { origin } = new URL(address);
    await page.goto(`${origin}/sign-in?account=${subdomain}&then=${encodeURIComponent('/.//127.0.0.1:1/settings')}`);
    await signIn(page);
    assert.equal(page.url(), `${origin}/pages`);
    await page.goto(`${origin}/sign-in?account=${subdomain}&then=${encodeURIComponent('/settings/you?a=b')}`);
    await enterPassword(page);
    await page.getByRole('heading', { name: 'You', exact: true }).waitFor();
    assert.equal(page.url(), `${origin}/settings/you?a=b`);
  };
}

function authorizeProgram(app: TestApp) {
  return async (t: TestContext) => {
    const email = 'assisted@example.com';
    const { page, address } = await createCustomerPage(t, app, { email });
    const { origin } = new URL(address);
    const redirectUri = 'http://localhost:9/callback';
    const verifier = 'v'.repeat(64);
    await page.route('http://localhost:9/**', (route) => route.fulfill({ body: 'Back in the program' }));
    const query = new URLSearchParams({
      client_id: registerClient({ name: 'Claude', redirectUris: [redirectUri] }),
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
      state: 'a state',
    });
    await page.goto(`${origin}/authorize?${query}`);
    await enterPassword(page, email);
    await page.getByText('“Claude” asks for access to').waitFor();
    await checkAllLooks(page, 'allowing a program access');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL('http://localhost:9/**');
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');

    await page.goto(`${origin}/authorize?${query}`);
    const ofCustomers = page.getByRole('checkbox', {
      name: 'Create customers, change their plans, and suspend, delete and restore them',
    });
    assert.equal(await ofCustomers.isChecked(), false);
    await page.getByRole('checkbox', { name: 'Read customers and plans' }).uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL('http://localhost:9/**');
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('state'), 'a state');
    const form = {
      grant_type: 'authorization_code',
      code: searchParams.get('code')!,
      client_id: query.get('client_id')!,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const answer = await page.context().request.post(`${origin}/oauth/token`, { form });
    const { access_token: key } = await answer.json();
    assert.equal((await app.program.service.get('/api/pages.json', key)).status, 200);
    assert.equal((await app.program.service.get('/api/customers.json', key)).status, 403);
    await page.goto(`${origin}/settings/keys`);
    await page.getByRole('listitem').filter({ hasText: 'Claude' }).getByText('may only').waitFor();

    const otherUri = 'http://localhost:9/elsewhere';
    const other = registerClient({ name: 'Other', redirectUris: [otherUri] });
    const twice = new URLSearchParams([...query, ['client_id', other], ['redirect_uri', otherUri]]);
    await page.goto(`${origin}/authorize?${twice}`);
    await page.getByRole('heading', { name: 'This program could not be connected' }).waitFor();

    query.set('redirect_uri', otherUri);
    await page.goto(`${origin}/authorize?${query}`);
    await page.getByRole('heading', { name: 'This program could not be connected' }).waitFor();
    await checkAllLooks(page, 'a request for access that cannot be answered');
  };
}

function manageKeysAndDomains(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/keys' });
    await page.getByText('No keys yet').waitFor();
    await page.getByLabel('What is it for?').fill('Newsletter');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const shown = page.getByRole('alert').getByText(/^fh_/);
    const first = (await shown.textContent())!;
    await page.getByRole('button', { name: 'Replace' }).click();
    await shown.and(page.locator(`:not(:text-is("${first}"))`)).waitFor();
    const second = (await shown.textContent())!;
    for (const key of [first, second])
      assert.equal((await app.program.service.get('/api/account.json', key)).status, 200);
    assert.equal((await app.program.service.createPage(second, { name: 'Issue 1' })).status, 200);
    const keys = page.getByRole('listitem').filter({ hasText: 'Newsletter' });
    await keys
      .filter({ hasText: `…${second.slice(-4)}` })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await keys.getByText('Revoked').waitFor();
    await toast(page, '“Newsletter” is revoked').waitFor();
    assert.equal(await shown.count(), 0, 'a revoked key is not offered for copying');
    const answered = async () => (await app.program.service.get('/api/account.json', second)).status;
    assert.equal(await answered(), 401);
    await toast(page, '“Newsletter” is revoked').getByRole('button', { name: 'Undo' }).click();
    await toast(page, '“Newsletter” works again').waitFor();
    assert.equal(await keys.getByText('Revoked').count(), 0);
    assert.equal(await answered(), 200);
    assert.equal(await shown.textContent(), second);
    await page.reload();
    await keys.nth(1).waitFor();
    assert.equal(await page.getByText(/fh_/).count(), 0, 'a key is shown only once');

    await goTo(page, '/settings/domains', 'Domains');
    await page.getByText('No domain of your own yet').waitFor();
    await page.getByLabel('Your domain').fill('bakery');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Domain has to be complete, like www.example.com.').waitFor();
    await page.getByLabel('Your domain').fill('www.bakery.example');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('_website.www.bakery.example').first().waitFor();
    await page.getByText('Not checked yet').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Not verified yet', { exact: true }).waitFor();
    await page.getByText('There is no TXT record at _website.www.bakery.example').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No domain of your own yet').waitFor();
    await toast(page, 'www.bakery.example is removed').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'www.bakery.example is yours again').waitFor();
    await page.getByText('_website.www.bakery.example').first().waitFor();
    await checkAllLooks(page, 'a domain that is back');

    await goTo(page, '/settings/log', 'Log');
    await page.getByText('removed the domain “www.bakery.example”').waitFor();
    for (const event of [
      'restored the domain “www.bakery.example”',
      'restored the key “Newsletter”',
      'revoked the key “Newsletter”',
      'replaced the key “Newsletter”',
      'created the key “Newsletter”',
    ]) {
      await page.getByText(event).waitFor();
    }
    const beginning = page.getByRole('listitem').filter({ hasText: 'created this website' });
    await beginning.waitFor();
    const ofProgram = page.getByRole('listitem').filter({ hasText: 'Ann Baker (key “Newsletter”) created “Issue 1”' });
    await ofProgram.getByText(`…${second.slice(-4)} · from 127.0.0.1`).waitFor();
    const byWhom = page.getByRole('radiogroup', { name: 'By whom' });
    await byWhom.getByText('People').click();
    await ofProgram.waitFor({ state: 'detached' });
    await beginning.waitFor();
    await byWhom.getByText('Programs').click();
    await ofProgram.waitFor();
    assert.equal(await beginning.count(), 0);
    await checkAllLooks(page, 'what programs did');
    await ofProgram.getByRole('link', { name: '“Issue 1”' }).click();
    await page.getByRole('heading', { level: 1, name: 'Issue 1' }).waitFor();
  };
}

function undoNewPages(app: TestApp) {
  return async (t: TestContext) => {
    const { page, pages } = await signedInPage(t, app);
    const names = async () => (await pages()).map(({ name }) => name);
    const before = await names();
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByLabel('Name').fill('Mistake');
    await page.getByRole('button', { name: 'Create and edit' }).click();
    await toast(page, '“Mistake” created').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    await page.getByRole('treeitem').filter({ hasText: before[0]! }).click();
    await page.getByRole('treeitem').filter({ hasText: 'Mistake' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await toast(page, 'duplicated, not published').getByRole('button', { name: 'Undo' }).click();
    const copy = page.getByRole('treeitem').filter({ hasText: `${before[0]} 2` });
    await copy.waitFor({ state: 'detached' });
    // The app shows the change before the service has stored it.
    await eventually(t, names, (now) => isDeepStrictEqual(now, before));
  };
}

function changeSettings(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, visit } = await signedInPage(t, app, { path: '/settings/site' });
    const { origin } = new URL(address);
    const before = (await session(page)).account;
    await page.getByLabel('Name of the site').fill('Boulangerie Acmé');
    await choose(page, 'Language of the site', 'French (fr)');
    await choose(page, 'Time zone', 'Europe/Paris');
    // Another person changes another setting meanwhile.
    const other = before.editor === 'markdown_format' ? 'wysiwyg_format' : 'markdown_format';
    await callAdmin(page, 'PATCH', 'settings', { editor: other });
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();
    await page.goto(`${origin}/settings/look`);
    await page.getByText('Portfolio', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Colour' }).click();
    await page.getByRole('button', { name: '#a12b4a' }).click();
    await page.getByRole('heading', { name: 'Look' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();

    const { name, language, timeZone, theme, accent, editor } = (await session(page)).account;
    const saved = ['Boulangerie Acmé', 'fr', 'Europe/Paris', 'portfolio', '#a12b4a', other];
    assert.deepEqual([name, language, timeZone, theme, accent, editor], saved);
    const html = await visit('/');
    assert.ok(html.includes('<html lang="fr"') && html.includes('Boulangerie Acmé') && html.includes('portfolio'));

    await toast(page, 'Saved').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    await page
      .getByRole('textbox', { name: 'Colour' })
      .and(page.locator(`[value="${before.accent}"]`))
      .waitFor();
    // The app shows the change before the service has stored it.
    const wanted = [before.theme, before.accent, 'Boulangerie Acmé'];
    await eventually(
      t,
      async () => (await session(page)).account,
      ({ theme, accent, name }) => isDeepStrictEqual([theme, accent, name], wanted),
    );
    await page.goto(`${origin}/settings/site`);
    await page.getByRole('combobox', { name: 'Time zone' }).and(page.locator('[value="Europe/Paris"]')).waitFor();
  };
}

function replacePassword(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, subdomain } = await newCustomerPage(t, app);
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await page.getByRole('heading', { name: 'Forgotten your password?' }).waitFor();
    await page.getByLabel('E-mail address').fill('ann@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('status').getByText('If ann@example.com has an account here').waitFor();
    await checkAllLooks(page, 'a link that was asked for');

    const link = await nextTokenLink(app, 'ann@example.com');
    await page.goto(link);
    await page.getByText('For ann@example.com').waitFor();
    await page.getByLabel('New password').fill('Password1');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText('one of the first that attackers try: choose three or four unrelated words').waitFor();
    await page.getByLabel('New password').fill('another password');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('tree').waitFor();
    assert.equal((await session(page)).account.subdomain, subdomain);

    // The old password no longer works, and the link works only once.
    await signOut(page);
    await page.goto(address);
    await enterPassword(page);
    await page.getByText('The e-mail address or password is wrong').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill('another password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('tree').waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    // A user who opened the mail to sign in finds a link that leads there.
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('tree').waitFor();
  };
}

function followFirstMail(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const newcomer = await createCustomerPage(t, app);
    const late = await createCustomerPage(t, app);
    const linkFor = (subdomain: string) => {
      const texts = app.mailbox.messages.map(({ email }) => email.text ?? '');
      return tokenLink.exec(texts.find((text) => text.includes(`account=${subdomain}\n`))!)![0];
    };
    const link = linkFor(newcomer.subdomain);
    await page.goto(link);
    await page.getByRole('heading', { name: /^Welcome to/ }).waitFor();
    await page.getByText('For ann@example.com').waitFor();
    await page.getByLabel('New password').fill('Password1');
    await page.keyboard.press('Enter');
    await page.getByText('one of the first that attackers try: choose three or four unrelated words').waitFor();
    await page.getByLabel('New password').fill('a password of hers');
    await page.keyboard.press('Enter');
    await page.getByRole('tree').waitFor();
    assert.equal((await session(page)).account.subdomain, newcomer.subdomain);

    // A link that was used or has expired no longer works.
    await newcomer.page.goto(link);
    await newcomer.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await checkAllLooks(newcomer.page, 'a link that was used');
    await newcomer.page.getByRole('link', { name: 'Sign in' }).click();
    await newcomer.page.getByLabel('E-mail address').fill('ann@example.com');
    await newcomer.page.getByRole('textbox', { name: 'Password' }).fill('a password of hers');
    await newcomer.page.keyboard.press('Enter');
    await newcomer.page.getByRole('tree').waitFor();
    const db = await openDatabase(app.database);
    t.after(() => db.destroy());
    const account = db.selectFrom('accounts').select('id').where('subdomain', '=', late.subdomain);
    await db
      .transaction()
      .execute((trx) =>
        sql`update one_time_links set expires_at = ${Date.now()} where account_id = (${account})`.execute(trx),
      );
    await late.page.goto(linkFor(late.subdomain));
    await late.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await late.page.getByRole('link', { name: 'Ask for a new link' }).click();
    await late.page.getByRole('button', { name: 'Send the link' }).waitFor();
  };
}

function setDefaultEditor(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address, pages } = await signedInPage(t, app);
    const { origin } = new URL(address);
    const editors = [
      ['Markdown: plain text with simple marks', 'markdown_format', '**word**'],
      ['Visual: what you see is what you get', 'wysiwyg_format', '<p><strong>word</strong></p>'],
    ] as const;
    // The current editor comes last, so that each step changes the setting.
    const { editor } = (await session(page)).account;
    for (const [option, format, body] of editors.toSorted(([, one]) => (one === editor ? 1 : -1))) {
      await page.goto(`${origin}/settings/site`);
      await page.getByRole('combobox', { name: 'Editor for new pages' }).click();
      await page.getByRole('option', { name: option }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Saved').waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
      await newPage(page, format);
      await page.getByRole('textbox', { name: 'Text of the page', exact: true }).click();
      await page.keyboard.press('Control+b');
      await page.keyboard.insertText('word');
      await publish(page);
      const made = (await pages()).find(({ name }) => name === format)!;
      assert.deepEqual([made.body_format, made.body], [format, body]);
    }
  };
}

function showDeviceTimeZone(app: TestApp) {
  return async (t: TestContext) => {
    const timeZone = 'Asia/Tokyo';
    const { page } = await signedInPage(t, app, { path: '/settings/log', timezoneId: timeZone });
    const time = page.getByRole('main').locator('time').first();
    const at = Date.parse((await time.getAttribute('datetime'))!);
    const shown = (zone: string) =>
      new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at);
    assert.equal(await time.textContent(), shown(timeZone));
    assert.notEqual(
      shown(timeZone),
      shown((await session(page)).account.timeZone!),
      'the time zone of the site differs',
    );
  };
}

function logUnchangedPublication(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await createPublished(page, { name: 'Prices' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'published “Prices”' });
    assert.match((await entry.getByText('from ').textContent())!, /^from /);
  };
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await field.click();
  await field.fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}

function signInWithPasskeys(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await createCustomerPage(t, app);
    const { origin } = new URL(address);
    await addVirtualAuthenticator(page);
    await page.goto(address);
    await signIn(page);
    await page.goto(`${origin}/settings/you`);
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByLabel('Name of the new passkey').fill('My laptop');
    await section.getByRole('textbox', { name: 'Current password' }).fill(password);
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await section.getByRole('listitem').getByText('My laptop').waitFor();
    await section.getByText('never used').waitFor();
    await nextMail(app, /The passkey “My laptop” was added/);
    await checkAllLooks(page, 'passkeys');

    await section.getByRole('textbox', { name: 'Current password' }).fill(password);
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await section.getByText('already has a passkey for you').waitFor();

    await section.getByRole('button', { name: 'Rename My laptop' }).click();
    await section.getByLabel('New name for My laptop').fill('Grey laptop');
    await checkAllLooks(page, 'renaming a passkey');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Grey laptop').waitFor();

    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('tree').waitFor();
    await endSessions(page);
    await comeBack(page);
    const cover = page.getByRole('dialog', { name: 'Sign in again' });
    await cover.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await cover.waitFor({ state: 'detached' });
    await page.getByRole('tree').waitFor();

    // The browser also offers the passkey in the field for the address. The virtual authenticator answers without a click.
    await setPasskeyAutofill(page, true);
    await page.goto(address);
    await page.getByRole('tree').waitFor();
    await setPasskeyAutofill(page, false);

    await page.goto(`${origin}/settings/you`);
    await section.getByText('last used').waitFor();
    const remove = section.getByRole('button', { name: 'Remove' });
    await remove.click();
    await toast(page, 'is removed').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'signs you in again').waitFor();
    await nextMail(app, /The passkey “Grey laptop” was removed/);
    await nextMail(app, /The passkey “Grey laptop” was restored/);
    await remove.click();
    await nextMail(app, /The passkey “Grey laptop” was removed/);
    await section.getByRole('listitem').waitFor({ state: 'detached' });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('no longer known here').waitFor();
    await checkAllLooks(page, 'a passkey that was removed');
  };
}

/** Adds a virtual authenticator of Chromium, as if a finger were on its sensor. Its passkeys are offered only on demand. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await devtools(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.addInitScript(`if (!sessionStorage.autofill)
    PublicKeyCredential.isConditionalMediationAvailable = async () => false`);
}

/** Sets whether the browser offers passkeys where it offers passwords, from the next document on. */
async function setPasskeyAutofill(page: Page, isOn: boolean): Promise<void> {
  await page.evaluate(isOn ? `sessionStorage.autofill = 1` : `sessionStorage.removeItem('autofill')`);
}

/** Returns the user and the account that the service sees signed in. */
function session(page: Page): Promise<{ user: Record<string, string>; account: Record<string, string> }> {
  return page.evaluate(`fetch('/admin/session').then((answer) => answer.json())`);
}
