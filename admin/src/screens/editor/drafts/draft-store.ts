import { ApiError, api } from '../../../api.ts';
import type {
  DraftJson,
  OutdatedPageJson,
  PageChangeJson,
  PageFieldsJson,
  PageJson,
  UndoneJson,
} from '../../../contract.ts';
import { changesOf, fieldsOf, isEmpty, isSameChange, withChanges } from '../../../data/changes.ts';
import { type LocalCopies, type LocalCopy, type StoredCopy, sortOut } from '../../../data/local-copy.ts';
import { noteDraft, refreshPages } from '../../../data/tree-data.ts';
import { type DraftState, isHeld, isWaiting, openedState } from './draft-state.ts';

/** In milliseconds: after the last key, and after a failure. */
const SAVE_AFTER = 900;
const RETRY_AFTER = 5000;

/** One for each page that has been opened, by its id: it goes on saving when its editor is gone. */
const stores = new Map<number, DraftStore>();

/** Returns the store of the page, which goes on from this state of the page and from what is in the browser. */
export function openDraftStore(page: PageJson, copies: LocalCopies, mayEdit: boolean): DraftStore {
  const known = stores.get(page.id);
  if (known) known.open(page, copies, mayEdit);
  const store = known ?? new DraftStore(page, copies, mayEdit);
  stores.set(page.id, store);
  return store;
}

/** To be waited for before the page is asked for: what the service tells of it then has what was written here. */
export async function saveWritten(pageId: number): Promise<void> {
  await stores.get(pageId)?.save();
}

/**
 * Holds what somebody writes on one page. Every change is in this browser at once and with the service, as a draft, a
 * second later. Nothing is written unless a field differs from the published one, nor over what another device or tab has
 * saved: that is offered, and until somebody has chosen, what is written here is in this browser alone.
 */
export class DraftStore {
  #state: DraftState;
  #copies: LocalCopies;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What is done with the service goes one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** What is being published. */
  #publishing: DraftState | undefined;
  /** The service's draft that this goes on from: its `updatedAt`; null for none. */
  #draftAt: number | null;
  /** What was sent and never answered: the service may have it. It goes first, until that is known. */
  #sent: Partial<PageFieldsJson> | undefined;
  /** How often the page has been opened anew: what was asked for before that tells nothing of its state by now. */
  #opening = 0;

  constructor(page: PageJson, copies: LocalCopies, mayEdit: boolean) {
    const found = sortOut(page, copies);
    this.#copies = copies;
    this.#draftAt = page.draft?.updatedAt ?? null;
    this.#sent = found.rescued?.sent;
    this.#state = openedState(page, found, mayEdit);
    this.#storeRescued(found.rescued);
  }

  /** Goes on from what the service tells of the page now, and from what is in the browser. Tells nobody: an editor asks. */
  open(page: PageJson, copies: LocalCopies, mayEdit: boolean): void {
    clearTimeout(this.#timer);
    const found = sortOut(page, copies);
    this.#opening += 1;
    this.#copies = copies;
    this.#draftAt = page.draft?.updatedAt ?? null;
    this.#sent = found.rescued?.sent;
    this.#state = openedState(page, found, mayEdit);
    this.#storeRescued(found.rescued);
  }

  #storeRescued(rescued: StoredCopy | undefined): void {
    if (!rescued) return;
    // In a place of its own: a tab that is open still may go on in that one.
    this.#copies.discard(rescued);
    this.#state = { ...this.#state, isKept: this.#copies.write(this.#copy()) };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): DraftState => this.#state;

  change(change: Partial<PageFieldsJson>): void {
    const { published, basedOn, fields, changed } = this.#state;
    this.#write({ ...fields, ...change }, isEmpty(changed) ? published.version : basedOn);
    this.#saveIn(SAVE_AFTER);
  }

  /** Puts back what was there before a change. Where something has been written over `after` since, that is offered. */
  revert(before: Partial<PageFieldsJson>, after: PageFieldsJson): void {
    const since = changesOf(this.#state.fields, after);
    if (Object.keys(before).some((name) => name in since)) this.#leave();
    this.change(before);
  }

  /** Puts what was offered in place of what is there. What this returns takes it back, and offers it again. */
  acceptOffered(copy: StoredCopy): () => void {
    const { published, changed, basedOn } = this.#state;
    this.#settle(copy);
    this.#write(withChanges(published, copy.fields), copy.basedOn);
    this.#saveIn(0);
    return () => this.#goBack(changed, basedOn);
  }

  #goBack(changed: Partial<PageFieldsJson>, basedOn: number): void {
    this.#leave();
    this.#write(withChanges(this.#state.published, changed), basedOn);
    this.#saveIn(0);
  }

  /** Throws what was offered away. What this returns offers it again. */
  dismissOffered(copy: StoredCopy): () => void {
    this.#settle(copy);
    const back = { ...copy, isElsewhere: false };
    return () => {
      this.#copies.putBack(back);
      this.#offer(back);
    };
  }

  #settle(copy: StoredCopy): void {
    this.#copies.discard(copy);
    this.#set({ offered: this.#state.offered.filter((other) => other !== copy) });
    if (!copy.isElsewhere) return;
    this.#draftAt = copy.at;
    this.#write(this.#state.fields, this.#state.basedOn);
    this.#saveIn(0);
  }

  /** Sends what is not with the service yet; resolves when that is done or has failed. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#inTurn(async () => {
      if (isWaiting(this.#state)) await this.#send();
    });
  }

  /** The last chance, while the page is being closed: the browser sends small ones to the end. */
  saveOnLeave(): void {
    const { changed, basedOn, published } = this.#state;
    clearTimeout(this.#timer);
    if (!isWaiting(this.#state) || isEmpty(changed)) return;
    // It would be a draft of what is published by then.
    if (this.#publishing?.fields === this.#state.fields) return;
    if (JSON.stringify(changed).length > 50_000) return;
    this.#sent ??= changed;
    api.saveDraft(published.id, { fields: changed, basedOn, draftAt: this.#draftAt }, true).catch(() => {});
  }

  /**
   * Makes the changes what visitors see, as they are now: what is written from now on is another draft. Throws ApiError 412
   * where somebody else was faster; the draft is kept then.
   */
  async publish(basedOn = this.#state.basedOn): Promise<PageChangeJson> {
    clearTimeout(this.#timer);
    const asked = this.#state;
    this.#publishing = asked;
    return this.#inTurn(async () => {
      try {
        return await this.#publish(asked, basedOn);
      } catch (error) {
        // Nobody may know whether the service has published it, and has no draft any more.
        if (this.#state.fields !== asked.fields) this.change({});
        this.#saveIn(0);
        throw error;
      } finally {
        this.#publishing = undefined;
      }
    });
  }

  /**
   * Goes back at once to what is published, or to another page's state; resolves when the service has no draft any more.
   * Where that fails, what was written is there again.
   */
  async discard(current?: PageJson): Promise<void> {
    clearTimeout(this.#timer);
    const before = this.#state;
    const opening = this.#opening;
    this.#startFrom(current ?? before.published);
    return this.#inTurn(async () => {
      try {
        await this.#discard(before.published.id);
      } catch (error) {
        // Where the page was opened anew, it came with the draft.
        if (opening === this.#opening) {
          const { changed: writtenSince, offered } = this.#state;
          this.#state = { ...before, offered };
          this.change(writtenSince);
        }
        throw error;
      }
    });
  }

  async #discard(id: number): Promise<void> {
    const opening = this.#opening;
    if (this.#draftAt !== null || this.#sent) {
      await this.#onDraft((draftAt) => api.discardDraft(id, draftAt));
      noteDraft(this.#state.published, !isEmpty(this.#state.changed));
      // What the tree is being told may be from before.
      void refreshPages();
    }
    if (opening !== this.#opening) return;
    this.#draftAt = null;
    this.#sent = undefined;
  }

  /** Goes on with the own changes, on top of what somebody else has published. */
  rebase(current: PageJson): void {
    this.#write(withChanges(current, this.#state.changed), current.version, current);
    this.#saveIn(0);
  }

  /**
   * Takes back what was published: these fields are at once what they were before, and what is written over them stays.
   * Resolves when visitors see that; where it fails, what was published is there again.
   */
  async undoPublish(before: Partial<PageFieldsJson>, send: () => Promise<UndoneJson>): Promise<PageJson> {
    clearTimeout(this.#timer);
    const asked = this.#state;
    const opening = this.#opening;
    this.#goOnFrom({ ...asked.published, ...before }, asked.changed);
    const shown = this.#state.fields;
    return this.#inTurn(async () => {
      try {
        const { page } = await send();
        this.#goOnFrom(page, this.#state.changed);
        this.#adoptServerDraft(page.draft);
        return page;
      } catch (error) {
        // Where the page was opened anew, it came as the service has it.
        if (opening === this.#opening) {
          this.#goOnFrom(asked.published, { ...asked.changed, ...changesOf(this.#state.fields, shown) }, asked.basedOn);
        }
        throw error;
      }
    });
  }

  /** Goes on with these changes, on top of another state of the page. */
  #goOnFrom(page: PageJson, changed: Partial<PageFieldsJson>, basedOn = page.version): void {
    if (isEmpty(changed) && this.#draftAt === null && !this.#sent) {
      // There is nothing to send, nor a draft to be rid of.
      this.#startFrom(page);
      return;
    }
    this.#write(withChanges(page, changed), basedOn, page);
    this.#saveIn(0);
  }

  async #publish({ published, changed, fields: sent }: DraftState, basedOn: number): Promise<PageChangeJson> {
    // The draft is to be gone then: it has to be known which one that is.
    if (this.#sent) await this.#send();
    const answer = await api
      .publish(published.id, { fields: changed, draftAt: this.#draftAt }, basedOn)
      .catch((error: unknown) => {
        // By the time that somebody has chosen, what is written here may have become a draft again.
        if (error instanceof ApiError && error.status === 412) {
          this.#adoptServerDraft((error.answer as OutdatedPageJson).current.draft);
        }
        throw error;
      });
    const writtenSince = changesOf(this.#state.fields, sent);
    this.#startFrom(answer.page);
    this.#adoptServerDraft(answer.page.draft);
    if (!isEmpty(writtenSince)) this.change(writtenSince);
    return answer;
  }

  #startFrom(page: PageJson): void {
    this.#copies.remove();
    noteDraft(page, false);
    this.#set({
      published: page,
      fields: fieldsOf(page),
      changed: {},
      basedOn: page.version,
      status: 'clean',
      savedAt: undefined,
      error: undefined,
      isRescued: false,
    });
  }

  async #send(): Promise<void> {
    const { changed, basedOn, published, fields } = this.#state;
    const opening = this.#opening;
    this.#set({ status: 'saving' });
    try {
      if (!isEmpty(changed)) {
        this.#sent ??= changed;
        const sent = this.#sent;
        const saved = await this.#onDraft((draftAt) => {
          this.#sent = sent;
          return api.saveDraft(published.id, { fields: sent, basedOn, draftAt });
        });
        if (this.#draftAt === null) void refreshPages();
        if (opening !== this.#opening) return;
        this.#draftAt = saved.updatedAt;
        this.#sent = undefined;
        if (sent !== changed) return await this.#send();
      } else {
        await this.#discard(published.id);
      }
      // Something may have been written in the meantime: then it is this browser that has the latest.
      if (opening !== this.#opening || this.#state.fields !== fields) return;
      this.#copies.remove();
      this.#set({ status: isEmpty(changed) ? 'clean' : 'saved', savedAt: Date.now(), error: undefined });
    } catch (error) {
      const isForGood = error instanceof ApiError && !isPassing(error.status);
      if (opening !== this.#opening) return;
      if (isForGood) this.#sent = undefined;
      if (this.#state.fields !== fields) return;
      this.#set({ status: 'failed', error });
      if (!isForGood) this.#saveIn(RETRY_AFTER);
    }
  }

  /** Sends what goes on from the service's draft; once more where that turns out to have been ours. */
  async #onDraft<T>(send: (draftAt: number | null) => Promise<T>): Promise<T> {
    const opening = this.#opening;
    try {
      return await send(this.#draftAt);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || opening !== this.#opening) throw error;
      this.#adoptServerDraft((error.answer as OutdatedPageJson).current.draft);
      if (isHeld(this.#state)) throw error;
    }
    return send(this.#draftAt);
  }

  /** What the service has as the draft: goes on from it where that is what was written here, and otherwise offers it. */
  #adoptServerDraft(draft: DraftJson | null): void {
    const { changed, published, offered } = this.#state;
    const here = offered.filter(({ isElsewhere }) => !isElsewhere);
    const ours = [changed, ...(this.#sent ? [this.#sent] : [])];
    const isOurs =
      draft === null ||
      draft.updatedAt === this.#draftAt ||
      ours.some((fields) => isSameChange(draft.fields, fields, published));
    this.#sent = undefined;
    this.#draftAt = isOurs ? (draft?.updatedAt ?? null) : null;
    this.#set({ offered: isOurs ? here : [...here, this.#copies.ofService(draft)] });
    if (!isOurs && !isEmpty(changed)) this.#set({ isKept: this.#copies.write(this.#copy()) });
  }

  #write(fields: PageFieldsJson, basedOn: number, published = this.#state.published): void {
    const changed = changesOf(fields, published);
    noteDraft(published, !isEmpty(changed));
    this.#set({ published, fields, changed, basedOn, status: 'unsaved', isRescued: false });
    this.#set({ isKept: this.#copies.write(this.#copy()) });
  }

  #copy(): LocalCopy {
    const { changed: fields, basedOn } = this.#state;
    return { fields, basedOn, at: Date.now(), draftAt: this.#draftAt, sent: this.#sent };
  }

  /** Offers what is there, before something else takes its place. */
  #leave(): void {
    if (!isEmpty(this.#state.changed)) this.#offer(this.#copies.leave(this.#copy()));
  }

  #offer(copy: StoredCopy): void {
    this.#set({ offered: [...this.#state.offered, copy] });
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

  #set(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** What goes away by itself: no connection, too many requests, something on the other side. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
