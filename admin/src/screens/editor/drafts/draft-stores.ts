import type { PageJson } from '../../../contract.ts';
import type { LocalCopies } from '../../../data/local-copy.ts';
import { isAtRisk } from './draft-state.ts';
import { DraftStore } from './draft-store.ts';

/** The store of each page that has been opened, by page id. Stores go on saving after their editors are closed. */
const stores = new Map<number, DraftStore>();

/** Returns the page's store, restarted from this state of the page and from the copies in the browser. */
export function openDraftStore(page: PageJson, copies: LocalCopies, mayEdit: boolean): DraftStore {
  const known = stores.get(page.id);
  if (known) known.open(page, copies, mayEdit);
  const store = known ?? new DraftStore(page, copies, mayEdit);
  stores.set(page.id, store);
  return store;
}

/** Saves pending changes to the page. Await this before loading the page, so that the answer includes them. */
export async function savePendingDraft(pageId: number): Promise<void> {
  await stores.get(pageId)?.save();
}

/** True if closing the tab would lose changes to any page. */
export function isAnyDraftAtRisk(): boolean {
  return [...stores.values()].some((store) => isAtRisk(store.now()));
}
