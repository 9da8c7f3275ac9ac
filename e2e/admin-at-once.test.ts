import { test } from 'node:test';
import { atOnce } from './admin-at-once.ts';
import { startTestApp } from './test-app.ts';

/* Of the admin app what impatience is answered with: apart, so that it is tested at a time. */

test('the admin app in a hurry', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('what one does shows before the service has answered, and goes where it never does', atOnce(app));
});
