import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DraftJson, PageJson } from '../../../contract.ts';
import type { StoredCopy } from '../../../data/local-copy.ts';
import { transition } from './draft-events.ts';
import { type DraftState, openedState } from './draft-state.ts';

const page = { id: 1, version: 3, name: 'Menu', body: '<p>Soup</p>', draft: null } as PageJson;
const clean = openedState(page, { rescued: undefined, offered: [] }, true);
const edited = transition(clean, { type: 'changed', change: { name: 'Food' } }).state;
const draft = { fields: { name: 'Drinks' }, basedOn: 3, updatedAt: 50 } as DraftJson;
const copy: StoredCopy = { fields: { name: 'Drinks' }, basedOn: 3, at: 50, key: 'elsewhere', isElsewhere: true };
const inBrowser: StoredCopy = { fields: { name: 'Wine' }, basedOn: 2, at: 40, key: 'here' };

test('a change is stored in the browser, and sent after a pause with the version it started from', () => {
  const { state, effects } = transition(clean, { type: 'changed', change: { name: 'Food' } });
  assert.deepEqual([state.changed, state.status, state.basedOn], [{ name: 'Food' }, 'unsaved', 3]);
  assert.deepEqual(effects, ['store', { saveInMs: 900 }]);
  const later: DraftState = { ...state, published: { ...page, version: 4 } };
  assert.equal(transition(later, { type: 'changed', change: { name: 'Foods' } }).state.basedOn, 3);
});

test('changing a field back to its published value leaves nothing changed', () => {
  assert.deepEqual(transition(edited, { type: 'changed', change: { name: 'Menu' } }).state.changed, {});
});

test('a saved draft is removed from the browser, and the time of saving is shown', () => {
  const { state, effects } = transition(edited, { type: 'saved', at: 7 });
  assert.deepEqual([state.status, state.savedAt, effects], ['saved', 7, ['remove']]);
});

test('a failed save is retried later, unless the failure is permanent or the text has changed since', () => {
  const failed = { type: 'failed', fields: edited.fields, error: 'why', isPermanent: false } as const;
  assert.deepEqual(transition(edited, failed).effects, [{ saveInMs: 5000 }]);
  const forGood = transition({ ...edited, sent: { name: 'F' } }, { ...failed, isPermanent: true });
  assert.deepEqual([forGood.state.status, forGood.state.sent, forGood.effects], ['failed', undefined, []]);
  assert.equal(transition(edited, { ...failed, fields: clean.fields }).state.status, 'unsaved');
});

test('a draft of another device is offered, and the local changes are stored in the browser', () => {
  const { state, effects } = transition(edited, { type: 'reported', draft, copy });
  assert.deepEqual([state.offered, state.draftAt, effects], [[copy], null, ['store']]);
});

test('a draft that equals the last sent changes is recognized as our own', () => {
  const { state, effects } = transition({ ...edited, sent: { name: 'Drinks' } }, { type: 'reported', draft, copy });
  assert.deepEqual([state.offered, state.draftAt, state.sent, effects], [[], 50, undefined, []]);
});

test('a draft that another tab saved again without changes is recognized as our own', () => {
  const opened = openedState({ ...page, draft }, { rescued: undefined, offered: [] }, true);
  const written = transition(opened, { type: 'changed', change: { name: 'Drinks and more' } }).state;
  const again = { ...draft, updatedAt: 60 };
  const { state } = transition(written, { type: 'reported', draft: again, copy: { ...copy, at: 60 } });
  assert.deepEqual([state.offered, state.draftAt, state.fields.name], [[], 60, 'Drinks and more']);
  const saved = transition({ ...edited, sent: { name: 'Food' } }, { type: 'answered', draftAt: 70 }).state;
  const ours = { ...draft, fields: { name: 'Food' }, updatedAt: 80 };
  const later = transition(saved, { type: 'changed', change: { name: 'Foods' } }).state;
  assert.equal(transition(later, { type: 'reported', draft: ours, copy: { ...copy, at: 80 } }).state.draftAt, 80);
});

test('an accepted draft replaces the text and becomes the base of the next save, and a dismissed one is overwritten', () => {
  const held = transition(edited, { type: 'reported', draft, copy }).state;
  const accepted = transition(held, { type: 'accepted', copy }).state;
  assert.deepEqual([accepted.fields.name, accepted.draftAt, accepted.offered], ['Drinks', 50, []]);
  const dismissed = transition(held, { type: 'dismissed', copy }).state;
  assert.deepEqual([dismissed.fields.name, dismissed.draftAt, dismissed.status], ['Food', 50, 'unsaved']);
});

test('dismissing a copy from this browser sends nothing', () => {
  const state = transition(clean, { type: 'offered', copy: inBrowser }).state;
  assert.deepEqual(transition(state, { type: 'dismissed', copy: inBrowser }), {
    state: { ...clean, offered: [] },
    effects: [],
  });
});

test('continuing without changes deletes the service’s draft if there may be one', () => {
  const event = { type: 'continued', changed: {}, basedOn: 3 } as const;
  assert.deepEqual(transition(clean, event).effects, ['remove']);
  assert.deepEqual(transition({ ...clean, draftAt: 50 }, event).effects, ['store', { saveInMs: 0 }]);
});
