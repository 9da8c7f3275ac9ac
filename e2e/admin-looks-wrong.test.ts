import { test } from 'node:test';
import { onDesk, onNarrowPhone, whatGoesWrong } from './admin-looks.ts';
import { startTestApp } from './test-app.ts';

test('axe finds nothing in the admin app where something goes wrong', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('on a desk, in light and dark', whatGoesWrong(app, onDesk));
  await t.test('on a narrow phone in the dark', whatGoesWrong(app, onNarrowPhone));
});
