import { api } from '../../../api.ts';
import { isOutdated, isPassing } from '../../../api-error.ts';
import type { PageChangeJson, PageFieldsJson, PageJson, UndoneJson } from '../../../contract.ts';
import { changesOf, isEmpty } from '../../../data/changes.ts';
import type { LocalCopies } from '../../../data/local-copy.ts';
import { markDraft, refreshPages } from '../../../data/tree-data.ts';
import { type DraftState, isHeld, isShort, isWaiting, openedState } from './draft-state.ts';
import { LocalDraft } from './local-draft.ts';

/** Sends what is written on one page to the service as a draft, a second later, and publishes or discards it. */
export class DraftStore extends LocalDraft {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Requests run one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** The state that is being published. */
  #publishing: DraftState | undefined;
  /** Counts how often the page has been opened. A request from before tells nothing of the state by now. */
  #opening = 0;

  /** Goes on from what the service tells of the page now, and from what is in the browser. */
  override open(page: PageJson, copies: LocalCopies, mayEdit: boolean): void {
    super.open(page, copies, mayEdit);
    // Reading what was typed until now may have set it.
    clearTimeout(this.#timer);
    this.#opening += 1;
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
        this.store.set(openedState(page, { rescued: undefined, offered }, false));
      } else if (page.version === published.version) this.hear(page.draft);
      return page;
    });
  }

  /** Sends what is not with the service yet; resolves when that is done or has failed. */
  async save(): Promise<void> {
    this.typed.take();
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
    this.store.replace({ ...state, sent: state.sent ?? changed });
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
        // The service may have published it without our knowing, and may have no draft any more.
        if (this.now().fields !== asked.fields) this.change({});
        this.saveIn(0);
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
      if (isOutdated(error)) this.hear(error.answer.current.draft);
      throw error;
    });
    const writtenSince = changesOf(this.now().fields, fields);
    this.apply({ type: 'started', page: answer.page });
    this.hear(answer.page.draft);
    if (!isEmpty(writtenSince)) this.change(writtenSince);
    return answer;
  }

  /** Goes back at once to what is published, or to `current`. Resolves when the service has no draft; if that fails, restores it. */
  async discard(current?: PageJson): Promise<void> {
    const before = this.now();
    clearTimeout(this.#timer);
    const opening = this.#opening;
    this.apply({ type: 'started', page: current ?? before.published });
    return this.#inTurn(async () => {
      try {
        await this.#discard(before.published.id);
      } catch (error) {
        // A page that was opened anew came with the draft.
        if (opening === this.#opening) {
          const { changed: writtenSince, offered, draftAt, sent } = this.now();
          this.store.replace({ ...before, offered, draftAt, sent });
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
      // A list of pages that is on its way may be older than this.
      void refreshPages();
    }
    if (opening === this.#opening) this.apply({ type: 'answered', draftAt: null });
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
      this.apply({ type: 'continued', changed, basedOn, page });
    goOn({ ...asked.published, ...before }, asked.changed);
    const shown = this.now().fields;
    return this.#inTurn(async () => {
      try {
        const { page } = await send();
        goOn(page, this.now().changed);
        this.hear(page.draft);
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
    // Changes that were sent and never answered go first: the service may have them.
    const sent = isEmpty(changed) ? unanswered : (unanswered ?? changed);
    this.apply({ type: 'sending', sent });
    try {
      if (isEmpty(changed)) await this.#discard(published.id);
      else {
        const saved = await this.#onDraft((draftAt) => {
          this.store.replace({ ...this.now(), sent });
          return api.saveDraft(published.id, { fields: sent!, basedOn, draftAt });
        });
        if (this.now().draftAt === null) void refreshPages();
        if (opening !== this.#opening) return;
        this.apply({ type: 'answered', draftAt: saved.updatedAt });
        if (sent !== changed) return await this.#send();
      }
      // Something may have been written in the meantime: then it is this browser that has the latest.
      if (opening === this.#opening && this.now().fields === fields) this.apply({ type: 'saved', at: Date.now() });
    } catch (error) {
      if (opening === this.#opening) this.apply({ type: 'failed', fields, error, isForGood: !isPassing(error) });
    }
  }

  /** Sends what goes on from the service's draft; once more if that turns out to have been ours. */
  async #onDraft<T>(send: (draftAt: number | null) => Promise<T>): Promise<T> {
    const opening = this.#opening;
    try {
      return await send(this.now().draftAt);
    } catch (error) {
      if (!isOutdated(error) || opening !== this.#opening) throw error;
      this.hear(error.answer.current.draft);
      if (isHeld(this.now())) throw error;
    }
    return send(this.now().draftAt);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  protected override saveIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }
}
