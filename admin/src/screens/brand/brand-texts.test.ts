import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrandJson } from '../../contract.ts';
import { inputOf, textsOf } from './brand-texts.ts';

const brand: BrandJson = {
  name: 'Acme',
  accent: '#0a7d4f',
  supportEmail: null,
  supportUrl: 'https://acme.example/help',
  legalNoticeUrl: null,
  privacyUrl: null,
  termsUrl: null,
  senderName: null,
  replyTo: null,
  logo: null,
  logoDark: null,
  icon: null,
  version: 3,
  changedAt: 1,
};

test('the form of a brand sends only the fields that differ from the loaded brand', () => {
  const texts = textsOf(brand, '#1f5f56');
  assert.deepEqual(inputOf(texts, brand), { seenVersion: 3 });
  const typed = { ...texts, supportUrl: '', senderName: 'Desk' };
  assert.deepEqual(inputOf(typed, brand), { supportUrl: '', senderName: 'Desk', seenVersion: 3 });
});

test('a first brand is sent with all fields, so that the service reports a missing name', () => {
  const texts = textsOf(null, '#1f5f56');
  assert.deepEqual([texts.name, texts.accent], ['', '#1f5f56']);
  const { name, accent, seenVersion } = inputOf(texts, null);
  assert.deepEqual([name, accent, seenVersion], ['', '#1f5f56', 0]);
});
