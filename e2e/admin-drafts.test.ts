import { test } from 'node:test';
import {
  blockedStorage,
  draftsInTree,
  formerEditors,
  keptDrafts,
  oldCopies,
  slowService,
  twoDevices,
  unsavedForms,
} from './admin-drafts.ts';
import { endedSession } from './admin-ended.ts';
import { openHouse } from './house.ts';

/* Of the admin app whatever could take from people what they write: apart, so that it is tested at a time. */

test('what is written in the admin app is kept', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('whatever the clock, another device or a full one does', keptDrafts(house));
  await t.test('and the tree says so at once', draftsInTree(house));
  await t.test('by an editor that was left', formerEditors(house));
  await t.test('while the service takes its time', slowService(house));
  await t.test('through a newer app', oldCopies(house));
  await t.test('where nothing can be kept, and nobody says that it is', blockedStorage(house));
  await t.test('of two devices of one person neither writes over the other', twoDevices(house));
  await t.test('what is typed into a form and not saved, until it is opened again', unsavedForms(house));
  await t.test('when a session ends, and nobody else sees it', endedSession(house));
});
