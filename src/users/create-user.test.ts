import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateEmail } from './create-user.ts';

describe('mail addresses', () => {
  test('real mail addresses are valid, in any script', () => {
    for (const address of [
      'ann@example.com',
      'ann+shop@example.com',
      'Ann.O’Neill@example.com',
      'jürgen@bücher.example',
      'мария@пример.example',
      '用户@例子.example',
      'rene\u0301@example.com',
    ]) {
      assert.equal(validateEmail(address), undefined, address);
    }
  });

  test('an address with an invisible character or one that changes the writing direction is invalid', () => {
    const unseen = {
      'a control character': '\u0007',
      'soft hyphen': '\u00ad',
      'combining grapheme joiner': '\u034f',
      'Arabic letter mark': '\u061c',
      'Hangul filler': '\u115f',
      'Mongolian vowel separator': '\u180e',
      'zero width space': '\u200b',
      'zero width non-joiner': '\u200c',
      'zero width joiner': '\u200d',
      'left-to-right mark': '\u200e',
      'right-to-left override': '\u202e',
      'word joiner': '\u2060',
      'right-to-left isolate': '\u2067',
      'braille blank': '\u2800',
      'wide Hangul filler': '\u3164',
      'variation selector': '\ufe0f',
      'byte order mark': '\ufeff',
      'half-width Hangul filler': '\uffa0',
      'interlinear annotation': '\ufff9',
      'a tag': '\u{e0061}',
      'a lone surrogate': '\ud800',
      'private use': '\ue000',
      'private use in a higher plane': '\u{f0000}',
      unassigned: '\u0378',
      noncharacter: '\uffff',
    };
    for (const [name, character] of Object.entries(unseen)) {
      for (const address of [
        `ann${character}a@example.com`,
        `ann@exam${character}ple.com`,
        `${character}@example.com`,
      ]) {
        assert.deepEqual(validateEmail(address), { code: 'not_a_mail_address' }, name);
      }
    }
  });
});
