import { test } from 'node:test';
import { anyScreen, onNarrowPhone } from './admin-looks.ts';
import { startTestApp } from './test-app.ts';

test('axe finds nothing in the admin app on a narrow phone in the dark', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('on any screen', anyScreen(app, onNarrowPhone));
});
