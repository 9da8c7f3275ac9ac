import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invitation } from './invitation.ts';
import { loginInstructions } from './login-instructions.ts';
import { withoutLinks } from './plain-words.ts';
import { securityNotice } from './security-notice.ts';

const LINK = /https?:\/\/\w|www\.\w|evil\.example/;

const sender = { accent: '#1f5fbf', brand: null, replyTo: null };

describe('names in messages', () => {
  const evil = 'You have won: http://evil.example/claim or www.evil.example';

  test('names in messages do not become links, in text or HTML', () => {
    const person = { ...sender, userName: evil, userEmail: 'ann@example.com', accountName: evil };
    for (const { text, html } of [
      invitation({ ...person, inviterName: evil, token: 'secret' }),
      loginInstructions({ ...person, senderName: evil, siteUrl: 'SITE', signInUrl: 'SIGN-IN', token: 'secret' }),
      securityNotice({ ...person, change: { kind: 'passkey removed', name: evil }, ip: '::1', at: 0 }),
    ]) {
      assert.doesNotMatch(text, LINK);
      // No mail program makes text in the title clickable.
      assert.doesNotMatch(html.replace(/<title>.*<\/title>/, ''), LINK);
      assert.equal(text.replaceAll('\u200b', '').includes(evil), true, 'the visible text must stay the same');
    }
  });

  test('names with an @ that are no valid mail address do not become links', () => {
    for (const evil of [
      'www.evil.example?@now',
      'evil.example#@now',
      'evil.example@now',
      'evil.example?ann@example.com',
      '(evil.example)@example.com',
      'evil.example|@example.com',
      'evil.example.@example.com',
      'evil。example',
    ]) {
      assert.doesNotMatch(withoutLinks(`You have won: ${evil}`), /evil[.。]example/, evil);
    }
  });

  test('names in messages are cut to 100 characters', () => {
    const name = '🦉'.repeat(255);
    const person = { ...sender, userName: name, userEmail: 'ann@example.com', accountName: name };
    const notice = securityNotice({ ...person, change: { kind: 'passkey added', name }, ip: '::1', at: 0 });
    const { text, subject, toName, fromName } = notice;
    for (const shown of [text, subject, toName, fromName]) {
      assert.ok(shown.isWellFormed());
      assert.ok(shown.includes(`${'🦉'.repeat(99)}…`));
      assert.ok(!shown.includes('🦉'.repeat(100)));
    }
  });

  test('names and mail addresses that mail programs do not link to websites stay unchanged', () => {
    for (const text of [
      'St. Mary’s: a school.',
      'Sign in as ann@example.com from now on.',
      "It is o'brien+shop@mail.example.ie, or jörg@bücher.example.",
      'J. R. “Bob” Dobbs',
    ]) {
      assert.equal(withoutLinks(text), text);
    }
  });
});
