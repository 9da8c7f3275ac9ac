import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from './describe.ts';

test('a short text is its own description', () => {
  assert.equal(describe(''), '');
  assert.equal(describe('We bake bread. Every day.'), 'We bake bread. Every day.');
});

test('of a long text as many sentences are taken as fit', () => {
  const sentence = 'We have been baking bread here for sixty years now. ';
  assert.equal(describe(sentence.repeat(10)), sentence.repeat(3).trim());
});

test('a long sentence is cut between words', () => {
  const text = describe(`${'word '.repeat(100)}.`);
  assert.ok(text.length <= 160, text);
  assert.match(text, /word…$/);
});

test('languages without spaces are cut between characters', () => {
  for (const character of ['面', '😀']) {
    const text = describe(character.repeat(300));
    assert.ok(text.length <= 160 && text.endsWith(`${character}…`), text);
  }
});
