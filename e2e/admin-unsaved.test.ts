import { test } from 'node:test';
import { blockedStorage, slowService, unsavedForms } from './admin-drafts.ts';
import { endedSession } from './admin-ended.ts';
import { startTestApp } from './test-app.ts';

test('what is not saved yet in the admin app is kept', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('while the service takes its time', slowService(app));
  await t.test('where nothing can be kept, and nobody says that it is', blockedStorage(app));
  await t.test('what is typed into a form and not saved, until it is opened again', unsavedForms(app));
  await t.test('when a session ends, and nobody else sees it', endedSession(app));
});
