import { test } from 'node:test';
import { signInStories } from './admin-people.ts';
import { startTestApp } from './test-app.ts';

test('signing in to the admin app', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  for (const [what, story] of signInStories) await t.test(what, story(app));
});
