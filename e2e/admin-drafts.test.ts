import {
  editInTwoTabs,
  editOnTwoDevices,
  offerLocalText,
  restoreAfterClosedTab,
  restoreUnsavedForms,
  showDraftsInTree,
  warnOfFullStorage,
} from './admin-drafts.ts';
import { coverEndedSession } from './admin-ended.ts';
import { describeTestApp } from './test-app.ts';

/*
 * Ways in which a user could lose text while writing, as far as testing them needs a browser. The tests of which draft wins
 * are in admin/src/screens/editor/drafts/draft-store.test.ts.
 */

describeTestApp('the admin app: drafts', {
  'a draft that could not be saved before its tab was closed is restored and saved': restoreAfterClosedTab,
  'a local text is offered if another device has saved a draft since, and can be discarded or used': offerLocalText,
  'a tab whose text cannot be stored anywhere warns, and asks before it is closed': warnOfFullStorage,
  'a draft saved on another device is offered, not overwritten': editOnTwoDevices,
  'two tabs with the same page know of each other, and each shows what the other saves and publishes': editInTwoTabs,
  'the page tree shows at once which pages have a draft, and “Undo” restores a discarded draft': showDraftsInTree,
  'unsaved input of a form is restored, for the same person only': restoreUnsavedForms,
  'an app whose session ends is covered until the same person signs in again': coverEndedSession,
});
