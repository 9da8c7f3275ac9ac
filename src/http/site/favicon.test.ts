import assert from 'node:assert/strict';
import { test } from 'node:test';
import { favicon, initial } from './favicon.ts';

test('the initial is the first letter or digit of any script, in upper case', () => {
  const initials = [
    'acme',
    '  élan',
    '"Quoted"',
    '3M',
    'ßtraße',
    '山田木工所',
    'नमस्ते',
    'مخبز',
    '👩‍🚀 Rockets',
    '👩‍🚀',
    '',
    // Characters that XML does not allow.
    '\u0001\ufffe',
    '\u0001!',
  ];
  assert.deepEqual(initials.map(initial), ['A', 'É', 'Q', '3', 'ß', '山', 'न', 'م', 'R', '👩‍🚀', '·', '·', '!']);
});

test('the favicon is an SVG with the initial in a legible colour', () => {
  assert.match(favicon('<script>', '#ffff00'), /^<svg xmlns="[^"]+".*>S<\/text><\/svg>$/);
  assert.match(favicon('<<<', '#ffffff'), />&lt;<\/text>/);
});
