import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateLabel, validateName } from './name.ts';

describe('validating names', () => {
  test('names of users, accounts and keys may contain any script, joiners and direction marks', () => {
    for (const name of ['Ann O’Neill', 'می\u200cخواهم', 'क्\u200dष', '👩\u200d💻', 'שלום\u200f!', 'Soft\u00adhyphen']) {
      assert.equal(validateLabel(name), undefined, name);
    }
  });

  test('names of users, accounts and keys must not reverse or break the surrounding text', () => {
    for (const character of ['\u202e', '\u202a', '\u2066', '\u2069', '\n', '\t', '\u001b', '\u2028', '\u0085']) {
      assert.deepEqual(validateLabel(`Ann${character}gpj`), { code: 'control_character' });
      assert.equal(validateName(`Ann${character}gpj`), undefined, 'the names of pages may contain control characters');
    }
    for (const blank of ['', '\u200b', '\u3164\u3164', '\u2800 \u2800', '\u00ad\ufeff', '\u200f']) {
      assert.deepEqual(validateLabel(blank), { code: 'blank' });
    }
    assert.deepEqual(validateLabel('\0'), { code: 'nul_character' });
  });
});
