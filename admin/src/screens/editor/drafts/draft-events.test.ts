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

test('a change is stored in the browser and sent after a pause, based on the version it began with', () => {
  const { state, effects } = transition(clean, { type: 'changed', change: { name: 'Food' } });
  assert.deepEqual([state.changed, state.status, state.basedOn], [{ name: 'Food' }, 'unsaved', 3]);
  assert.deepEqual(effects, ['store', { saveInMs: 900 }]);
  const later: DraftState = { ...state, published: { ...page, version: 4 } };
  assert.equal(transition(later, { type: 'changed', change: { name: 'Foods' } }).state.basedOn, 3);
});

test('changing a field back leaves nothing changed', () => {
  assert.deepEqual(transition(edited, { type: 'changed', change: { name: 'Menu' } }).state.changed, {});
});

test('a saved draft is removed from the browser, and says when it was saved', () => {
  const { state, effects } = transition(edited, { type: 'saved', at: 7 });
  assert.deepEqual([state.status, state.savedAt, effects], ['saved', 7, ['remove']]);
});

test('a failure is tried again later, unless it is for good or something else was written since', () => {
  const failed = { type: 'failed', fields: edited.fields, error: 'why', isForGood: false } as const;
  assert.deepEqual(transition(edited, failed).effects, [{ saveInMs: 5000 }]);
  const forGood = transition({ ...edited, sent: { name: 'F' } }, { ...failed, isForGood: true });
  assert.deepEqual([forGood.state.status, forGood.state.sent, forGood.effects], ['failed', undefined, []]);
  assert.equal(transition(edited, { ...failed, fields: clean.fields }).state.status, 'unsaved');
});

test('a draft of another device is offered, and what was written here is stored in the browser', () => {
  const { state, effects } = transition(edited, { type: 'told', draft, copy });
  assert.deepEqual([state.offered, state.draftAt, effects], [[copy], null, ['store']]);
});

test('a draft that says what was sent before is gone on from', () => {
  const { state, effects } = transition({ ...edited, sent: { name: 'Drinks' } }, { type: 'told', draft, copy });
  assert.deepEqual([state.offered, state.draftAt, state.sent, effects], [[], 50, undefined, []]);
});

test('a draft that another tab has saved once more, as it was when this one began to write, is gone on from', () => {
  const opened = openedState({ ...page, draft }, { rescued: undefined, offered: [] }, true);
  const written = transition(opened, { type: 'changed', change: { name: 'Drinks and more' } }).state;
  const again = { ...draft, updatedAt: 60 };
  const { state } = transition(written, { type: 'told', draft: again, copy: { ...copy, at: 60 } });
  assert.deepEqual([state.offered, state.draftAt, state.fields.name], [[], 60, 'Drinks and more']);
  const saved = transition({ ...edited, sent: { name: 'Food' } }, { type: 'answered', draftAt: 70 }).state;
  const ours = { ...draft, fields: { name: 'Food' }, updatedAt: 80 };
  const later = transition(saved, { type: 'changed', change: { name: 'Foods' } }).state;
  assert.equal(transition(later, { type: 'told', draft: ours, copy: { ...copy, at: 80 } }).state.draftAt, 80);
});

test('an accepted draft takes the place of the text, and is gone on from; a dismissed one is written over', () => {
  const held = transition(edited, { type: 'told', draft, copy }).state;
  const accepted = transition(held, { type: 'accepted', copy }).state;
  assert.deepEqual([accepted.fields.name, accepted.draftAt, accepted.offered], ['Drinks', 50, []]);
  const dismissed = transition(held, { type: 'dismissed', copy }).state;
  assert.deepEqual([dismissed.fields.name, dismissed.draftAt, dismissed.status], ['Food', 50, 'unsaved']);
});

test('dismissing what was written in this browser sends nothing', () => {
  const state = transition(clean, { type: 'offered', copy: inBrowser }).state;
  assert.deepEqual(transition(state, { type: 'dismissed', copy: inBrowser }), {
    state: { ...clean, offered: [] },
    effects: [],
  });
});

test('going on with no changes deletes the service’s draft, if there may be one', () => {
  const event = { type: 'continued', changed: {}, basedOn: 3 } as const;
  assert.deepEqual(transition(clean, event).effects, ['remove']);
  assert.deepEqual(transition({ ...clean, draftAt: 50 }, event).effects, ['store', { saveInMs: 0 }]);
});
