import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStrictJson } from './strict-json.ts';

test('valid JSON is parsed as JSON.parse does', () => {
  const nested = `${'['.repeat(16)}${']'.repeat(16)}`;
  for (const json of [
    '{}',
    '0',
    '"x"',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a\\"":1,"a":"a\\\\"}',
    '{"a":"b\\":","c":"a"}',
    '["a","a"]',
    nested,
    JSON.stringify({ text: '"[{,'.repeat(100_000) }),
    JSON.stringify(Array(9_000).fill(0)),
  ]) {
    assert.deepEqual(parseStrictJson(json), JSON.parse(json), json.slice(0, 100));
  }
});

test('JSON with duplicate names, half characters, or too many values or levels is refused', () => {
  for (const json of [
    '',
    '{',
    '{"a":1}}',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"b":{},"a":1,"b":2}]}',
    '{"a":"\\ud83d"}',
    '{"a":["x\\uDE00"]}',
    '{"\\ud83d":1}',
    `${'['.repeat(17)}${']'.repeat(17)}`,
    JSON.stringify(Array(10_001).fill(0)),
    `{${Array.from({ length: 10_001 }, (_, index) => `"${index}":0`)}}`,
  ]) {
    assert.throws(() => parseStrictJson(json), SyntaxError, json.slice(0, 100));
  }
});

test('JSON with too many values is refused before it is parsed', (t) => {
  const parse = t.mock.method(JSON, 'parse');
  for (const json of ['[', '{"":', '0,', '"",', '[],'].map((unit) => unit.repeat(1_000_000))) {
    assert.throws(() => parseStrictJson(json), SyntaxError);
  }
  assert.equal(parse.mock.callCount(), 0);
});
