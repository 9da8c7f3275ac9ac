import { ApiError, api } from '../../api.ts';
import type { PageChangeJson, PageFieldsJson, PageJson } from '../../contract.ts';
import { changesOf, fieldsOf, isEmpty, withChanges } from './changes.ts';
import { type KeptCopy, type LocalCopies, type LocalCopy, sortOut } from './local-copy.ts';

/** `unsaved`: written a moment ago; `failed`: at most in this browser, and tried again. */
export type DraftStatus = 'clean' | 'unsaved' | 'saving' | 'saved' | 'failed';

export interface DraftState {
  readonly published: PageJson;
  /** What the editors show: the published fields with the changes. */
  readonly fields: PageFieldsJson;
  /** Those that differ from the published ones. */
  readonly changed: Partial<PageFieldsJson>;
  /** The version that the changes began with. */
  readonly basedOn: number;
  readonly status: DraftStatus;
  readonly savedAt: number | undefined;
  readonly error: unknown;
  /** It came from this browser and not from the service. */
  readonly isRescued: boolean;
  /** Whether this browser has what the service has not. */
  readonly isKept: boolean;
  /** What else was written in this browser, and not on top of the service's draft: for the person to choose. */
  readonly offered: readonly KeptCopy[];
}

/** In milliseconds: after the last key, and after a failure. */
const SAVE_AFTER = 900;
const RETRY_AFTER = 5000;

/**
 * Holds what somebody writes on one page. Every change is in this browser at once and with the service, as a draft, a
 * second later. Nothing is written unless a field differs from the published one.
 */
export class DraftKeeper {
  #state: DraftState;
  readonly #copies: LocalCopies;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  /** The service's draft, as far as is known here: its `updatedAt`; null where it has none. */
  #draftAt: number | null;
  /** What was sent when answers ceased to come: the service may have it. */
  #sent: Partial<PageFieldsJson> | undefined;

  constructor(page: PageJson, copies: LocalCopies) {
    this.#copies = copies;
    this.#draftAt = page.draft?.updatedAt ?? null;
    const { rescued, offered } = sortOut(page, copies);
    if (rescued) copies.adopt(rescued);
    const draft = rescued ?? page.draft;
    const fields = withChanges(page, draft?.fields ?? {});
    const changed = changesOf(fields, page);
    this.#state = {
      published: page,
      fields,
      changed,
      basedOn: draft?.basedOn ?? page.version,
      status: isEmpty(changed) ? 'clean' : rescued ? 'unsaved' : 'saved',
      savedAt: rescued ? undefined : page.draft?.updatedAt,
      error: undefined,
      isRescued: rescued !== undefined,
      isKept: true,
      offered,
    };
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

  /** Puts what was offered in place of what is there. What this returns takes it back, and offers it again. */
  take(copy: KeptCopy): () => void {
    const { published, changed, basedOn } = this.#state;
    this.#copies.forget();
    this.#copies.adopt(copy);
    this.#withdraw(copy);
    this.#write(withChanges(published, copy.fields), copy.basedOn);
    this.#saveIn(0);
    return () => {
      this.#offer(this.#copies.leave(this.#copy()));
      this.#write(withChanges(this.#state.published, changed), basedOn);
      this.#saveIn(0);
    };
  }

  /** Throws what was offered away. What this returns offers it again. */
  refuse(copy: KeptCopy): () => void {
    this.#copies.discard(copy);
    this.#withdraw(copy);
    return () => {
      this.#copies.putBack(copy);
      this.#offer(copy);
    };
  }

  /** Sends what is not with the service yet; resolves when that is done or has failed. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    if (this.#state.status !== 'unsaved' && this.#state.status !== 'failed') return;
    this.#sending = this.#send();
    await this.#sending;
    this.#sending = undefined;
  }

  /** The last chance, while the page is being closed: the browser sends small ones to the end. */
  saveOnLeave(): void {
    const { status, changed, basedOn, published } = this.#state;
    clearTimeout(this.#timer);
    if ((status !== 'unsaved' && status !== 'failed') || isEmpty(changed)) return;
    if (JSON.stringify(changed).length > 50_000) return;
    this.#sent ??= changed;
    api.saveDraft(published.id, { fields: changed, basedOn }, true).catch(() => {});
  }

  /** Makes the changes what visitors see. Throws ApiError 412 where somebody else was faster; the draft is kept then. */
  async publish(basedOn = this.#state.basedOn): Promise<PageChangeJson> {
    clearTimeout(this.#timer);
    await this.#sending;
    const publishing = this.#publish(basedOn);
    // Whoever leaves meanwhile does not leave a draft of what is published.
    this.#sending = publishing.then(
      () => {},
      () => {},
    );
    return publishing;
  }

  /**
   * Goes back at once to what is published, or to another page's state; resolves when the service has no draft any more.
   * Where that fails, what was written is there again.
   */
  async discard(page = this.#state.published): Promise<void> {
    clearTimeout(this.#timer);
    const before = this.#state;
    const discarding = this.#discard(page.id, this.#sending);
    this.#startFrom(page);
    this.#sending = discarding.catch(() => {});
    try {
      await discarding;
    } catch (error) {
      const writtenSince = this.#state.changed;
      this.#state = before;
      this.change(writtenSince);
      throw error;
    }
  }

  async #discard(id: number, sending: Promise<void> | undefined): Promise<void> {
    await sending;
    if (this.#draftAt !== null) await api.discardDraft(id);
    this.#draftAt = null;
  }

  /** Goes on with the own changes, on top of what somebody else has published. */
  rebase(current: PageJson): void {
    this.#write(withChanges(current, this.#state.changed), current.version, current);
    this.#saveIn(0);
  }

  async #publish(basedOn: number): Promise<PageChangeJson> {
    const { published, changed, fields: sent } = this.#state;
    const answer = await api.publish(published.id, changed, basedOn);
    const writtenSince = changesOf(this.#state.fields, sent);
    this.#draftAt = null;
    this.#startFrom(answer.page);
    if (!isEmpty(writtenSince)) this.change(writtenSince);
    return answer;
  }

  #startFrom(page: PageJson): void {
    this.#copies.forget();
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
    this.#set({ status: 'saving' });
    try {
      if (!isEmpty(changed)) {
        this.#sent ??= changed;
        this.#draftAt = (await api.saveDraft(published.id, { fields: changed, basedOn })).updatedAt;
      } else {
        await this.#discard(published.id, undefined);
      }
      this.#sent = undefined;
      // Something may have been written in the meantime: then it is this browser that has the latest.
      if (this.#state.fields !== fields) return;
      this.#copies.forget();
      this.#set({ status: isEmpty(changed) ? 'clean' : 'saved', savedAt: Date.now(), error: undefined });
    } catch (error) {
      if (this.#state.fields !== fields) return;
      this.#set({ status: 'failed', error });
      if (!(error instanceof ApiError) || isPassing(error.status)) this.#saveIn(RETRY_AFTER);
    }
  }

  #write(fields: PageFieldsJson, basedOn: number, published = this.#state.published): void {
    const changed = changesOf(fields, published);
    this.#set({ published, fields, changed, basedOn, status: 'unsaved', isRescued: false });
    this.#set({ isKept: this.#copies.write(this.#copy()) });
  }

  #copy(): LocalCopy {
    const { changed: fields, basedOn } = this.#state;
    return { fields, basedOn, at: Date.now(), draftAt: this.#draftAt, sent: this.#sent };
  }

  #offer(copy: KeptCopy): void {
    this.#set({ offered: [...this.#state.offered, copy] });
  }

  #withdraw(copy: KeptCopy): void {
    this.#set({ offered: this.#state.offered.filter((other) => other !== copy) });
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

/** Whether what was written is neither with the service nor in this browser: it goes with the tab. */
export function isAtRisk({ status, isKept }: DraftState): boolean {
  return !isKept && status !== 'clean' && status !== 'saved';
}

/** What goes away by itself: no connection, too many requests, something on the other side. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
