import { test } from 'node:test';
import { draftsInTree, formerEditors, keptDrafts } from './admin-drafts.ts';
import { startTestApp } from './test-app.ts';

/*
 * Of the admin app whatever could take from people what they write: apart, and in three parts (admin-unsaved.test.ts,
 * admin-two-devices.test.ts), so that all of it is tested at a time.
 */

test('what is written in the admin app is kept', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('whatever the clock, another device or a full one does', keptDrafts(app));
  await t.test('and the tree says so at once', draftsInTree(app));
  await t.test('by an editor that was left', formerEditors(app));
});
