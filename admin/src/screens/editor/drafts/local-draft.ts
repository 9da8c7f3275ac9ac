import type { DraftJson, PageFieldsJson, PageJson } from '../../../contract.ts';
import { changesOf, isEmpty } from '../../../data/changes.ts';
import { type LocalCopies, type StoredCopy, sortCopies } from '../../../data/local-copy.ts';
import { markDraft } from '../../../data/tree-data.ts';
import { createStore, type Store } from '../../../store.ts';
import { type DraftEvent, transition } from './draft-events.ts';
import { type DraftState, isLong, localCopyOf, openedState } from './draft-state.ts';
import { TypedText } from './typed-text.ts';

/**
 * Holds the draft of one page. Every change is stored in this browser at once; changes to a long text, in the next pause. A
 * draft from another device or tab is never overwritten. It is offered, and until the user has chosen, the local changes are
 * stored only in this browser.
 *
 * draft-events.ts defines the effects of each event. draft-store.ts sends the draft to the service.
 */
export abstract class LocalDraft {
  protected readonly store: Store<DraftState>;
  protected readonly typed = new TypedText((body) => this.change({ body }));
  #copies: LocalCopies;

  constructor(page: PageJson, copies: LocalCopies, mayEdit: boolean) {
    this.#copies = copies;
    this.store = createStore(this.#openedState(page, mayEdit));
  }

  /** Schedules saving the draft to the service. */
  protected abstract saveIn(milliseconds: number): void;

  open(page: PageJson, copies: LocalCopies, mayEdit: boolean): void {
    this.typed.flush();
    this.#copies = copies;
    this.store.replace(this.#openedState(page, mayEdit));
  }

  #openedState(page: PageJson, mayEdit: boolean): DraftState {
    const found = sortCopies(page, this.#copies);
    const state = openedState(page, found, mayEdit);
    if (!found.rescued) return state;
    // The rescued copy moves to this tab's own key: another open tab may still write to the old one.
    this.#copies.discard(found.rescued);
    return { ...state, isStored: this.#copies.write(localCopyOf(state)) };
  }

  readonly subscribe = (listener: () => void): (() => void) => this.store.subscribe(listener);

  /** Returns the state to show. It lacks text typed into a long body since the last pause. */
  readonly state = (): DraftState => this.store.get();

  /** Returns the state with everything that has been typed. */
  now(): DraftState {
    this.typed.flush();
    return this.store.get();
  }

  protected apply(event: DraftEvent): void {
    const { state, effects } = transition(this.now(), event);
    let next = state;
    for (const effect of effects) {
      if (effect === 'store') next = { ...next, isStored: this.#copies.write(localCopyOf(next)) };
      else if (effect === 'remove') this.#copies.remove();
      else this.saveIn(effect.saveInMs);
    }
    if (effects.length > 0) markDraft(next.published, !isEmpty(next.changed));
    this.store.set(next);
  }

  change(change: Partial<PageFieldsJson>): void {
    this.apply({ type: 'changed', change });
  }

  /** Records typing in the body. Reads a long body later, except for the first change, so that the status is never wrong. */
  typeBody(read: () => string): void {
    const { status, fields } = this.state();
    this.typed.record(read);
    if (!isLong(fields.body) || status === 'clean' || status === 'saved') this.typed.flush();
  }

  /** Restores the fields from before a change. If the user has changed them since `after`, offers the newer text. */
  revert(before: Partial<PageFieldsJson>, after: PageFieldsJson): void {
    const since = changesOf(this.now().fields, after);
    if (Object.keys(before).some((name) => name in since)) this.#offerCurrentText();
    this.change(before);
  }

  /** Replaces the text by an offered one, and offers the replaced text instead. Returns a function that undoes it. */
  acceptOffered(copy: StoredCopy): () => void {
    const { basedOn } = this.now();
    const before = this.#offerCurrentText();
    this.#copies.discard(copy);
    this.apply({ type: 'accepted', copy });
    return () => {
      if (before) return void this.acceptOffered(before);
      this.#offerCurrentText();
      this.apply({ type: 'continued', changed: {}, basedOn });
    };
  }

  /** Keeps the current text, and stores the offered one in this browser. Returns a function that accepts the stored one. */
  setAsideOffered(copy: StoredCopy): () => void {
    this.apply({ type: 'dismissed', copy });
    const kept = this.#copies.setAside(copy);
    this.apply({ type: 'offered', copy: kept });
    return () => void this.acceptOffered(kept);
  }

  /** Discards an offered text. Returns a function that offers it again. */
  dismissOffered(copy: StoredCopy): () => void {
    this.#copies.discard(copy);
    this.apply({ type: 'dismissed', copy });
    return () => this.apply({ type: 'offered', copy: this.#copies.setAside(copy) });
  }

  /** Offers the current text before another one replaces it. Returns its copy, or undefined if nothing is changed. */
  #offerCurrentText(): StoredCopy | undefined {
    const state = this.now();
    if (isEmpty(state.changed)) return undefined;
    const copy = this.#copies.setCurrentAside(localCopyOf(state));
    this.apply({ type: 'offered', copy });
    return copy;
  }

  /** Shows the page as published or as unpublished. Its text does not change. */
  setPublished(isPublished: boolean): void {
    const { published, changed, basedOn } = this.now();
    this.apply({ type: 'continued', changed, basedOn, page: { ...published, isPublished } });
  }

  /** Keeps the local changes and applies them to the version that another user has published. */
  rebase(page: PageJson): void {
    this.apply({ type: 'continued', changed: this.now().changed, basedOn: page.version, page });
  }

  protected reportServiceDraft(draft: DraftJson | null): void {
    this.apply({ type: 'reported', draft, copy: draft ? this.#copies.fromServiceDraft(draft) : undefined });
  }
}
