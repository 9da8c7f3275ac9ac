import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words as customerWords } from '../customers/customer-words.ts';
import { words } from './words.ts';

test('without a mail server, a top-level account is told the missing option, and others are told whom to ask', () => {
  const kept = (agency: string | null) => [
    words.mailKeptText(agency),
    customerWords.login.texts.kept('ann@example.com', '', agency),
  ];
  for (const text of kept(null)) assert.match(text, /SMTP_URL/);
  for (const text of kept('Acme')) {
    assert.match(text, /Ask Acme\.$/);
    assert.doesNotMatch(text, /SMTP_URL|server|file/);
  }
});
