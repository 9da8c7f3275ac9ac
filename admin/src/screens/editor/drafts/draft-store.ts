import { api, isOutdated, isPassing } from '../../../api.ts';
import type { DraftJson, PageChangeJson, PageFieldsJson, PageJson, UndoneJson } from '../../../contract.ts';
import { changesOf, isEmpty } from '../../../data/changes.ts';
import { type LocalCopies, type StoredCopy, sortOut } from '../../../data/local-copy.ts';
import { markDraft, refreshPages } from '../../../data/tree-data.ts';
import { createStore, type Store } from '../../../store.ts';
import { type DraftEvent, transition } from './draft-events.ts';
import { type DraftState, isHeld, isLong, isShort, isWaiting, localCopyOf, openedState } from './draft-state.ts';
import { TypedText } from './typed-text.ts';

/**
 * Holds what somebody writes on one page. Every change is in this browser at once, one to a long text in the next pause, and
 * with the service, as a draft, a second later. Nothing is written unless a field differs from the published one, nor over what
 * another device or tab has saved: that is offered, and until somebody has chosen, what is written here is in this browser
 * alone.
 *
 * draft-events.ts says what follows from each event; this class talks to the service and to the browser.
 */
export class DraftStore {
  readonly #store: Store<DraftState>;
  #copies: LocalCopies;
  readonly #typed = new TypedText((body) => this.change({ body }));
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Requests run one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** The state that is being published. */
  #publishing: DraftState | undefined;
  /** Counts how often the page has been opened. A request from before tells nothing of the state by now. */
  #opening = 0;

  constructor(page: PageJson, copies: LocalCopies, mayEdit: boolean) {
    this.#copies = copies;
    this.#store = createStore(this.#openedState(page, mayEdit));
  }

  /** Goes on from what the service tells of the page now, and from what is in the browser. */
  open(page: PageJson, copies: LocalCopies, mayEdit: boolean): void {
    this.#typed.take();
    clearTimeout(this.#timer);
    this.#opening += 1;
    this.#copies = copies;
    this.#store.replace(this.#openedState(page, mayEdit));
  }

  #openedState(page: PageJson, mayEdit: boolean): DraftState {
    const found = sortOut(page, this.#copies);
    const state = openedState(page, found, mayEdit);
    if (!found.rescued) return state;
    // In a place of its own: a tab that is still open may go on in that one.
    this.#copies.discard(found.rescued);
    return { ...state, isKept: this.#copies.write(localCopyOf(state)) };
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** Returns the state that is shown: what is typed into a long text comes into it in the next pause. */
  readonly state = (): DraftState => this.#store.get();

  /** Returns the state with all that has been typed. */
  now(): DraftState {
    this.#typed.take();
    return this.#store.get();
  }

  #apply(event: DraftEvent): void {
    const { state, effects } = transition(this.now(), event);
    let next = state;
    for (const effect of effects) {
      if (effect === 'store') next = { ...next, isKept: this.#copies.write(localCopyOf(next)) };
      else if (effect === 'remove') this.#copies.remove();
      else this.#saveIn(effect.saveInMs);
    }
    if (effects.length > 0) markDraft(next.published, !isEmpty(next.changed));
    this.#store.set(next);
  }

  change(change: Partial<PageFieldsJson>): void {
    this.#apply({ type: 'changed', change });
  }

  /** Takes in what is typed into the body. The first change is shown at once, so that the status is never wrong. */
  typeBody(read: () => string): void {
    const { status, fields } = this.state();
    this.#typed.note(read);
    if (!isLong(fields.body) || status === 'clean' || status === 'saved') this.#typed.take();
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
    this.#apply({ type: 'accepted', copy });
    return () => {
      if (before) return void this.acceptOffered(before);
      this.#leave();
      this.#apply({ type: 'continued', changed: {}, basedOn });
    };
  }

  /** Stays with what is there; what was offered stays in this browser. Returns a function that undoes it. */
  setAsideOffered(copy: StoredCopy): () => void {
    this.#apply({ type: 'dismissed', copy });
    const kept = this.#copies.setAside(copy);
    this.#apply({ type: 'offered', copy: kept });
    return () => void this.acceptOffered(kept);
  }

  /** Throws away what was offered. Returns a function that offers it again. */
  dismissOffered(copy: StoredCopy): () => void {
    this.#copies.discard(copy);
    this.#apply({ type: 'dismissed', copy });
    return () => this.#apply({ type: 'offered', copy: this.#copies.setAside(copy) });
  }

  /** Offers what is there, before something else takes its place. */
  #leave(): StoredCopy | undefined {
    const state = this.now();
    if (isEmpty(state.changed)) return undefined;
    const copy = this.#copies.leave(localCopyOf(state));
    this.#apply({ type: 'offered', copy });
    return copy;
  }

  /**
   * Shows what another tab has saved or published. If something is written here, it stays, and the other is offered. The page is
   * loaded when it is its turn: one from before would put back what was there before the latest save.
   */
  catchUp(load: () => Promise<PageJson>): Promise<PageJson> {
    return this.#inTurn(async () => {
      const page = await load();
      const { status, offered, published } = this.now();
      if (status === 'clean' || status === 'saved') {
        this.#store.set(openedState(page, { rescued: undefined, offered }, false));
      } else if (page.version === published.version) this.#hear(page.draft);
      return page;
    });
  }

  /** Sends what is not with the service yet; resolves when that is done or has failed. */
  async save(): Promise<void> {
    this.#typed.take();
    clearTimeout(this.#timer);
    await this.#inTurn(async () => {
      if (isWaiting(this.now())) await this.#send();
    });
  }

  /** Sends a short draft while the page is being closed: the browser finishes that. */
  saveOnLeave(): void {
    const state = this.now();
    const { changed, basedOn, published, draftAt } = state;
    clearTimeout(this.#timer);
    if (!isWaiting(state) || isEmpty(changed)) return;
    // It would be a draft of what is published by then.
    if (this.#publishing?.fields === state.fields) return;
    if (!isShort(changed)) return;
    this.#store.replace({ ...state, sent: state.sent ?? changed });
    api.saveDraft(published.id, { fields: changed, basedOn, draftAt }, true).catch(() => {});
  }

  /**
   * Makes the changes what visitors see, as they are now: what is written from now on is another draft. Throws ApiError 412
   * if somebody else was faster; the draft is kept then.
   */
  async publish(basedOn = this.now().basedOn): Promise<PageChangeJson> {
    const asked = this.now();
    clearTimeout(this.#timer);
    this.#publishing = asked;
    return this.#inTurn(async () => {
      try {
        return await this.#publish(asked, basedOn);
      } catch (error) {
        // Nobody may know whether the service has published it, and has no draft any more.
        if (this.now().fields !== asked.fields) this.change({});
        this.#saveIn(0);
        throw error;
      } finally {
        this.#publishing = undefined;
      }
    });
  }

  async #publish({ published, changed, fields }: DraftState, basedOn: number): Promise<PageChangeJson> {
    // The draft is to be gone then: it has to be known which one that is.
    if (this.now().sent) await this.#send();
    const { draftAt } = this.now();
    const answer = await api.publish(published.id, { fields: changed, draftAt }, basedOn).catch((error: unknown) => {
      // By the time that somebody has chosen, what is written here may have become a draft again.
      if (isOutdated(error)) this.#hear(error.answer.current.draft);
      throw error;
    });
    const writtenSince = changesOf(this.now().fields, fields);
    this.#apply({ type: 'started', page: answer.page });
    this.#hear(answer.page.draft);
    if (!isEmpty(writtenSince)) this.change(writtenSince);
    return answer;
  }

  /** Shows the page as published, or as not published. Nothing of its text changes. */
  setPublished(isPublished: boolean): void {
    const { published, changed, basedOn } = this.now();
    this.#apply({ type: 'continued', changed, basedOn, page: { ...published, isPublished } });
  }

  /** Goes back at once to what is published, or to `current`. Resolves when the service has no draft; if that fails, restores it. */
  async discard(current?: PageJson): Promise<void> {
    const before = this.now();
    clearTimeout(this.#timer);
    const opening = this.#opening;
    this.#apply({ type: 'started', page: current ?? before.published });
    return this.#inTurn(async () => {
      try {
        await this.#discard(before.published.id);
      } catch (error) {
        // A page that was opened anew came with the draft.
        if (opening === this.#opening) {
          const { changed: writtenSince, offered, draftAt, sent } = this.now();
          this.#store.replace({ ...before, offered, draftAt, sent });
          this.change(writtenSince);
        }
        throw error;
      }
    });
  }

  async #discard(id: number): Promise<void> {
    const opening = this.#opening;
    if (this.now().draftAt !== null || this.now().sent) {
      await this.#onDraft((draftAt) => api.discardDraft(id, draftAt));
      markDraft(this.now().published, !isEmpty(this.now().changed));
      // What the tree is being told may be from before.
      void refreshPages();
    }
    if (opening === this.#opening) this.#apply({ type: 'answered', draftAt: null });
  }

  /** Goes on with the own changes, on top of what somebody else has published. */
  rebase(page: PageJson): void {
    this.#apply({ type: 'continued', changed: this.now().changed, basedOn: page.version, page });
  }

  /**
   * Takes back what was published: these fields are at once what they were before, and what is written over them stays.
   * Resolves when visitors see that; if it fails, what was published is there again.
   */
  async undoPublish(before: Partial<PageFieldsJson>, send: () => Promise<UndoneJson>): Promise<PageJson> {
    const asked = this.now();
    clearTimeout(this.#timer);
    const opening = this.#opening;
    const goOn = (page: PageJson, changed: Partial<PageFieldsJson>, basedOn = page.version) =>
      this.#apply({ type: 'continued', changed, basedOn, page });
    goOn({ ...asked.published, ...before }, asked.changed);
    const shown = this.now().fields;
    return this.#inTurn(async () => {
      try {
        const { page } = await send();
        goOn(page, this.now().changed);
        this.#hear(page.draft);
        return page;
      } catch (error) {
        // A page that was opened anew came as the service has it.
        if (opening === this.#opening) {
          goOn(asked.published, { ...asked.changed, ...changesOf(this.now().fields, shown) }, asked.basedOn);
        }
        throw error;
      }
    });
  }

  async #send(): Promise<void> {
    const { changed, basedOn, published, fields, sent: unanswered } = this.now();
    const opening = this.#opening;
    // What was sent and never answered goes first: the service may have it.
    const sent = isEmpty(changed) ? unanswered : (unanswered ?? changed);
    this.#apply({ type: 'sending', sent });
    try {
      if (isEmpty(changed)) await this.#discard(published.id);
      else {
        const saved = await this.#onDraft((draftAt) => {
          this.#store.replace({ ...this.now(), sent });
          return api.saveDraft(published.id, { fields: sent!, basedOn, draftAt });
        });
        if (this.now().draftAt === null) void refreshPages();
        if (opening !== this.#opening) return;
        this.#apply({ type: 'answered', draftAt: saved.updatedAt });
        if (sent !== changed) return await this.#send();
      }
      // Something may have been written in the meantime: then it is this browser that has the latest.
      if (opening === this.#opening && this.now().fields === fields) this.#apply({ type: 'saved', at: Date.now() });
    } catch (error) {
      if (opening === this.#opening) this.#apply({ type: 'failed', fields, error, isForGood: !isPassing(error) });
    }
  }

  /** Sends what goes on from the service's draft; once more if that turns out to have been ours. */
  async #onDraft<T>(send: (draftAt: number | null) => Promise<T>): Promise<T> {
    const opening = this.#opening;
    try {
      return await send(this.now().draftAt);
    } catch (error) {
      if (!isOutdated(error) || opening !== this.#opening) throw error;
      this.#hear(error.answer.current.draft);
      if (isHeld(this.now())) throw error;
    }
    return send(this.now().draftAt);
  }

  #hear(draft: DraftJson | null): void {
    this.#apply({ type: 'told', draft, copy: draft ? this.#copies.ofService(draft) : undefined });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #saveIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }
}
