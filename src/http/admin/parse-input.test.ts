import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as v from 'valibot';
import { parseInput } from './parse-input.ts';
import { flag, integer, text, textOf } from './schema.ts';

const schema = v.object({
  name: text,
  role: v.optional(textOf<'editor' | 'viewer'>()),
  isHidden: v.optional(flag, false),
  position: v.optional(v.nullable(integer)),
  fields: v.optional(v.object({ body: text }, 'must be an object')),
});

describe('the input of a route', () => {
  test('parsing returns only fields of the schema', () => {
    const body = JSON.parse('{"name":"A","role":"anything","position":null,"other":1,"__proto__":{"x":1}}');
    assert.deepEqual(parseInput(schema, body), { name: 'A', role: 'anything', isHidden: false, position: null });
  });

  test('a value of the wrong type is malformed, and the message names its field', () => {
    for (const [input, message] of [
      [[], 'The body must be a JSON object.'],
      [null, 'The body must be a JSON object.'],
      ['name', 'The body must be a JSON object.'],
      [{}, '"name" is missing.'],
      [{ name: 1 }, '"name" must be a text.'],
      [{ name: null }, '"name" must be a text.'],
      [{ name: 'A', role: null }, '"role" must be a text.'],
      [{ name: 'A', isHidden: 'true' }, '"isHidden" must be true or false.'],
      [{ name: 'A', position: 1.5 }, '"position" must be a whole number.'],
      [{ name: 'A', position: 2 ** 53 }, '"position" must be a whole number.'],
      [{ name: 'A', fields: null }, '"fields" must be an object.'],
      [{ name: 'A', fields: {} }, '"fields.body" is missing.'],
    ] as const) {
      assert.throws(() => parseInput(schema, input), { code: 'malformed', message }, JSON.stringify(input));
    }
  });

  test('every text with a NUL character is reported by the name of its field, without its parents', () => {
    assert.throws(() => parseInput(schema, { name: '\0', role: 'a\0', fields: { body: '\0b' } }), {
      code: 'invalid',
      fields: ['name', 'role', 'body'].map((field) => ({ field, code: 'nul_character' })),
    });
  });
});
