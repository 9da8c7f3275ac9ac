import type { PageFieldsJson, PageJson } from '../../../contract.ts';
import { changesOf, isEmpty, withChanges } from '../../../data/changes.ts';
import type { LocalCopy, StoredCopy } from '../../../data/local-copy.ts';

/** The longest text that a browser sends while it closes the page: keepalive requests are limited to 64 KiB. */
const MAX_KEEPALIVE_CHARACTERS = 50_000;

/** `unsaved`: changed a moment ago. `failed`: the save failed and is retried; the text is at most in this browser. */
type DraftStatus = 'clean' | 'unsaved' | 'saving' | 'saved' | 'failed';

export interface DraftState {
  readonly published: PageJson;
  /** The fields in the editors: the published ones with the changes applied. */
  readonly fields: PageFieldsJson;
  readonly changed: Partial<PageFieldsJson>;
  /** The published version that the changes started from. */
  readonly basedOn: number;
  readonly status: DraftStatus;
  readonly savedAt: number | undefined;
  readonly error: unknown;
  /** True if the changes were restored from this browser and not from the service. */
  readonly isRescued: boolean;
  /** True if this browser's storage holds the changes that the service does not have yet. */
  readonly isStored: boolean;
  /** Other texts of the page, written in this browser or elsewhere, for the user to accept or dismiss. */
  readonly offered: readonly StoredCopy[];
  /** The `updatedAt` of the service's draft that the changes continue, or null for none. */
  readonly draftAt: number | null;
  /** The changes in that draft. A later draft with equal changes contains nothing new. */
  readonly confirmed: Partial<PageFieldsJson> | undefined;
  /** Changes that were sent without an answer, so the service may have them. They are sent again before any later changes. */
  readonly sent: Partial<PageFieldsJson> | undefined;
}

/** The copies of a page's text found in the browser's storage. */
interface FoundCopies {
  /** The copy that continues the service's draft. */
  readonly rescued: StoredCopy | undefined;
  readonly offered: readonly StoredCopy[];
}

/** Returns the initial state of an opened page, with the rescued copy if there is one, or else the service's draft. */
export function openedState(page: PageJson, { rescued, offered }: FoundCopies, mayEdit: boolean): DraftState {
  const draft = rescued ?? page.draft;
  const fields = withChanges(page, draft?.fields ?? {});
  const changed = changesOf(fields, page);
  // The draft now equals the published text, so the service can delete it.
  const isObsolete = mayEdit && page.draft !== null && isEmpty(changed);
  return {
    published: page,
    fields,
    changed,
    basedOn: draft?.basedOn ?? page.version,
    status: isEmpty(changed) ? (isObsolete ? 'unsaved' : 'clean') : rescued ? 'unsaved' : 'saved',
    savedAt: rescued ? undefined : page.draft?.updatedAt,
    error: undefined,
    isRescued: rescued !== undefined,
    isStored: true,
    offered,
    draftAt: page.draft?.updatedAt ?? null,
    confirmed: page.draft?.fields,
    sent: rescued?.sent,
  };
}

/** True if the user has to choose between two drafts before anything is sent. */
export function needsChoice({ offered }: DraftState): boolean {
  return offered.some(({ isElsewhere }) => isElsewhere);
}

/** True if there are changes to send. */
export function hasUnsentChanges(state: DraftState): boolean {
  return (state.status === 'unsaved' || state.status === 'failed') && !needsChoice(state);
}

/** True if closing the tab would lose changes: neither the service nor this browser has them. */
export function isAtRisk({ status, isStored }: DraftState): boolean {
  return !isStored && status !== 'clean' && status !== 'saved';
}

/** Returns the copy to store in the browser. */
export function localCopyOf({ changed: fields, basedOn, draftAt, sent }: DraftState): LocalCopy {
  return { fields, basedOn, at: Date.now(), draftAt, sent };
}

/** True if the body is too long to be read on every keystroke. */
export function isLong(body: string): boolean {
  return body.length > MAX_KEEPALIVE_CHARACTERS;
}

/** True if the changes are small enough to be sent while the page is closing. */
export function isShort(changed: Partial<PageFieldsJson>): boolean {
  return JSON.stringify(changed).length <= MAX_KEEPALIVE_CHARACTERS;
}
