import { test } from 'node:test';
import { oldCopies, twoDevices } from './admin-drafts.ts';
import { startTestApp } from './test-app.ts';

test('what is written in the admin app is kept on each device', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('of two devices of one person neither writes over the other', twoDevices(app));
  await t.test('through a newer app', oldCopies(app));
});
