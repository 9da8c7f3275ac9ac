import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWellFormedKey, newApiKey } from './api-key.ts';

const characters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

test('a key issued by an earlier version is well-formed', () => {
  assert.ok(isWellFormedKey('fh_0123456789ABCDEFGHIJKLMNOP4XCOD7'));
});

test('a key with any mistyped character is not well-formed', () => {
  fc.assert(
    fc.property(fc.nat(31), fc.constantFrom(...characters), (at, character) => {
      const key = newApiKey();
      const place = 'fh_'.length + at;
      fc.pre(key[place] !== character);
      assert.ok(isWellFormedKey(key));
      assert.ok(!isWellFormedKey(key.slice(0, place) + character + key.slice(place + 1)));
    }),
  );
});

test('a key that is shorter or longer, or has another prefix, is not well-formed', () => {
  const key = newApiKey();
  for (const text of [key.slice(0, -1), `${key}0`, ` ${key}`, key.replace('fh_', 'FH_'), key.slice(3), '']) {
    assert.ok(!isWellFormedKey(text), text);
  }
});
