import { test } from 'node:test';
import { blockedStorage, slowService, unsavedForms } from './admin-drafts.ts';
import { endedSession } from './admin-ended.ts';
import { openHouse } from './house.ts';

test('what is not saved yet in the admin app is kept', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('while the service takes its time', slowService(house));
  await t.test('where nothing can be kept, and nobody says that it is', blockedStorage(house));
  await t.test('what is typed into a form and not saved, until it is opened again', unsavedForms(house));
  await t.test('when a session ends, and nobody else sees it', endedSession(house));
});
