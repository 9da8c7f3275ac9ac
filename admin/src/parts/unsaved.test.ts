import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage, useStorage } from '../../../test/network.ts';
import { storedKeys, storeItem } from '../browser-storage.ts';
import { readUnsaved, storeUnsaved, withTyped } from './unsaved.ts';

/* Tests unsaved form values. That they are stored for one user only is tested in e2e/admin-drafts.ts. */

const saved = { name: 'Acme', language: 'en' };
type Form = typeof saved;

test('a value that differs from the saved one is a change, until the saved value is typed again', () => {
  assert.deepEqual(withTyped<Form>({}, { name: 'Bakery' }, saved), { name: 'Bakery' });
  assert.deepEqual(withTyped<Form>({ name: 'Bakery' }, { language: 'de' }, saved), { name: 'Bakery', language: 'de' });
  assert.deepEqual(withTyped<Form>({ name: 'Bakery', language: 'de' }, { name: 'Acme' }, saved), { language: 'de' });
  assert.deepEqual(withTyped<Form>({ name: 'Bakery' }, { name: '' }, saved), { name: '' });
});

test('unsaved text in one field is kept while another field is being saved', () => {
  assert.deepEqual(withTyped<Form>({ name: 'Bakery' }, { language: 'de' }, { ...saved, name: 'Bakery' }), {
    name: 'Bakery',
    language: 'de',
  });
});

test('typed text is restored if it differs from the saved values', (t) => {
  useStorage(t, new MemoryStorage());
  storeUnsaved('form', { name: 'Bakery', language: 'de' });
  assert.deepEqual(readUnsaved<Form>('form', saved), { name: 'Bakery', language: 'de' });
  assert.deepEqual(readUnsaved<Form>('form', { ...saved, name: 'Bakery' }), { language: 'de' });
  assert.deepEqual(readUnsaved<Form>('other', saved), {});
});

test('text typed after saving stays in the browser, and saved text is removed', (t) => {
  useStorage(t, new MemoryStorage());
  storeUnsaved('form', { name: 'Bakery', language: 'de' });
  // The name was saved. Another language was typed before the answer arrived.
  storeUnsaved('form', readUnsaved<Form>('form', { name: 'Bakery' }));
  assert.deepEqual(readUnsaved<Form>('form', saved), { language: 'de' });
  storeUnsaved('form', readUnsaved<Form>('form', { language: 'de' }));
  assert.deepEqual(storedKeys(), []);
});

test('stored values that are not an object, and fields that are not text, are ignored', (t) => {
  useStorage(t, new MemoryStorage());
  for (const stored of ['text', null, 7]) {
    storeItem('form', stored);
    assert.deepEqual(readUnsaved<Form>('form', saved), {});
  }
  storeItem('form', { name: 7, language: 'de' });
  assert.deepEqual(readUnsaved<Form>('form', saved), { language: 'de' });
});
