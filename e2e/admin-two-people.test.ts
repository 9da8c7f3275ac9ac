import { showChangesAtOnce } from './admin-at-once.ts';
import { changeFormatTogether, changeSettingsTogether, editTogether } from './admin-two-people.ts';
import { compareVersions } from './admin-versions.ts';
import { describeTestApp } from './test-app.ts';

/* Pages that several people edit, and changes that show before the service has answered. */

describeTestApp('the admin app: concurrent changes', {
  'the second of two people who publish the same page sees both texts': editTogether,
  'a conflict shows what differs in the settings, and all that would be published': changeSettingsTogether,
  'a text is published with its own format even if another person has changed the format': changeFormatTogether,
  'every published version can be seen, compared and restored': compareVersions,
  'a change shows before the service has answered, and is reverted if the service fails': showChangesAtOnce,
});
