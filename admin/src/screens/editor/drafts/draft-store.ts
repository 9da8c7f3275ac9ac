import { api } from '../../../api.ts';
import { isOutdated, isTemporary } from '../../../api-error.ts';
import type { PageChangeJson, PageFieldsJson, PageJson, UndoneJson } from '../../../contract.ts';
import { changesOf, isEmpty } from '../../../data/changes.ts';
import type { LocalCopies } from '../../../data/local-copy.ts';
import { markDraft, refreshPages } from '../../../data/tree-data.ts';
import { type DraftState, hasUnsentChanges, isShort, needsChoice, openedState } from './draft-state.ts';
import { LocalDraft } from './local-draft.ts';

/** Sends the changes of one page to the service as a draft about a second later, and publishes or discards them. */
export class DraftStore extends LocalDraft {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** The state that is being published, if any. */
  #publishing: DraftState | undefined;
  /**
   * Counts how often the page has been opened. The answer to a request from before the last opening must not change the
   * state.
   */
  #opening = 0;

  /** Restarts from the service's current state of the page and from the copies in the browser. */
  override open(page: PageJson, copies: LocalCopies, mayEdit: boolean): void {
    super.open(page, copies, mayEdit);
    // super.open() reads pending typed text, which may have started the timer.
    clearTimeout(this.#timer);
    this.#opening += 1;
  }

  /**
   * Shows what another tab has saved or published. If this tab has changes of its own, they stay and the other text is
   * offered. `load` runs in this store's queue: an earlier answer could undo the latest save.
   */
  catchUp(load: () => Promise<PageJson>): Promise<PageJson> {
    return this.#enqueue(async () => {
      const page = await load();
      const { status, offered, published } = this.now();
      if (status === 'clean' || status === 'saved') {
        this.store.set(openedState(page, { rescued: undefined, offered }, false));
      } else if (page.version === published.version) this.reportServiceDraft(page.draft);
      return page;
    });
  }

  /** Sends what the service does not have yet. Resolves when the request has succeeded or failed. */
  async save(): Promise<void> {
    this.typed.flush();
    clearTimeout(this.#timer);
    await this.#enqueue(async () => {
      if (hasUnsentChanges(this.now())) await this.#send();
    });
  }

  /** Sends a short draft with a keepalive request, which the browser completes after the page has closed. */
  saveOnLeave(): void {
    const state = this.now();
    const { changed, basedOn, published, draftAt } = state;
    clearTimeout(this.#timer);
    if (!hasUnsentChanges(state) || isEmpty(changed)) return;
    // These changes are being published: a draft of them would come too late.
    if (this.#publishing?.fields === state.fields) return;
    if (!isShort(changed)) return;
    this.store.replace({ ...state, sent: state.sent ?? changed });
    api.saveDraft(published.id, { fields: changed, basedOn, draftAt }, true).catch(() => {});
  }

  /**
   * Publishes the changes as they are now. Later changes become a new draft. Throws ApiError 412 if another user has
   * published since; the draft is kept then.
   */
  async publish(basedOn = this.now().basedOn): Promise<PageChangeJson> {
    const submitted = this.now();
    clearTimeout(this.#timer);
    this.#publishing = submitted;
    return this.#enqueue(async () => {
      try {
        return await this.#publish(submitted, basedOn);
      } catch (error) {
        // The service may have published without our receiving the answer, and then has no draft any more.
        if (this.now().fields !== submitted.fields) this.change({});
        this.saveIn(0);
        throw error;
      } finally {
        this.#publishing = undefined;
      }
    });
  }

  async #publish({ published, changed, fields }: DraftState, basedOn: number): Promise<PageChangeJson> {
    // Publishing deletes the draft, so we must know which draft the service has.
    if (this.now().sent) await this.#send();
    const { draftAt } = this.now();
    const answer = await api.publish(published.id, { fields: changed, draftAt }, basedOn).catch((error: unknown) => {
      // Handled at once: before the user has resolved the conflict, the changes may have been saved as a draft again.
      if (isOutdated(error)) this.reportServiceDraft(error.answer.current.draft);
      throw error;
    });
    const writtenSince = changesOf(this.now().fields, fields);
    this.apply({ type: 'started', page: answer.page });
    this.reportServiceDraft(answer.page.draft);
    if (!isEmpty(writtenSince)) this.change(writtenSince);
    return answer;
  }

  /**
   * Reverts to the published text, or to `current`, at once. Resolves when the service has no draft. If that fails, restores
   * it.
   */
  async discard(current?: PageJson): Promise<void> {
    const before = this.now();
    clearTimeout(this.#timer);
    const opening = this.#opening;
    this.apply({ type: 'started', page: current ?? before.published });
    return this.#enqueue(async () => {
      try {
        await this.#discard(before.published.id);
      } catch (error) {
        // A page that was opened again in the meantime already shows the draft.
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
      // A page list that is being loaded may be older than this change.
      void refreshPages();
    }
    if (opening === this.#opening) this.apply({ type: 'answered', draftAt: null });
  }

  /**
   * Undoes a publication: shows the former values of these fields at once and keeps later changes. Resolves when visitors
   * see the former page. If that fails, shows the published values again.
   */
  async undoPublish(before: Partial<PageFieldsJson>, send: () => Promise<UndoneJson>): Promise<PageJson> {
    const initial = this.now();
    clearTimeout(this.#timer);
    const opening = this.#opening;
    const continueFrom = (page: PageJson, changed: Partial<PageFieldsJson>, basedOn = page.version) =>
      this.apply({ type: 'continued', changed, basedOn, page });
    continueFrom({ ...initial.published, ...before }, initial.changed);
    const shown = this.now().fields;
    return this.#enqueue(async () => {
      try {
        const { page } = await send();
        continueFrom(page, this.now().changed);
        this.reportServiceDraft(page.draft);
        return page;
      } catch (error) {
        // A page that was opened again in the meantime shows the service's state already.
        if (opening === this.#opening) {
          continueFrom(
            initial.published,
            { ...initial.changed, ...changesOf(this.now().fields, shown) },
            initial.basedOn,
          );
        }
        throw error;
      }
    });
  }

  async #send(): Promise<void> {
    const { changed, basedOn, published, fields, sent: unanswered } = this.now();
    const opening = this.#opening;
    // Changes that were sent without an answer go first: the service may have them.
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
      // If the text changed in the meantime, it is not saved yet and the browser's copy must stay.
      if (opening === this.#opening && this.now().fields === fields) this.apply({ type: 'saved', at: Date.now() });
    } catch (error) {
      if (opening === this.#opening) this.apply({ type: 'failed', fields, error, isPermanent: !isTemporary(error) });
    }
  }

  /** Sends a request based on the service's draft. If that draft has changed but is our own, sends it once more. */
  async #onDraft<T>(send: (draftAt: number | null) => Promise<T>): Promise<T> {
    const opening = this.#opening;
    try {
      return await send(this.now().draftAt);
    } catch (error) {
      if (!isOutdated(error) || opening !== this.#opening) throw error;
      this.reportServiceDraft(error.answer.current.draft);
      if (needsChoice(this.now())) throw error;
    }
    return send(this.now().draftAt);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  protected override saveIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }
}
