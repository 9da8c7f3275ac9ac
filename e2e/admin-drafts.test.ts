import { closedTab, draftsInTree, noRoom, offeredCopy, twoDevices, twoTabs, unsavedForms } from './admin-drafts.ts';
import { endedSession } from './admin-ended.ts';
import { describeTestApp } from './test-app.ts';

/*
 * Ways to lose a text while one writes it in the admin app, as far as they need a browser. The tests of which draft wins are
 * in admin/src/screens/editor/drafts/draft-store.test.ts.
 */

describeTestApp('in the admin app', {
  'what could not be saved before its tab was closed is there again, and saved': closedTab,
  'a text that another device has overtaken is offered, and can be discarded and used': offeredCopy,
  'a tab whose text is kept nowhere says so, and asks before it is closed': noRoom,
  'a draft of another device is not written over, but offered': twoDevices,
  'two tabs with one page know of each other, and show what the other has saved and published': twoTabs,
  'the tree shows at once which pages have a draft, and a discarded draft comes back with “Undo”': draftsInTree,
  'what was typed into a form and not saved is there again, for the same person alone': unsavedForms,
  'a session that ends while somebody writes covers the app until the same person signs in again': endedSession,
});
