import { test } from 'node:test';
import { onDesk, onNarrowPhone, whatGoesWrong } from './admin-looks.ts';
import { openHouse } from './house.ts';

test('axe finds nothing in the admin app where something goes wrong', async (t) => {
  const house = await openHouse(t, 'sqlite');
  await t.test('on a desk, in light and dark', whatGoesWrong(house, onDesk));
  await t.test('on a narrow phone in the dark', whatGoesWrong(house, onNarrowPhone));
});
