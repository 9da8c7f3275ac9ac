import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from './program.ts';
import {
  checkAllLooks,
  comeBack,
  endSessions,
  nextTokenLink,
  signedInPage,
  signInAgain,
  signInVia,
  type TestApp,
  toast,
} from './test-app.ts';

/** Checks that the input of a form survives the end of the session, for the same person only. */
export function coverEndedSession(app: TestApp) {
  return async (t: TestContext) => {
    const { page, address } = await signedInPage(t, app, { path: '/settings/site' });
    const { origin } = new URL(address);
    const cover = page.getByRole('dialog', { name: 'Sign in again' });
    const field = page.getByLabel('Name of the site');
    const name = () => page.getByRole('banner').getByText(/Acme|Bakehouse/);

    await t.test('a change that was being saved when the session ended is saved after signing in again', async () => {
      await field.fill('Bakehouse');
      // Ends the sessions from another browser, so that this one keeps its cookie.
      const elsewhere = await (await app.browser.newContext()).newPage();
      await signInVia(elsewhere, address);
      await endSessions(elsewhere);
      await elsewhere.context().close();
      await page.getByRole('button', { name: 'Save' }).focus();
      await page.keyboard.press('Enter');
      await cover.waitFor();
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Sign in again');
      assert.match(await page.title(), /^Sign in again/);
      await checkCovered(page);
      await checkAllLooks(page, 'signing in again');
      // The dialog cannot be closed, however often Escape is pressed.
      for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
      await cover.getByLabel('E-mail address').fill('ann@example.com');
      await cover.getByRole('textbox', { name: 'Password' }).fill('wrong');
      await page.keyboard.press('Enter');
      await cover.getByText('The e-mail address or password is wrong').waitFor();
      await signInAgain(page);
      await toast(page, 'Saved').waitFor();
      await cover.waitFor({ state: 'detached' });
      assert.equal(await name().textContent(), 'Bakehouse');
      assert.match(await page.title(), /^Site · /);

      // Keys that are pressed in the dialog do nothing to the page behind it.
      await endSessions(page);
      await comeBack(page);
      await cover.waitFor();
      await page.keyboard.press('Control+z');
      await signInAgain(page);
      await cover.waitFor({ state: 'detached' });
      await toast(page, 'Saved').getByRole('button', { name: 'Undo' }).waitFor();
      assert.equal(await name().textContent(), 'Bakehouse');
    });

    await t.test('an unsaved change is dropped if the browser has signed in to another site since', async (t) => {
      await page.goto(`${origin}/settings/site`);
      await field.fill('Somebody else’s');
      const other = await signedInPage(t, app);
      const [theirs] = await other.page.context().cookies();
      assert.ok(theirs);
      const [own] = await page.context().cookies();
      await page.context().addCookies([{ ...theirs }]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`${origin}/pages`);
      await page.goto(`${origin}/settings/site`);
      await field.waitFor();
      assert.notEqual(await field.inputValue(), 'Somebody else’s');
      await page.context().addCookies([{ ...own! }]);
    });

    await t.test('text typed in a dialog survives the end of the session', async (t) => {
      await page.goto(`${origin}/pages`);
      await page.getByRole('button', { name: 'New page' }).click();
      const dialog = page.getByRole('dialog', { name: 'New page' });
      await dialog.getByLabel('Name').fill('Summer');
      await endSessions(page);
      await comeBack(page);
      await cover.waitFor();
      await page.keyboard.press('Escape');
      await checkCovered(page);
      // The dialog behind the cover locks the scrolling of the page, but not that of the cover.
      await page.setViewportSize({ width: 320, height: 400 });
      await page.mouse.move(160, 200);
      await page.mouse.wheel(0, 200);
      const scrolled = () => page.evaluate<number>("document.querySelector('body > dialog').scrollTop");
      await eventually(t, scrolled, (pixels) => pixels > 0);
      await page.setViewportSize({ width: 1280, height: 720 });
      await signInAgain(page);
      await cover.waitFor({ state: 'detached' });
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Summer');
      await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Edit page' }).waitFor();
    });

    await t.test('a form submitted after the session has ended is sent once the user has signed in again', async () => {
      await page.goto(`${origin}/settings/people`);
      await page.getByLabel('Name', { exact: true }).fill('Ned New');
      await page.getByLabel('E-mail address').fill('ned@example.com');
      await endSessions(page);
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await signInAgain(page);
      await toast(page, 'on its way to ned@example.com').waitFor();
    });

    await t.test('another person who signs in neither sees nor sends the unsaved input', async () => {
      const link = await nextTokenLink(app, 'ned@example.com');
      const other = await (await app.browser.newContext()).newPage();
      t.after(() => other.context().close());
      await other.goto(link);
      await other.getByLabel('New password').fill('a password of his');
      await other.getByRole('button', { name: 'Save and sign in' }).click();
      await other.getByRole('tree').waitFor();

      await page.goto(`${origin}/settings/site`);
      await field.fill('Ann’s own name');
      await endSessions(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await cover.getByLabel('E-mail address').fill('ned@example.com');
      await cover.getByRole('textbox', { name: 'Password' }).fill('a password of his');
      await cover.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('tree').waitFor();
      assert.equal(await name().textContent(), 'Bakehouse');
      assert.equal(new URL(page.url()).pathname, '/pages');
    });
  };
}

/** Checks that nothing of the account can be seen or reached, at any point of the window or by any role. */
async function checkCovered(page: Page): Promise<void> {
  for (const role of ['banner', 'navigation', 'tree', 'alert'] as const) {
    assert.equal(await page.getByRole(role).count(), 0, role);
  }
  const seen = await page.evaluate<string[]>(`(() => {
    const cover = document.querySelector('body > dialog');
    const places = Array.from({ length: 400 }, (_, at) => [(at % 20) * innerWidth / 20 + 4, Math.floor(at / 20) * innerHeight / 20 + 4]);
    const beside = places.map(([x, y]) => document.elementFromPoint(x, y)).filter((element) => !cover.contains(element));
    const shown = [...document.querySelectorAll('body > :not(dialog) *')].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }));
    const { backgroundColor } = getComputedStyle(cover);
    const isOpaque = /^rgb\\(/.test(backgroundColor);
    return [...[...beside, ...shown].map((element) => element?.outerHTML.slice(0, 200)), ...(isOpaque ? [] : [backgroundColor])];
  })()`);
  assert.deepEqual(seen, []);
}
