import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { normalForm } from './normal-form.ts';

const forms = ['NFC', 'NFKC', 'NFKD'] as const;

test('normalForm equals String.normalize for text that people write', () => {
  for (const text of [
    'plain',
    'Amélie',
    'ame\u0301lie',
    '½ ﬁ ｶﾞ',
    'Việt Nam',
    'हिन्दी',
    'ทำ',
    `e${'\u0301'.repeat(30)}`,
  ]) {
    for (const form of forms) assert.equal(normalForm(text, form), text.normalize(form));
  }
});

test('normalForm leaves no more than 30 combining marks in a row', () => {
  for (const marks of ['\u0301', '\u0301\u0316', '\uff9e', `${'\u0301'.repeat(30)}\uff9e`]) {
    const text = `e${marks.repeat(1000)}a`;
    for (const form of forms) {
      const [longest = ''] = normalForm(text, form).match(/\p{M}+/gu) ?? [];
      assert.ok(longest.length <= 30, `${form} ${longest.length}`);
      assert.ok(normalForm(text, form).endsWith('a'));
    }
  }
});

test('normalForm counts every character that normalizing may have to reorder', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    // Normalizing changes one of the two orders of a mark above and a mark below.
    const isSorted = ['\u0301', '\u0316'].some(
      (mark) =>
        (character + mark).normalize('NFD').startsWith(mark) || (mark + character).normalize('NFKD')[0] !== mark,
    );
    if (isSorted) assert.match(character, /[\p{M}\uff9e\uff9f]/u, code.toString(16));
  }
});

test('no other code of the service normalizes text', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const others = files.filter((file) => /(?<!\.test)\.ts$/.test(file) && file !== 'normal-form.ts');
  assert.ok(others.length > 300);
  const found = others.filter((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes('.normalize('));
  assert.deepEqual(found, []);
});
