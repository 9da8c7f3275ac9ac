import { atOnce } from './admin-at-once.ts';
import { twoFormats, twoPeople, twoSettings } from './admin-two-people.ts';
import { earlierVersions } from './admin-versions.ts';
import { describeTestApp } from './test-app.ts';

/* What several have written of one page, and what is shown before the service has answered. */

describeTestApp('in the admin app', {
  'the second of two people who write one text is shown both': twoPeople,
  'a conflict shows what differs in the settings, and all that would be published': twoSettings,
  'a text is published with its own format where somebody else has changed the format': twoFormats,
  'every published version can be seen, compared and restored': earlierVersions,
  'what one does shows before the service has answered, and goes where it never does': atOnce,
});
