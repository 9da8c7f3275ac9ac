import { test } from 'node:test';
import { signInStories } from './admin-people.ts';
import { openHouse } from './house.ts';

test('signing in to the admin app', async (t) => {
  const house = await openHouse(t, 'sqlite');
  for (const [what, story] of signInStories) await t.test(what, story(house));
});
