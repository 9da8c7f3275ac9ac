import type { PageFieldsJson, PageJson } from '../../../contract.ts';
import { changesOf, isEmpty, withChanges } from '../../../data/changes.ts';
import type { LocalCopy, StoredCopy } from '../../../data/local-copy.ts';

/** The longest body that a browser still sends while it closes the page. A longer one is a long text. */
const MAX_KEEPALIVE_CHARACTERS = 50_000;

/** `unsaved`: written a moment ago; `failed`: at most in this browser, and tried again. */
type DraftStatus = 'clean' | 'unsaved' | 'saving' | 'saved' | 'failed';

export interface DraftState {
  readonly published: PageJson;
  /** The fields in the editors: the published ones with the changes. */
  readonly fields: PageFieldsJson;
  /** The fields that differ from the published ones. */
  readonly changed: Partial<PageFieldsJson>;
  /** The version that the changes began with. */
  readonly basedOn: number;
  readonly status: DraftStatus;
  readonly savedAt: number | undefined;
  readonly error: unknown;
  /** Whether it came from this browser and not from the service. */
  readonly isRescued: boolean;
  /** Whether this browser has stored what the service does not have yet. */
  readonly isKept: boolean;
  /** Other texts that were written here or elsewhere, for the person to choose. */
  readonly offered: readonly StoredCopy[];
  /** The service's draft that this goes on from: its `updatedAt`; null for none. */
  readonly draftAt: number | null;
  /** The changes of that draft. Another one with the same has nothing that is not here. */
  readonly confirmed: Partial<PageFieldsJson> | undefined;
  /** Changes that were sent and not answered: the service may have them. They are sent first, until that is known. */
  readonly sent: Partial<PageFieldsJson> | undefined;
}

/** The copies of a page's text that the browser has stored. */
interface Found {
  /** The copy that continues the service's draft. */
  readonly rescued: StoredCopy | undefined;
  readonly offered: readonly StoredCopy[];
}

/** Returns the state of a page that is opened: with what was rescued, or with the service's draft. */
export function openedState(page: PageJson, { rescued, offered }: Found, mayEdit: boolean): DraftState {
  const draft = rescued ?? page.draft;
  const fields = withChanges(page, draft?.fields ?? {});
  const changed = changesOf(fields, page);
  // The draft equals the published text by now, so the service need not keep it.
  const isSpent = mayEdit && page.draft !== null && isEmpty(changed);
  return {
    published: page,
    fields,
    changed,
    basedOn: draft?.basedOn ?? page.version,
    status: isEmpty(changed) ? (isSpent ? 'unsaved' : 'clean') : rescued ? 'unsaved' : 'saved',
    savedAt: rescued ? undefined : page.draft?.updatedAt,
    error: undefined,
    isRescued: rescued !== undefined,
    isKept: true,
    offered,
    draftAt: page.draft?.updatedAt ?? null,
    confirmed: page.draft?.fields,
    sent: rescued?.sent,
  };
}

/** Whether the person has to choose between two drafts first. */
export function isHeld({ offered }: DraftState): boolean {
  return offered.some(({ isElsewhere }) => isElsewhere);
}

/** Whether there is something to send. */
export function isWaiting(state: DraftState): boolean {
  return (state.status === 'unsaved' || state.status === 'failed') && !isHeld(state);
}

/** Whether neither the service nor this browser has what was written: closing the tab would lose it. */
export function isAtRisk({ status, isKept }: DraftState): boolean {
  return !isKept && status !== 'clean' && status !== 'saved';
}

/** Returns what the browser is to store. */
export function localCopyOf({ changed: fields, basedOn, draftAt, sent }: DraftState): LocalCopy {
  return { fields, basedOn, at: Date.now(), draftAt, sent };
}

/** Whether a body is too long to be read with every key. */
export function isLong(body: string): boolean {
  return body.length > MAX_KEEPALIVE_CHARACTERS;
}

/** Whether a browser still sends these changes while it closes the page. */
export function isShort(changed: Partial<PageFieldsJson>): boolean {
  return JSON.stringify(changed).length <= MAX_KEEPALIVE_CHARACTERS;
}
