import { test } from 'node:test';
import { peopleStories } from './admin-people.ts';
import { startTestApp } from './test-app.ts';

/* Of the admin app what has to do with people and settings: apart, so that all of it is tested at a time. */

test('people in the admin app', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  for (const [what, story] of peopleStories) await t.test(what, story(app));
});
