import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { photo } from '../test/images.ts';
import { customerFields } from '../test/service.ts';
import { eventually } from './program.ts';
import {
  callAdmin,
  createPublished,
  goTo,
  newCustomerPage,
  password,
  signedInPage,
  type TestApp,
  toast,
  waitUntilLoaded,
} from './test-app.ts';

/** Checks the way from signing in to a published page without a mouse, and that the focus is visible at every step. */
export function publishByKeyboard(app: TestApp) {
  return async (t: TestContext) => {
    const { page, visit } = await newCustomerPage(t, app);
    await reached(t, page, 'E-mail address');
    await page.keyboard.insertText(customerFields().user_email!);
    await tabTo(page, 'Password');
    await page.keyboard.insertText(password);
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New page' }).waitFor();
    assert.match(await page.title(), /^Pages/);

    await page.keyboard.press('Tab');
    await reached(t, page, 'Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'New page');
    await page.keyboard.press('Enter');
    await reached(t, page, 'Name');
    await page.keyboard.insertText('Harvest');
    await page.keyboard.press('Enter');

    // A user who creates a page wants to write: the focus is at the heading only until the editor has loaded.
    await reached(t, page, 'Text of the page');
    assert.match(await page.title(), /^Harvest/);
    await page.keyboard.insertText('Apples and pears.');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'Published').waitFor();
    assert.match(await visit('/harvest'), /Apples and pears/);

    await page.keyboard.press('Shift+Tab');
    await tabTo(page, 'Images', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await reached(t, page, 'Images');
    // The focus is at the heading, and no longer at the link of the same name.
    await page.locator('h1:focus').waitFor();
    await imagesByKeyboard(page);

    await page.keyboard.press('Shift+Tab');
    await tabTo(page, 'Settings', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await reached(t, page, 'Site');
    assert.match(await page.title(), /^Site/);

    await page.getByRole('link', { name: 'Pages', exact: true }).press('Enter');
    const help = page.getByRole('button', { name: 'Keyboard shortcuts' });
    await help.press('Enter');
    await page.getByRole('term').first().waitFor();
    await help.press('Escape');
    await page.getByRole('term').first().waitFor({ state: 'hidden' });
  };
}

/** Checks the focus on a slow connection: the user may have moved on before the screen has loaded. */
export function keepFocusOnLateScreen(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    for (const [screen, heading, isHasty] of [
      ['images', 'Images', true],
      ['settings', 'Site', false],
    ] as const) {
      const gate = Promise.withResolvers<void>();
      await page.route(`**/-/app/${screen}-screen-*.js`, (route) => gate.promise.then(() => route.continue()));
      const link = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: heading === 'Site' ? 'Settings' : heading });
      await link.press('Enter');
      await page.waitForURL(`**/${screen}`);
      if (isHasty) await page.keyboard.press('Tab');
      gate.resolve();
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await reached(t, page, isHasty ? 'Trash' : heading);
    }
  };
}

/** Checks that the tree shows only with the session, which decides which keys work: before, it would swallow them. */
export function waitForSession(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    const gate = Promise.withResolvers<void>();
    await page.route('**/admin/session', (route) => gate.promise.then(() => route.continue()));
    const tree = page.waitForResponse((response) => response.url().includes('/admin/pages?'));
    await page.reload();
    await (await tree).finished();
    const pressed = page.getByRole('treeitem', { name: 'Contact' }).press('Delete');
    // Enough frames to show a tree that does not wait for the session.
    for (let frames = 0; frames < 30; frames++) await page.evaluate('new Promise(requestAnimationFrame)');
    gate.resolve();
    await pressed;
    await toast(page, '“Contact” deleted').waitFor();
  };
}

/** Checks that Escape closes the menu, which covers the screen on a phone. */
export function closeMenuOnPhone(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { viewport: { width: 375, height: 667 } });
    const images = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' });
    const openMenu = page.getByRole('button', { name: 'Open menu' });
    await openMenu.press('Enter');
    await images.waitFor();
    await page.getByRole('button', { name: 'Close menu' }).press('Escape');
    await reached(t, page, 'Open menu');
    await openMenu.press('Enter');
    await images.press('Escape');
    await reached(t, page, 'Open menu');
    await images.waitFor({ state: 'hidden' });
  };
}

/** Removing something by keyboard moves the focus to what takes its place; the keyboard also undoes it. */
export function focusAfterRemoval(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app);
    for (const name of ['Ada', 'Bea', 'Cleo']) {
      await callAdmin(page, 'POST', 'users', { name, email: `${name}@example.com`, role: 'viewer' });
    }
    for (const name of ['Till', 'Newsletter']) await callAdmin(page, 'POST', 'keys', { name });
    await callAdmin(page, 'POST', 'domains', { host: 'www.bakery.example' });
    const press = async (name: string) => {
      // Before the screen has loaded, a button may be disabled and cannot have the focus.
      await waitUntilLoaded(page);
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    const holdKey = async (key: string) => {
      for (let times = 0; times < 3; times++) await page.keyboard.down(key);
      await page.keyboard.up(key);
    };

    await t.test(
      'after a removal the focus is at the next item of the list, which further keys do not remove',
      async () => {
        await goTo(page, '/settings/people', 'People');
        await press('Remove Bea');
        await reached(t, page, /^Cleo/);
        // A key that is held a moment too long removes nothing else.
        await page.keyboard.press('Enter');
        await toast(page, 'Bea is removed').waitFor();
        await page.keyboard.press('Control+z');
        await toast(page, 'Bea is back. Send the invitation again').waitFor();
        await page.getByRole('button', { name: 'Remove Cleo' }).waitFor();
        await reached(t, page, /^Cleo/);
      },
    );

    await t.test('after the removal of the last item of a list the focus is at the item above', async () => {
      await press('Remove Cleo');
      await reached(t, page, /^Bea/);
    });

    await t.test('when only the pressed button disappears, the focus stays with its item', async () => {
      await goTo(page, '/settings/keys', 'API keys');
      await press('Revoke Newsletter');
      await reached(t, page, /^Newsletter.*Revoked/);
    });

    await t.test('a button whose work is done keeps the focus', async () => {
      await goTo(page, '/settings/domains', 'Domains');
      await press('Check now');
      await page.getByText('Not verified yet', { exact: true }).waitFor();
      await reached(t, page, 'Check now');
    });

    await t.test('after a deletion the focus is at the next page, which a held key does not delete', async () => {
      await goTo(page, '/pages', 'Pages');
      await page.getByRole('treeitem', { name: 'About' }).focus();
      await holdKey('Delete');
      await toast(page, '“About” deleted').waitFor();
      await reached(t, page, 'Home');
      await page.getByRole('treeitem', { name: 'Services' }).click();
      await page.getByRole('button', { name: 'Delete' }).focus();
      await holdKey('Enter');
      await toast(page, '“Services” deleted').waitFor();
      assert.deepEqual(await page.getByRole('treeitem').allTextContents(), ['Home', 'Contact']);
    });

    await t.test(
      'Ctrl + Z restores the page that was deleted last, and only that one while the key is held',
      async () => {
        const names = ['One', 'Two', 'Three'];
        for (const name of names) await createPublished(page, { name });
        await page.reload();
        for (const name of names) {
          await page.getByRole('treeitem', { name }).focus();
          await page.keyboard.press('Delete');
          await toast(page, `“${name}” deleted`).waitFor();
        }
        // Ctrl + Z in a dialog undoes nothing.
        await page.getByRole('button', { name: 'New page' }).press('Enter');
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Control+z');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.down('Control');
        await holdKey('z');
        await page.keyboard.up('Control');
        await toast(page, 'Undone').waitFor();
        assert.deepEqual(await page.getByRole('treeitem').allTextContents(), ['Home', 'Contact', 'Three']);
        // With Caps Lock, the letter is upper case.
        await page.keyboard.press('Control+Z');
        await page.getByRole('treeitem', { name: 'Two' }).waitFor();
        assert.deepEqual(await page.getByRole('treeitem').allTextContents(), ['Home', 'Contact', 'Two', 'Three']);
      },
    );

    await t.test('when a list becomes empty, the focus is at the heading', async () => {
      await goTo(page, '/settings/domains', 'Domains');
      await press('Remove www.bakery.example');
      await reached(t, page, 'Domains');
      // When a focused message closes, the focus goes back.
      await toast(page, 'www.bakery.example is removed').getByRole('button', { name: 'Undo' }).press('Enter');
      await page.getByText('_website.www.bakery.example').first().waitFor();
      await reached(t, page, 'Domains');
    });
  };
}

/** Uploads, describes, deletes and restores an image by keyboard. */
async function imagesByKeyboard(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'No images yet' }).waitFor();
  // Wait for the event before the key is pressed: only then does the browser leave the choice to the test.
  const choosing = page.waitForEvent('filechooser');
  await tabTo(page, 'Upload images');
  await page.keyboard.press('Enter');
  const file = { name: 'apples.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await photo(64, 48, 1)) };
  await (await choosing).setFiles(file);
  const details = page.getByRole('dialog');
  await details.getByText('No page yet').waitFor();
  await tabTo(page, 'What it shows');
  await page.keyboard.insertText('A bowl of apples');
  await tabTo(page, 'Save');
  await page.keyboard.press('Enter');
  await details.waitFor({ state: 'detached' });
  // The upload button has gone with the empty screen: the focus is at the heading, and not at the top of the page.
  await page.locator('h1:focus').waitFor();
  await tabTo(page, 'apples.jpgA bowl of apples');
  await page.keyboard.press('Enter');
  await details.getByText('No page yet').waitFor();
  await tabTo(page, 'Delete');
  await page.keyboard.press('Enter');
  await toast(page, '“A bowl of apples” is deleted').waitFor();
  // The message about the description has an “Undo” button, too.
  const isAtDeletion = `document.activeElement.closest('[role=alert]')?.textContent.includes('is deleted')`;
  // Visits the “Undo” button of each message once, until it is the one about the deletion.
  for (let messages = 1; messages <= MAX_MESSAGES; messages++) {
    await tabTo(page, 'Undo');
    if (await page.evaluate(isAtDeletion)) break;
    assert.ok(messages < MAX_MESSAGES, 'the message about the deletion has disappeared');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'apples.jpg' }).waitFor();
}

/** More messages than the app shows at once. */
const MAX_MESSAGES = 10;

/** More tab stops than any screen has. */
const MAX_STOPS = 60;

async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MAX_STOPS) {
    await page.keyboard.press(key);
    const at = await focused(page);
    assert.ok(at.isVisible, `the focus at ${at.name} is not visible`);
    if (at.name === name) return;
    passed.push(at.name);
  }
  assert.fail(`${name} is not reached: ${passed.join(', ')}`);
}

/** Waits until the named element has the focus without a key press, visibly. */
async function reached(t: TestContext, page: Page, name: string | RegExp): Promise<void> {
  await eventually(
    t,
    () => focused(page),
    (at) => (typeof name === 'string' ? at.name === name : name.test(at.name)) && at.isVisible,
  );
}

const nameOf = `(element) =>
  (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim()`;

/** Returns the name of the focused element, and whether the element or one around it shows the focus. */
function focused(page: Page): Promise<{ name: string; isVisible: boolean }> {
  return page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const element = document.activeElement;
    // Between the last tab stop and the first, the focus is in the browser's own controls.
    if (element === document.body) return { name: '', isVisible: true };
    const near = [element];
    while (near.length < 4 && near[0].parentElement) near.unshift(near[0].parentElement);
    const isOutlined = (each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    };
    const isIn = ({ top, left, bottom, right }) => bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    const probe = document.createElement('i');
    probe.style.color = 'var(--mantine-primary-color-filled)';
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    const isBordered = near.some((each) => getComputedStyle(each).borderTopColor === color);
    probe.remove();
    const isMarked = /^H\\d$/.test(element.tagName) && getComputedStyle(element).boxShadow !== 'none';
    const isVisible = (near.some(isOutlined) || isBordered || isMarked) && isIn(element.getBoundingClientRect());
    return { name: (${nameOf})(element), isVisible };
  })()`);
}
