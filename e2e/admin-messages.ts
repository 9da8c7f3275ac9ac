import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { beginInside, checkAccessible, type House, toast } from './house.ts';
import { eventually } from './program.ts';

/** What is said of what was done leaves room for what one does next. */
export function messagesOnPhone(house: House) {
  return async (t: TestContext) => {
    const { page } = await beginInside(t, house, { viewport: { width: 320, height: 640 }, hasTouch: true });
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
    // The latest is in front, and the edges of the others show that they are there.
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
    await row('Services').getByText('Hidden').waitFor();
  };
}
