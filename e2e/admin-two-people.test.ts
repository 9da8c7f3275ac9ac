import { test } from 'node:test';
import { twoFormats, twoPeople, twoSettings } from './admin-two-people.ts';
import { earlierVersions } from './admin-versions.ts';
import { startTestApp } from './test-app.ts';

/* Of the admin app what several have written of one page: apart, so that it is tested at a time. */

test('several versions of one page', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('of two people the second is shown both', twoPeople(app));
  await t.test('with what differs of the settings, and all that would be published', twoSettings(app));
  await t.test('where one has changed the format, a text goes with its own', twoFormats(app));
  await t.test('what was published before is all to be had, with everything that differs', earlierVersions(app));
});
