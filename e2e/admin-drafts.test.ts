import { test } from 'node:test';
import { draftsInTree, formerEditors, keptDrafts } from './admin-drafts.ts';
import { openHouse } from './house.ts';

/*
 * Of the admin app whatever could take from people what they write: apart, and in three parts (admin-unsaved.test.ts,
 * admin-two-devices.test.ts), so that all of it is tested at a time.
 */

test('what is written in the admin app is kept', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('whatever the clock, another device or a full one does', keptDrafts(house));
  await t.test('and the tree says so at once', draftsInTree(house));
  await t.test('by an editor that was left', formerEditors(house));
});
