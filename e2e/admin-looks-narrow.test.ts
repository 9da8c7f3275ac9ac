import { test } from 'node:test';
import { anyScreen, onNarrowPhone } from './admin-looks.ts';
import { openHouse } from './house.ts';

test('axe finds nothing in the admin app on a narrow phone in the dark', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('on any screen', anyScreen(house, onNarrowPhone));
});
