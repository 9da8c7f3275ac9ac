import { atOnce } from './admin-at-once.ts';
import { twoFormats, twoPeople, twoSettings } from './admin-two-people.ts';
import { earlierVersions } from './admin-versions.ts';
import { describeTestApp } from './test-app.ts';

/* Pages that several people edit, and changes that show before the service has answered. */

describeTestApp('the admin app: concurrent changes', {
  'the second of two people who publish the same page sees both texts': twoPeople,
  'a conflict shows what differs in the settings, and all that would be published': twoSettings,
  'a text is published with its own format even if another person has changed the format': twoFormats,
  'every published version can be seen, compared and restored': earlierVersions,
  'a change shows before the service has answered, and is reverted if the service fails': atOnce,
});
