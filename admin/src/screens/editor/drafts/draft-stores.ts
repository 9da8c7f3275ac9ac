import type { PageJson } from '../../../contract.ts';
import type { LocalCopies } from '../../../data/local-copy.ts';
import { isAtRisk } from './draft-state.ts';
import { DraftStore } from './draft-store.ts';

/** A store for each page that has been opened, by its id: it goes on saving when its editor is gone. */
const stores = new Map<number, DraftStore>();

/** Returns the store of the page, which goes on from this state of the page and from what is in the browser. */
export function openDraftStore(page: PageJson, copies: LocalCopies, mayEdit: boolean): DraftStore {
  const known = stores.get(page.id);
  if (known) known.open(page, copies, mayEdit);
  const store = known ?? new DraftStore(page, copies, mayEdit);
  stores.set(page.id, store);
  return store;
}

/** Must be awaited before the page is loaded: what the service answers then has what was written here. */
export async function saveWritten(pageId: number): Promise<void> {
  await stores.get(pageId)?.save();
}

/** Tells whether closing the tab would lose what was written on any page. */
export function isAnyDraftAtRisk(): boolean {
  return [...stores.values()].some((store) => isAtRisk(store.now()));
}
