import { twoFormats, twoPeople, twoSettings } from './admin-two-people.ts';
import { earlierVersions } from './admin-versions.ts';
import { describeTestApp } from './test-app.ts';

/* Of the admin app what several have written of one page: apart, so that it is tested at a time. */

describeTestApp('in the admin app, of a page that several write', {
  'the second of two people who write one text is shown both': twoPeople,
  'a conflict shows what differs in the settings, and all that would be published': twoSettings,
  'a text is published with its own format where somebody else has changed the format': twoFormats,
  'every published version can be seen, compared and restored': earlierVersions,
});
