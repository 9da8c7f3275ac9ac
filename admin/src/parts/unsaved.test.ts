import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage, useStorage } from '../../../test/network.ts';
import { storedKeys, storeItem } from '../browser-storage.ts';
import { readUnsaved, storeUnsaved, withTyped } from './unsaved.ts';

/* What is typed into a form and not saved. That it is for one person alone is the form's: see e2e/admin-drafts.ts. */

const saved = { name: 'Acme', language: 'en' };
type Form = typeof saved;

test('a value that differs from the saved one is a change, and typing the saved one again ends it', () => {
  assert.deepEqual(withTyped<Form>({}, { name: 'Bakery' }, saved), { name: 'Bakery' });
  assert.deepEqual(withTyped<Form>({ name: 'Bakery' }, { language: 'de' }, saved), { name: 'Bakery', language: 'de' });
  assert.deepEqual(withTyped<Form>({ name: 'Bakery', language: 'de' }, { name: 'Acme' }, saved), { language: 'de' });
  assert.deepEqual(withTyped<Form>({ name: 'Bakery' }, { name: '' }, saved), { name: '' });
});

test('text in another field stays while the service saves the first', () => {
  assert.deepEqual(withTyped<Form>({ name: 'Bakery' }, { language: 'de' }, { ...saved, name: 'Bakery' }), {
    name: 'Bakery',
    language: 'de',
  });
});

test('typed text is restored where it differs from the saved values', (t) => {
  useStorage(t, new MemoryStorage());
  storeUnsaved('form', { name: 'Bakery', language: 'de' });
  assert.deepEqual(readUnsaved<Form>('form', saved), { name: 'Bakery', language: 'de' });
  assert.deepEqual(readUnsaved<Form>('form', { ...saved, name: 'Bakery' }), { language: 'de' });
  assert.deepEqual(readUnsaved<Form>('other', saved), {});
});

test('text typed after saving stays in the browser, and saved text does not', (t) => {
  useStorage(t, new MemoryStorage());
  storeUnsaved('form', { name: 'Bakery', language: 'de' });
  // Saved was the name, and typed before the answer another language.
  storeUnsaved('form', readUnsaved<Form>('form', { name: 'Bakery' }));
  assert.deepEqual(readUnsaved<Form>('form', saved), { language: 'de' });
  storeUnsaved('form', readUnsaved<Form>('form', { language: 'de' }));
  assert.deepEqual(storedKeys(), []);
});

test('kept values that are no form, or whose fields are no text, are ignored', (t) => {
  useStorage(t, new MemoryStorage());
  for (const stored of ['text', null, 7]) {
    storeItem('form', stored);
    assert.deepEqual(readUnsaved<Form>('form', saved), {});
  }
  storeItem('form', { name: 7, language: 'de' });
  assert.deepEqual(readUnsaved<Form>('form', saved), { language: 'de' });
});
