import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSentences } from './first-sentences.ts';

test('a short text is not cut', () => {
  assert.equal(firstSentences('We bake bread.'), 'We bake bread.');
  assert.equal(firstSentences(''), '');
});

test('a text is cut after the last whole sentence that fits', () => {
  const text =
    'We bake bread every morning. We have done so since 1920. And we will go on for as long as there is flour.';
  assert.equal(firstSentences(text, 60), 'We bake bread every morning. We have done so since 1920.');
});

test('a sentence that does not fit is cut at the end of a word', () => {
  assert.equal(firstSentences('We bake bread, cakes and rolls for the whole town', 16), 'We bake bread…');
});

test('a very short first sentence is followed by the beginning of the next', () => {
  assert.equal(
    firstSentences('Hi! We bake bread for everybody in this town and the next', 30),
    'Hi! We bake bread for…',
  );
});

test('texts in languages without spaces are cut between words, too', () => {
  const text = firstSentences('我們每天早上為全鎮的人烤麵包，已經有一百年的歷史，歡迎光臨我們的麵包店', 12);
  assert.match(text, /^我們每天早上為.*…$/);
  assert.ok(text.length <= 12);
});

test('no character is cut in two, and no text is longer than allowed', () => {
  const text = firstSentences('😀'.repeat(100), 10);
  assert.ok(text.isWellFormed());
  assert.ok(text.length <= 10);
  assert.ok(firstSentences('x'.repeat(1000)).length <= 160);
});
