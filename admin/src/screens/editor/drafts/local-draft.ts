import type { DraftJson, PageFieldsJson, PageJson } from '../../../contract.ts';
import { changesOf, isEmpty } from '../../../data/changes.ts';
import { type LocalCopies, type StoredCopy, sortOut } from '../../../data/local-copy.ts';
import { markDraft } from '../../../data/tree-data.ts';
import { createStore, type Store } from '../../../store.ts';
import { type DraftEvent, transition } from './draft-events.ts';
import { type DraftState, isLong, localCopyOf, openedState } from './draft-state.ts';
import { TypedText } from './typed-text.ts';

/**
 * Holds what somebody writes on one page. Every change is in this browser at once, one to a long text in the next pause.
 * Nothing is written unless a field differs from the published one, nor over what another device or tab has saved: that is
 * offered, and until somebody has chosen, what is written here is in this browser alone.
 *
 * draft-events.ts says what follows from each event; draft-store.ts sends it to the service.
 */
export abstract class LocalDraft {
  protected readonly store: Store<DraftState>;
  protected readonly typed = new TypedText((body) => this.change({ body }));
  #copies: LocalCopies;

  constructor(page: PageJson, copies: LocalCopies, mayEdit: boolean) {
    this.#copies = copies;
    this.store = createStore(this.#openedState(page, mayEdit));
  }

  /** Saves the draft with the service after a while. */
  protected abstract saveIn(milliseconds: number): void;

  open(page: PageJson, copies: LocalCopies, mayEdit: boolean): void {
    this.typed.take();
    this.#copies = copies;
    this.store.replace(this.#openedState(page, mayEdit));
  }

  #openedState(page: PageJson, mayEdit: boolean): DraftState {
    const found = sortOut(page, this.#copies);
    const state = openedState(page, found, mayEdit);
    if (!found.rescued) return state;
    // In a place of its own: a tab that is still open may go on in that one.
    this.#copies.discard(found.rescued);
    return { ...state, isKept: this.#copies.write(localCopyOf(state)) };
  }

  readonly subscribe = (listener: () => void): (() => void) => this.store.subscribe(listener);

  /** Returns the state that is shown: what is typed into a long text comes into it in the next pause. */
  readonly state = (): DraftState => this.store.get();

  /** Returns the state with all that has been typed. */
  now(): DraftState {
    this.typed.take();
    return this.store.get();
  }

  protected apply(event: DraftEvent): void {
    const { state, effects } = transition(this.now(), event);
    let next = state;
    for (const effect of effects) {
      if (effect === 'store') next = { ...next, isKept: this.#copies.write(localCopyOf(next)) };
      else if (effect === 'remove') this.#copies.remove();
      else this.saveIn(effect.saveInMs);
    }
    if (effects.length > 0) markDraft(next.published, !isEmpty(next.changed));
    this.store.set(next);
  }

  change(change: Partial<PageFieldsJson>): void {
    this.apply({ type: 'changed', change });
  }

  /** Takes in what is typed into the body. The first change is shown at once, so that the status is never wrong. */
  typeBody(read: () => string): void {
    const { status, fields } = this.state();
    this.typed.note(read);
    if (!isLong(fields.body) || status === 'clean' || status === 'saved') this.typed.take();
  }

  /** Puts back what was there before a change. If something has been written over `after` since, that is offered. */
  revert(before: Partial<PageFieldsJson>, after: PageFieldsJson): void {
    const since = changesOf(this.now().fields, after);
    if (Object.keys(before).some((name) => name in since)) this.#leave();
    this.change(before);
  }

  /** Puts what was offered in place of what is there, which is offered then. Returns a function that undoes it. */
  acceptOffered(copy: StoredCopy): () => void {
    const { basedOn } = this.now();
    const before = this.#leave();
    this.#copies.discard(copy);
    this.apply({ type: 'accepted', copy });
    return () => {
      if (before) return void this.acceptOffered(before);
      this.#leave();
      this.apply({ type: 'continued', changed: {}, basedOn });
    };
  }

  /** Stays with what is there; what was offered stays in this browser. Returns a function that undoes it. */
  setAsideOffered(copy: StoredCopy): () => void {
    this.apply({ type: 'dismissed', copy });
    const kept = this.#copies.setAside(copy);
    this.apply({ type: 'offered', copy: kept });
    return () => void this.acceptOffered(kept);
  }

  /** Throws away what was offered. Returns a function that offers it again. */
  dismissOffered(copy: StoredCopy): () => void {
    this.#copies.discard(copy);
    this.apply({ type: 'dismissed', copy });
    return () => this.apply({ type: 'offered', copy: this.#copies.setAside(copy) });
  }

  /** Offers what is there, before something else takes its place. */
  #leave(): StoredCopy | undefined {
    const state = this.now();
    if (isEmpty(state.changed)) return undefined;
    const copy = this.#copies.leave(localCopyOf(state));
    this.apply({ type: 'offered', copy });
    return copy;
  }

  /** Shows the page as published, or as not published. Nothing of its text changes. */
  setPublished(isPublished: boolean): void {
    const { published, changed, basedOn } = this.now();
    this.apply({ type: 'continued', changed, basedOn, page: { ...published, isPublished } });
  }

  /** Goes on with the own changes, on top of what somebody else has published. */
  rebase(page: PageJson): void {
    this.apply({ type: 'continued', changed: this.now().changed, basedOn: page.version, page });
  }

  protected hear(draft: DraftJson | null): void {
    this.apply({ type: 'told', draft, copy: draft ? this.#copies.ofService(draft) : undefined });
  }
}
