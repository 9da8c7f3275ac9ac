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

  test('become no links, in text or HTML', () => {
    const person = { ...sender, userName: evil, userEmail: 'ann@example.com', accountName: evil };
    for (const { text, html } of [
      invitation({ ...person, inviterName: evil, token: 'secret' }),
      loginInstructions({ ...person, senderName: evil, siteUrl: 'SITE', signInUrl: 'SIGN-IN', token: 'secret' }),
      securityNotice({ ...person, change: { kind: 'passkey removed', name: evil }, ip: '::1', at: 0 }),
    ]) {
      assert.doesNotMatch(text, LINK);
      // The title is in no mail program a text to click on.
      assert.doesNotMatch(html.replace(/<title>.*<\/title>/, ''), LINK);
      assert.equal(text.replaceAll('\u200b', '').includes(evil), true, 'it reads the same');
    }
  });

  test('become no links beside an @ that makes no address of them', () => {
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

  test('are cut when they are too long to be names', () => {
    const name = '🦉'.repeat(255);
    const person = { ...sender, userName: name, userEmail: 'ann@example.com', accountName: name };
    const notice = securityNotice({ ...person, change: { kind: 'passkey added', name }, ip: '::1', at: 0 });
    const { text, subject, toName, fromName } = notice;
    for (const told of [text, subject, toName, fromName]) {
      assert.ok(told.isWellFormed());
      assert.ok(told.includes(`${'🦉'.repeat(99)}…`));
      assert.ok(!told.includes('🦉'.repeat(100)));
    }
  });

  test('stay as they are where nothing could become a link', () => {
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
