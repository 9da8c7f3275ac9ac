import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from './program.ts';
import { checkAccessible, signedInPage, type TestApp, toast } from './test-app.ts';

/** Checks that messages on a phone do not cover what the user does next. */
export function stackMessagesOnPhone(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { viewport: { width: 320, height: 640 }, hasTouch: true });
    await keepMessages(page);
    const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
    for (const name of ['About', 'Services', 'Contact']) {
      await row(name).tap();
      await page.getByRole('button', { name: 'Hide from navigation' }).tap();
      await toast(page, `“${name}” is hidden`).waitFor();
    }
    const messages = page.getByRole('complementary', { name: 'Notifications' }).locator('[role=alert]');
    const boxes = async () => {
      const found = await Promise.all((await messages.all()).map((message) => message.boundingBox()));
      return found.map((box) => box!).sort((one, other) => one.y - other.y);
    };
    const heights = async () => {
      const all = await boxes();
      const { y, height } = all.at(-1)!;
      return { together: y + height - all[0]!.y, one: height };
    };
    // The newest message is in front, and the edges of the others stay visible.
    await eventually(t, heights, ({ together, one }) => together < one * 1.5);
    assert.equal(await messages.and(page.locator(':not([inert])')).count(), 1);
    await checkAccessible(page);
    await toast(page, '“Contact” is hidden').getByText('is hidden').tap();
    await eventually(
      t,
      boxes,
      (all) => all.length === 3 && all.every(({ y, height }, index) => y + height <= (all[index + 1]?.y ?? 640)),
    );
    await checkAccessible(page);
    await toast(page, '“About” is hidden').getByRole('button', { name: 'Undo' }).tap();
    await row('About').getByText('Hidden').waitFor({ state: 'detached' });
    // The messages are stacked again, and no longer cover the pages.
    await toast(page, 'Undone').waitFor();
    await messages.filter({ hasText: '“About” is hidden' }).waitFor({ state: 'detached' });
    await eventually(t, heights, ({ together, one }) => together < one * 1.5);
    assert.equal(await messages.count(), 3);
    await row('Services').getByText('Hidden').waitFor();
  };
}

/** Window sizes in pixels: wide, narrow, and a phone. */
const windows = [
  [1280, 720],
  [800, 600],
  [320, 568],
] as const;

/** Checks that messages never cover a control of a dialog. */
export function keepDialogsUncovered(app: TestApp) {
  return async (t: TestContext) => {
    const { page } = await signedInPage(t, app, { viewport: { width: 1280, height: 720 } });
    const dialog = page.getByRole('dialog');
    const nothingIsCovered = (by: number) =>
      eventually(
        t,
        () => covered(page, by),
        (all) => all.length === 0,
      );
    for (const [width, height] of windows) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await keepMessages(page);
      await page.getByRole('treeitem').filter({ hasText: 'About' }).click();
      for (const _ of [1, 2]) {
        await page.getByRole('button', { name: 'Hide from navigation' }).click();
        await page.getByRole('button', { name: 'Show in navigation' }).click();
      }
      // Each message appears once the service has answered.
      await page.locator('aside [role=alert]').nth(3).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'New page' }).click();
      await dialog.getByLabel('Name').fill(`Prices ${width} ${height}`);
      await nothingIsCovered(4);
      await checkAccessible(page, `a dialog and messages, ${width} by ${height}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'New page' }).click();
    await dialog.getByLabel('Name').fill('Prices');
    await dialog.getByRole('button', { name: 'Create and edit' }).click();
    for (const [width, height] of windows) {
      await page.setViewportSize({ width, height });
      await page.getByRole('textbox', { name: 'Name of the page' }).fill(`Prices ${width}`);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await toast(page, 'Published').waitFor();
      await page.getByRole('button', { name: 'Page settings' }).click();
      await dialog.getByRole('textbox', { name: 'Address', exact: true }).waitFor();
      await nothingIsCovered(1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  };
}

/** Keeps messages on the screen: a busy machine may need longer for the test than they stay. */
async function keepMessages(page: Page): Promise<void> {
  await page.evaluate(`{
    const { setTimeout } = window;
    window.setTimeout = (work, time, ...rest) => setTimeout(work, time > 3000 ? 2 ** 30 : time, ...rest);
  }`);
}

/** Returns the controls of the dialog that are covered after scrolling to them. Throws if fewer messages are left. */
function covered(page: Page, by: number): Promise<string[]> {
  return page.evaluate(`(() => {
    if (document.querySelectorAll('aside [role=alert]').length < ${by}) throw new Error('Some messages have disappeared.');
    const all = [...document.querySelectorAll('[role=dialog] :is(button, input, textarea, a[href])')];
    return all.filter((element) => element.checkVisibility()).filter((element) => {
      element.scrollIntoView({ block: 'end' });
      const { left, top, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height - 2)?.closest('[role=dialog]') === null;
    }).map((element) => element.textContent || element.getAttribute('aria-label') || element.outerHTML);
  })()`);
}
