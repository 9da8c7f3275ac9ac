import { test } from 'node:test';
import { anyScreen, onDesk } from './admin-looks.ts';
import { openHouse } from './house.ts';

test('axe finds nothing in the admin app on a desk, in light and dark', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('on any screen', anyScreen(house, onDesk));
});
