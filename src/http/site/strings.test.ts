import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../../admin/src/parts/languages.ts';
import { stringsFor } from './strings.ts';

const english = stringsFor('en');

test('every language that a site can have has all words of the themes', () => {
  for (const language of languages) {
    const own = stringsFor(language);
    if (!language.startsWith('en')) assert.notEqual(own.notFoundText, english.notFoundText, language);
    for (const [key, value] of Object.entries(english)) {
      const word = own[key as keyof typeof own];
      assert.equal(typeof word, typeof value, `${language}: ${key}`);
      const text = typeof word === 'function' ? word('<x>') : word;
      assert.ok(text.length > 1 && !text.includes('{') && (typeof word === 'string' || text.includes('<x>')), text);
    }
  }
});

test('a language tag without its own words gets those of the closest language, or English', () => {
  const menu = (tag: string) => stringsFor(tag).notFoundTitle;
  assert.deepEqual([menu('pt-BR'), menu('nn'), menu('zh-Hant-TW')], [menu('pt'), menu('nb'), menu('zh-TW')]);
  assert.notEqual(menu('zh-TW'), menu('zh-CN'));
  assert.equal(menu('tlh'), english.notFoundTitle);
});
