import type { DraftJson, PageFieldsJson, PageJson } from '../../../contract.ts';
import { changesOf, fieldsOf, isEmpty, isSameChange, withChanges } from '../../../data/changes.ts';
import type { StoredCopy } from '../../../data/local-copy.ts';
import type { DraftState } from './draft-state.ts';

/** How long to wait after the last keystroke, and after a failure. */
const SAVE_DELAY_MS = 900;
const RETRY_DELAY_MS = 5000;

export type DraftEvent =
  | { readonly type: 'changed'; readonly change: Partial<PageFieldsJson> }
  /** The draft continues with these changes, based on `page` or, without it, on the published state. */
  | {
      readonly type: 'continued';
      readonly changed: Partial<PageFieldsJson>;
      readonly basedOn: number;
      readonly page?: PageJson;
    }
  /** The page has no unpublished changes any more. */
  | { readonly type: 'started'; readonly page: PageJson }
  | { readonly type: 'offered' | 'accepted' | 'dismissed'; readonly copy: StoredCopy }
  | { readonly type: 'sending'; readonly sent: DraftState['sent'] }
  /** The service has answered: it has a draft from this time, or none. */
  | { readonly type: 'answered'; readonly draftAt: number | null }
  | { readonly type: 'saved'; readonly at: number }
  /** `fields` is what was being sent. `isPermanent`: a retry would fail, too. */
  | { readonly type: 'failed'; readonly fields: PageFieldsJson; readonly error: unknown; readonly isPermanent: boolean }
  /** The service has reported its draft. `copy` is the form in which it can be offered to the user. */
  | { readonly type: 'reported'; readonly draft: DraftJson | null; readonly copy: StoredCopy | undefined };

/** The effect of an event: store the changes in this browser, remove them from it, or send them after a delay. */
type DraftEffect = 'store' | 'remove' | { readonly saveInMs: number };

interface Transition {
  readonly state: DraftState;
  readonly effects: readonly DraftEffect[];
}

const SAVE_NOW: DraftEffect = { saveInMs: 0 };

/** Returns the state of a draft after an event, and the effects to run. */
export function transition(state: DraftState, event: DraftEvent): Transition {
  const { published, fields, changed, basedOn, offered, draftAt, sent } = state;
  switch (event.type) {
    case 'changed':
      return {
        state: withFields(state, { ...fields, ...event.change }, isEmpty(changed) ? published.version : basedOn),
        effects: ['store', { saveInMs: SAVE_DELAY_MS }],
      };
    case 'continued': {
      const page = event.page ?? published;
      // Nothing to send, and no draft to delete.
      if (isEmpty(event.changed) && draftAt === null && !sent) return transition(state, { type: 'started', page });
      const next = withFields(state, withChanges(page, event.changed), event.basedOn, page);
      return { state: next, effects: ['store', SAVE_NOW] };
    }
    case 'started':
      return { state: { ...state, ...unchanged(event.page) }, effects: ['remove'] };
    case 'offered':
      return { state: { ...state, offered: [...offered, event.copy] }, effects: [] };
    case 'accepted':
    case 'dismissed': {
      const { copy } = event;
      const rest = { ...state, offered: offered.filter(({ key }) => key !== copy.key) };
      const settled = copy.isElsewhere ? { ...rest, draftAt: copy.at, confirmed: copy.fields } : rest;
      if (event.type === 'dismissed' && !copy.isElsewhere) return { state: settled, effects: [] };
      const [text, base] =
        event.type === 'accepted' ? [withChanges(published, copy.fields), copy.basedOn] : [fields, basedOn];
      return { state: withFields(settled, text, base), effects: ['store', SAVE_NOW] };
    }
    case 'sending':
      return { state: { ...state, status: 'saving', sent: event.sent }, effects: [] };
    case 'answered': {
      const confirmed = event.draftAt === null ? undefined : sent;
      return { state: { ...state, draftAt: event.draftAt, confirmed, sent: undefined }, effects: [] };
    }
    case 'saved': {
      const status = isEmpty(changed) ? 'clean' : 'saved';
      return { state: { ...state, status, savedAt: event.at, error: undefined }, effects: ['remove'] };
    }
    case 'failed': {
      const { error, isPermanent } = event;
      const next = isPermanent ? { ...state, sent: undefined } : state;
      // Changes since then are sent by a later request.
      if (event.fields !== fields) return { state: next, effects: [] };
      return {
        state: { ...next, status: 'failed', error },
        effects: isPermanent ? [] : [{ saveInMs: RETRY_DELAY_MS }],
      };
    }
    case 'reported':
      return afterServiceReport(state, event.draft, event.copy);
  }
}

/** Continues from the service's draft if it has the text from here. Otherwise offers it to the user. */
function afterServiceReport(state: DraftState, draft: DraftJson | null, copy: StoredCopy | undefined): Transition {
  const { changed, published, sent, draftAt, confirmed } = state;
  const here = state.offered.filter(({ isElsewhere }) => !isElsewhere);
  const isOurs =
    !draft ||
    !copy ||
    draft.updatedAt === draftAt ||
    [changed, sent, confirmed].some((fields) => fields && isSameChange(draft.fields, fields, published));
  const next = { ...state, sent: undefined };
  if (isOurs) {
    const continued = { draftAt: draft?.updatedAt ?? null, confirmed: draft?.fields, offered: here };
    return { state: { ...next, ...continued }, effects: [] };
  }
  return {
    state: { ...next, draftAt: null, confirmed: undefined, offered: [...here, copy] },
    effects: isEmpty(changed) ? [] : ['store'],
  };
}

function withFields(
  state: DraftState,
  fields: PageFieldsJson,
  basedOn: number,
  published: PageJson = state.published,
): DraftState {
  const changed = changesOf(fields, published);
  return { ...state, published, fields, changed, basedOn, status: 'unsaved', isRescued: false };
}

function unchanged(page: PageJson) {
  return {
    published: page,
    fields: fieldsOf(page),
    changed: {},
    basedOn: page.version,
    status: 'clean' as const,
    savedAt: undefined,
    error: undefined,
    isRescued: false,
  };
}
