import { test } from 'node:test';
import { oldCopies, twoDevices } from './admin-drafts.ts';
import { openHouse } from './house.ts';

test('what is written in the admin app is kept on each device', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('of two devices of one person neither writes over the other', twoDevices(house));
  await t.test('through a newer app', oldCopies(house));
});
