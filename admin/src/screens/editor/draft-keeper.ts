import { ApiError, api } from '../../api.ts';
import type { PageChangeJson, PageFieldsJson, PageJson } from '../../contract.ts';
import type { LocalCopies } from './local-copy.ts';

/** `unsaved`: written a moment ago; `failed`: kept in this browser alone, and tried again. */
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
}

/** In milliseconds: after the last key, and after a failure. */
const SAVE_AFTER = 900;
const RETRY_AFTER = 5000;

const names = ['name', 'urlname', 'isHidden', 'description', 'customDate', 'body', 'bodyFormat'] as const;

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
  /** Whether the service has a draft that has to go when nothing is changed any more. */
  #hasDraft: boolean;

  constructor(page: PageJson, copies: LocalCopies) {
    this.#copies = copies;
    this.#hasDraft = page.draft !== null;
    const local = copies.read();
    const isRescued = local !== undefined && local.at > (page.draft?.updatedAt ?? 0) && differs(local.fields, page);
    const draft = isRescued ? local : page.draft;
    const fields = withChanges(page, draft?.fields ?? {});
    const changed = changesOf(fields, page);
    this.#state = {
      published: page,
      fields,
      changed,
      basedOn: draft?.basedOn ?? page.version,
      status: isEmpty(changed) ? 'clean' : isRescued ? 'unsaved' : 'saved',
      savedAt: isRescued ? undefined : page.draft?.updatedAt,
      error: undefined,
      isRescued,
    };
    if (local && !isRescued) copies.forget();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): DraftState => this.#state;

  change(change: Partial<PageFieldsJson>): void {
    const { published, basedOn, fields: before, changed: changedBefore } = this.#state;
    const fields = { ...before, ...change };
    const changed = changesOf(fields, published);
    const base = isEmpty(changedBefore) ? published.version : basedOn;
    this.#set({ fields, changed, basedOn: base, status: 'unsaved', isRescued: false });
    this.#copies.write({ fields: changed, basedOn: base, at: Date.now() });
    this.#saveIn(SAVE_AFTER);
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
    if (this.#hasDraft) await api.discardDraft(id);
    this.#hasDraft = false;
  }

  /** Goes on with the own changes, on top of what somebody else has published. */
  rebase(current: PageJson): void {
    const fields = withChanges(current, this.#state.changed);
    const changed = changesOf(fields, current);
    this.#set({ published: current, fields, changed, basedOn: current.version, status: 'unsaved' });
    this.#copies.write({ fields: changed, basedOn: current.version, at: Date.now() });
    this.#saveIn(0);
  }

  async #publish(basedOn: number): Promise<PageChangeJson> {
    const { published, changed, fields: sent } = this.#state;
    const answer = await api.publish(published.id, changed, basedOn);
    const writtenSince = changesOf(this.#state.fields, sent);
    this.#hasDraft = false;
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
      if (!isEmpty(changed)) await api.saveDraft(published.id, { fields: changed, basedOn });
      else if (this.#hasDraft) await api.discardDraft(published.id);
      this.#hasDraft = !isEmpty(changed);
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

  #saveIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }

  #set(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

export function fieldsOf(page: PageFieldsJson): PageFieldsJson {
  const { name, urlname, isHidden, description, customDate, body, bodyFormat } = page;
  return { name, urlname, isHidden, description, customDate, body, bodyFormat };
}

/** What is published with these changes: the service puts them over what the page is by then. */
export function withChanges(page: PageFieldsJson, changed: Partial<PageFieldsJson>): PageFieldsJson {
  return { ...fieldsOf(page), ...changed };
}

export function changesOf(fields: Partial<PageFieldsJson>, page: PageFieldsJson): Partial<PageFieldsJson> {
  const differ = names.filter((name) => fields[name] !== undefined && fields[name] !== page[name]);
  // A text goes with its format: somebody else may give the page another one meanwhile.
  const isText = differ.some(isOfText);
  const changed = names.filter(
    (name) => differ.includes(name) || (isText && isOfText(name) && fields[name] !== undefined),
  );
  return Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

function isOfText(name: keyof PageFieldsJson): boolean {
  return name === 'body' || name === 'bodyFormat';
}

function differs(fields: Partial<PageFieldsJson>, page: PageFieldsJson): boolean {
  return !isEmpty(changesOf(fields, page));
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** What goes away by itself: no connection, too many requests, something on the other side. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
