import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { SessionJson } from '../src/http/admin/contract.ts';
import { picture } from '../test/images.ts';
import { choosePlan, filterCustomers, keepScheduledChanges } from './admin-customers.ts';
import { checkFits } from './admin-fit.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  checkAllLooks,
  describeTestApp,
  goTo,
  newCustomerPage,
  nextTokenLink,
  password,
  publish,
  signedInPage,
  type TestApp,
  toast,
  waitUntilLoaded,
} from './test-app.ts';

/*
 * Failures and large numbers, except those of pages and editors. SQLite alone is enough, because these stories test the part
 * of the browser.
 */

describeTestApp('the admin app: failures and large numbers', {
  'a screen whose data cannot be loaded says so, and the rest of the app stays usable': loseConnection,
  'a tab that was open during an update loads the new version for the next screen': updateOpenApp,
  'while a filter loads, the earlier customers stay and no result is announced': filterCustomers,
  'the dialog that cancels the scheduled changes of customers can be left without cancelling them':
    keepScheduledChanges,
  'the dialog that changes a plan proposes none, so that no customer gets one by accident': choosePlan,
  'uploads of images can be cancelled one by one, and go on when the user leaves the screen': cancelUploads,
  'a file that is not an image, is too large or cannot be sent is refused with a reason': refuseImages,
  '“Show earlier images” shows older images, and moves the focus to the first of them': showEarlierImages,
  'an unsaved description of an image is still there when its dialog is opened again': keepUnsavedDescription,
  'languages and time zones are found as people type them': findTimeZones,
  'a colour may be typed in upper case, with three digits or without #': typeColours,
  'the look Business offers a second button that leads to a page of the menu': chooseSecondButton,
  'the preview of the look shows that it is loading': showLoadingPreview,
  'going back to the log restores its entries and the scroll position': returnToLog,
  'a double click on “Remove” removes one person, not two': removeByDoubleClick,
  'names and domains of one long word fit on a phone': fitLongWords,
  'a new customer sees a list of next steps, and each disappears when it is done': listNextSteps,
  'a viewer is told which screens are not for their role': refuseScreensForRole,
  'signing in sends a password that was filled in without an event, and “Back” does not return to the form':
    signInWithFilledPassword,
});

function loseConnection(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await signedInPage(t, app, { path: '/settings/site' });
    const main = page.getByRole('navigation', { name: 'Main' });
    const failed = page.getByRole('heading', { name: 'That did not work' });
    await page.getByLabel('Name of the site').fill('Bakehouse');
    await context.setOffline(true);
    await main.getByRole('link', { name: 'Images' }).click();
    await failed.waitFor();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await checkAllLooks(page, 'a screen that cannot be loaded');
    await page.goBack();
    assert.equal(await page.getByLabel('Name of the site').inputValue(), 'Bakehouse');

    // A section that cannot be loaded says so, too, and loads by itself once the service can be reached.
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await context.setOffline(false);
    await page.getByRole('listitem').getByText('Ann Baker (you)').waitFor();

    // Likewise a screen. Its file is not loaded again without a new document, so the app loads one.
    await main.getByRole('link', { name: 'Images' }).click();
    await failed.waitFor();
    await context.setOffline(true);
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
  };
}

function updateOpenApp(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/site' });
    await page.getByLabel('Name of the site').fill('Bakehouse');
    await page.route('**/-/app/images-screen-*', (route) => route.fulfill({ status: 404 }));
    await page.route('**/images', async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('/-/app/index-', '/-/app/index-new-');
      return route.fulfill({ response, body });
    });
    const loaded = page.waitForEvent('load');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' }).click();
    await loaded;
    // While two versions run side by side, the screen may still be missing. The app does not reload itself again.
    await page.getByRole('heading', { level: 1, name: 'There is a new version of this app' }).waitFor();
    await checkAllLooks(page, 'a new version');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Load the new version' }).click();
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
    await page.goBack();
    assert.equal(await page.getByLabel('Name of the site').inputValue(), 'Bakehouse');
  };
}

function cancelUploads(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await send(page, await file(0));
    await goTo(page, '/images', 'Images');
    await page.getByRole('button', { name: /^photo-0\.png/ }).waitFor();
    const go = Promise.withResolvers<void>();
    await page.route('**/admin/media?*', (route) => go.promise.then(() => route.continue()));
    const input = page.locator('input[type=file]');
    await input.setInputFiles(await Promise.all([1, 2, 3, 4, 5].map(file)));
    await page.getByText('Uploading 5 images').waitFor();
    assert.equal(
      await input.inputValue(),
      '',
      'the input is emptied: choosing the same file again would fire no event',
    );

    // A cancelled upload disappears at once, not only when its turn comes.
    const under = page.getByRole('progressbar', { name: /^Uploading/ });
    await page.getByRole('button', { name: 'Cancel the upload of photo-3.png' }).click();
    await eventually(
      t,
      () => under.count(),
      (count) => count === 4,
    );
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
    await page.getByRole('tree').waitFor();
    const question = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    await (await question).dismiss();
    await page.goBack();
    await under.nth(3).waitFor();
    assert.equal(await under.count(), 4);
    go.resolve();
    await page.getByRole('button', { name: /^photo-5\.png/ }).waitFor();
    await under.first().waitFor({ state: 'detached' });
    assert.deepEqual(await names(page), ['photo-5.png', 'photo-4.png', 'photo-2.png', 'photo-1.png', 'photo-0.png']);

    await page.unroute('**/admin/media?*');
    await page.route('**/admin/media?*', () => {});
    await input.setInputFiles(await Promise.all([6, 7].map(file)));
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await under.first().waitFor({ state: 'detached' });
  };
}

function refuseImages(app: TestApp) {
  return async (t: TestContext) => {
    const { page, context } = await signedInPage(t, app, { path: '/images' });
    const input = page.locator('input[type=file]');
    await drop(page, 'letter.pdf', 'application/pdf');
    await toast(page, 'letter.pdf was not uploaded').getByText('This file is not an image').waitFor();
    // A refused file does not block the next one.
    await drop(page, 'huge.png', 'image/png', 48 * 1024 * 1024);
    await input.setInputFiles([await file(1)]);
    await toast(page, '2 images were not uploaded').getByText('The image is larger than 20 MB').waitFor();
    await page.getByRole('button', { name: /^photo-1\.png/ }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await context.setOffline(true);
    await input.setInputFiles([await file(2)]);
    await toast(page, '3 images were not uploaded').getByText('The service cannot be reached').waitFor();
    await context.setOffline(false);
    // One message lists all failed uploads, and stays until it is closed.
    const failed = page.getByRole('alert').filter({ hasText: '3 images were not uploaded' });
    for (const text of ['not an image', '(letter.pdf)', '(huge.png)', '(photo-2.png)'])
      await failed.getByText(text).waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    await failed.getByRole('button', { name: 'Close' }).click();
    await failed.waitFor({ state: 'detached' });
    await drop(page, 'note.pdf', 'application/pdf');
    await toast(page, 'note.pdf was not uploaded').waitFor();

    // A file dropped beside the drop zone leaves the app as it is.
    const isLeft = `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'photo.png', { type: 'image/png' }));
      return ['dragover', 'drop'].map((name) => document.querySelector('header').dispatchEvent(
        new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer })));
    })()`;
    assert.deepEqual(await page.evaluate(isLeft), [false, false]);
  };
}

function showEarlierImages(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    for (let seed = 0; seed < 52; seed++) await send(page, await file(seed));
    await goTo(page, '/images', 'Images');
    await page.getByRole('button', { name: 'Show earlier images' }).press('Enter');
    await page
      .getByRole('button', { name: /^photo-1\.png/ })
      .and(page.locator(':focus'))
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show earlier images' }).count(), 0);
  };
}

function keepUnsavedDescription(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await send(page, await file(0));
    await goTo(page, '/images', 'Images');
    const tile = page.getByRole('button', { name: /^photo-0\.png/ });
    const dialog = page.getByRole('dialog', { name: 'Image' });
    const text = dialog.getByLabel('What it shows');
    await tile.click();
    await text.fill('A bridge at da');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await tile.click();
    assert.equal(await text.inputValue(), 'A bridge at da');
    await text.fill('A bridge at dawn');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    await tile.getByText('Not described yet').click();
    assert.equal(await text.inputValue(), '');
  };
}

function findTimeZones(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/site' });
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    const option = page.getByRole('option');
    await zone.click();
    await option.first().waitFor();
    assert.equal(await option.count(), new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]).size);
    await page.getByRole('heading', { name: 'Site' }).click();
    for (const [typed, found] of [
      ['new york', 'America/New York'],
      ['São P', 'America/Sao Paulo'],
    ] as const) {
      await zone.click();
      await page.keyboard.type(typed);
      await option.filter({ hasText: found }).waitFor();
      await zone.press('Enter');
      await zone.and(page.locator(`[value="${found}"]`)).waitFor();
      await page.getByRole('heading', { name: 'Site' }).click();
    }
    await zone.fill('Atlantis');
    await page.getByText('No time zone found').waitFor();
    const language = page.getByRole('combobox', { name: 'Language' });
    await language.fill('klingon');
    await page.getByText('No language found').waitFor();
    await language.click();
    await page.keyboard.type('norwegian bok');
    await language.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();
    const { account } = await page.evaluate<SessionJson>(`fetch('/admin/session').then((answer) => answer.json())`);
    assert.deepEqual([account.timeZone, account.language], ['America/Sao_Paulo', 'nb']);
  };
}

function typeColours(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/look' });
    const field = page.getByRole('textbox', { name: 'Colour' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    for (const [typed, meant] of [
      ['A12B4A', '#a12b4a'],
      ['#F0a', '#ff00aa'],
      [' #2456a6 ', '#2456a6'],
    ] as const) {
      await field.press('Control+a');
      await page.keyboard.insertText(typed);
      await page.getByRole('heading', { name: 'Look' }).click();
      const saved = page.waitForRequest((request) => request.method() === 'PATCH');
      await save.click();
      assert.deepEqual((await saved).postDataJSON(), { accent: meant });
      await field.and(page.locator(`[value="${meant}"]`)).waitFor();
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    }
    await field.press('Control+a');
    await page.keyboard.insertText('#12');
    await page.getByText('A colour looks like #1f5f56').waitFor();
    assert.equal(await save.isDisabled(), true);
  };
}

function chooseSecondButton(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/look' });
    const field = page.getByRole('combobox', { name: 'Second button' });
    await page.getByText('Portfolio', { exact: true }).click();
    assert.equal(await field.count(), 0);
    await page.getByText('Business', { exact: true }).click();
    await field.click();
    await page.getByRole('option', { name: 'Contact' }).click();
    const saved = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const { theme, secondButton: chosen } = (await saved).postDataJSON();
    assert.deepEqual([theme, typeof chosen], ['business', 'number']);
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  };
}

function showLoadingPreview(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await signedInPage(t, app);
    const go = Promise.withResolvers<void>();
    await page.route('**/admin/site-preview', (route) => go.promise.then(() => route.continue()));
    await page.goto(`${new URL(address).origin}/settings/look`);
    const coming = page.getByRole('region', { name: 'Preview' }).getByText('Loading…');
    await coming.waitFor();
    go.resolve();
    await coming.waitFor({ state: 'detached' });
  };
}

function returnToLog(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/log' });
    const { key } = await callAdmin(page, 'POST', 'keys', { name: 'Import' });
    for (let count = 0; count < 70; count++) await app.program.service.createPage(key, { name: `Page ${count}` });
    await page.reload();
    await waitUntilLoaded(page);
    const entries = page.getByRole('main').getByRole('listitem');
    await page.getByRole('radiogroup', { name: 'By whom' }).getByText('Programs').click();
    await page.getByRole('button', { name: 'Show earlier entries' }).press('Enter');
    await entries.nth(50).and(page.locator(':focus')).waitFor();
    await page.mouse.move(640, 400);
    const scrollY = () => page.evaluate<number>('scrollY');
    const start = await scrollY();
    await page.mouse.wheel(0, 600);
    await eventually(t, scrollY, (now) => now !== start);
    const first = page.getByRole('link', { name: '“Page 3”' });
    await first.scrollIntoViewIfNeeded();
    const top = () => first.evaluate((element: unknown) => (element as Placed).getBoundingClientRect().top);
    const before = await top();
    await first.click();
    await page.getByRole('heading', { name: 'Edit page' }).waitFor();
    await page.goBack();
    await first.waitFor();
    assert.equal(await entries.count(), 70);
    await eventually(t, top, (now) => now === before);
  };
}

interface Placed {
  getBoundingClientRect(): { readonly top: number };
}

function removeByDoubleClick(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/people' });
    for (const name of ['Ned', 'Noa', 'Nils']) {
      const email = `${name}@example.com`;
      await callAdmin(page, 'POST', 'users', { name, email, role: 'editor' });
    }
    await page.reload();
    const people = page.getByRole('main').getByRole('listitem');
    const remove = page.getByRole('button', { name: 'Remove Ned' });
    await remove.hover();
    // By the time of the second click, the next person has moved up to the pointer.
    await page.mouse.down();
    await page.mouse.up();
    await remove.waitFor({ state: 'detached' });
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await toast(page, 'Ned is removed').waitFor();
    await page.reload();
    await people.nth(2).waitFor();
    assert.equal(await people.count(), 3);
    // Two separate clicks remove two people.
    await page.getByRole('button', { name: 'Remove Noa' }).click();
    await page.getByRole('button', { name: 'Remove Nils' }).click();
    await toast(page, 'Nils is removed').waitFor();
    assert.equal(await people.count(), 1);
  };
}

function fitLongWords(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { path: '/settings/site' });
    const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
    await callAdmin(page, 'PATCH', 'settings', { name });
    await callAdmin(page, 'POST', 'users', { name, email: `${'m'.repeat(60)}@example.com`, role: 'viewer' });
    await callAdmin(page, 'POST', 'keys', { name });
    await callAdmin(page, 'POST', 'domains', { host: `www.${'donau'.repeat(12)}.example` });
    await page.setViewportSize({ width: 375, height: 667 });
    for (const [section, heading] of [
      ['domains', 'Domains'],
      ['people', 'People'],
      ['log', 'Log'],
      ['keys', 'API keys'],
    ] as const) {
      await goTo(page, `/settings/${section}`, heading);
      await checkFits(page, section);
    }
    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    const undo = toast(page, 'is revoked').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const { x, width } = (await undo.boundingBox())!;
    assert.ok(x + width < 375, `${x + width} pixels`);
    await undo.click();
    await toast(page, 'works again').waitFor();
    const logo = await page.getByRole('banner').locator('svg[viewBox="0 0 32 32"]').boundingBox();
    assert.equal(logo?.width, 28);
  };
}

function refuseScreensForRole(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    await send(page, await file(0));
    await callAdmin(page, 'POST', 'users', { name: 'Vera Viewer', email: 'vera@example.com', role: 'viewer' });
    const other = await (await app.browser.newContext({ reducedMotion: 'reduce' })).newPage();
    t.after(() => other.context().close());
    await other.goto(await nextTokenLink(app, 'vera@example.com'));
    await other.getByLabel('New password').fill('a password of hers');
    await other.getByRole('button', { name: 'Save and sign in' }).click();
    await other.getByRole('tree').waitFor();
    await goTo(other, '/settings/people', 'You cannot open this');
    await checkAllLooks(other, 'a screen that is not for this role');
    await goTo(other, '/settings/nonsense', 'There is nothing here');
    await goTo(other, '/customers/new', 'You cannot open this');
    await goTo(other, '/images', 'Images');
    await other.getByText('You can look at the images').waitFor();
    await checkAllLooks(other, 'images for a viewer');
  };
}

function signInWithFilledPassword(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await newCustomerPage(t, app);
    await page.locator('#root[data-is-app]').waitFor();
    await page.getByLabel('E-mail address').fill('anne@example.com');
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await page.getByRole('heading', { name: 'Forgotten your password?' }).waitFor();
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'anne@example.com');
    await page.getByLabel('E-mail address').fill('ann@example.com');
    const go = Promise.withResolvers<void>();
    await page.route('**/admin/passkeys/challenge', (route) => go.promise.then(() => route.continue()));
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'ann@example.com');

    // Fills in the password without firing an event.
    await page.getByRole('textbox', { name: 'Password' }).evaluate((field: unknown, value) => {
      (field as { value: string }).value = value;
    }, password);
    // The password must survive the next rendering, when the form has the passkey challenge.
    go.resolve();
    await page.getByRole('button', { name: 'passkey', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('tree').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Forgotten your password?' }).waitFor();
    assert.notEqual(page.url(), address);
  };
}

async function file(seed: number) {
  const buffer = await picture(60 + seed, 40, seed)
    .png()
    .toBuffer();
  return { name: `photo-${seed}.png`, mimeType: 'image/png', buffer };
}

type Chosen = Awaited<ReturnType<typeof file>>;

/** Uploads an image as the app would, without using the screen. */
async function send(page: Page, { name, buffer }: Chosen): Promise<void> {
  const { origin } = new URL(page.url());
  const headers = { Origin: origin, 'Content-Type': 'application/octet-stream' };
  const answer = await page.request.post(`${origin}/admin/media?name=${name}`, { headers, data: buffer });
  assert.equal(answer.status(), 201);
}

function names(page: Page): Promise<string[]> {
  return page
    .getByRole('list', { name: 'Your images' })
    .getByRole('button')
    .evaluateAll((tiles: { textContent: string }[]) =>
      tiles.map(({ textContent }) => textContent.split('.png')[0] + '.png'),
    );
}

/** Drops a file of `size` bytes on the screen. */
async function drop(page: Page, name: string, type: string, size = 1): Promise<void> {
  await page.getByRole('heading', { name: 'Images', exact: true }).waitFor();
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(${size})], '${name}', { type: '${type}' }));
    document.querySelector('main h1').dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  }`);
}

function listNextSteps(app: TestApp) {
  return async (t: TestContext) => {
    const { page, visit } = await signedInPage(t, app, { isUntouched: true });
    const list = page.getByRole('region', { name: 'Next steps' });
    const texts = async () => (await list.getByRole('link').allTextContents()).map((text) => text.split(/[ ,]/)[0]);
    await list.waitFor();
    assert.deepEqual(await texts(), ['Check', 'Write', 'Choose', 'Use']);
    await checkAllLooks(page, 'the next steps');

    assert.match(await visit('/'), /Coming soon/);
    await list.getByRole('link', { name: 'Write your first text' }).click();
    await page.getByText('“Publish” shows it to them.').waitFor();
    await publish(page);
    assert.match(await visit('/'), /It is good to have you here/);
    await page.goBack();
    await list.getByRole('link', { name: 'Write' }).waitFor({ state: 'detached' });

    await list.getByRole('link', { name: 'Check the name' }).click();
    await page.getByLabel('Name of the site').waitFor();
    await page.goBack();
    await list.waitFor();
    assert.deepEqual(await texts(), ['Choose', 'Use']);
    await list.getByRole('button', { name: 'Hide this list' }).click();
    await list.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('treeitem', { name: 'Home' }).waitFor();
    await waitUntilLoaded(page);
    assert.equal(await list.count(), 0);
  };
}
