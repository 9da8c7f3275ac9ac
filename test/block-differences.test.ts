import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Block,
  blockDifferences,
  type ChangedBlock,
} from '../admin/src/screens/editor/history/block-differences.ts';

/* What the admin app shows where two texts are compared as they are read. */

/** `h2: Opening hours` is a heading; formatted words have an asterisk. */
function blocksOf(text: string): Block[] {
  return text.split('\n').map((line) => {
    const [, kind = '', words = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return { kind, tokens: words.split(/( )/).filter((word) => word !== '') };
  });
}

/** As one line for each: what is gone in [], what is new in {}. */
function shown(left: string, right: string): string[] {
  const write = (side: ChangedBlock<Block> | undefined, marks: string) =>
    side
      ? `${side.block.kind}: ${side.block.tokens
          .map((token, index) => (!side.changed || side.changed[index] ? marks.replace('_', token) : token))
          .join('')
          .replaceAll('][', '')
          .replaceAll('}{', '')}`
      : '';
  return blockDifferences(blocksOf(left), blocksOf(right)).map((row) =>
    row.isSame
      ? `= ${row.left.map(({ kind, tokens }) => `${kind}: ${tokens.join('')}`).join(' / ')}`
      : `- ${write(row.left, '[_]')} + ${write(row.right, '{_}')}`,
  );
}

test('blocks that are alike are compared by word, also where one was added before', () => {
  assert.deepEqual(
    shown(
      'h2: Hours\np: We open at eight.\np: Call us.',
      'h2: Hours\np: New: a terrace.\np: We open at nine.\np: Call us.',
    ),
    ['= h2: Hours', '-  + p: {New: a terrace.}', '- p: We open at [eight.] + p: We open at {nine.}', '= p: Call us.'],
  );
});

test('what has another kind is another block, and another format another word', () => {
  assert.deepEqual(shown('p: Opening hours', 'h2: Opening hours'), ['- p: [Opening hours] + h2: {Opening hours}']);
  assert.deepEqual(shown('p: We open at eight.', 'p: We open at eight.*'), [
    '- p: We open at [eight.] + p: We open at {eight.*}',
  ]);
});

test('blocks with nothing in common stand beside each other', () => {
  assert.deepEqual(shown('p: Bread\np: Rolls', 'p: Tables and chairs'), [
    '- p: [Bread] + p: {Tables and chairs}',
    '- p: [Rolls] + ',
  ]);
});

test('all of both texts is there, in order', () => {
  const word = fc.constantFrom('a', 'b', 'bread', 'and', 'cake', ' ');
  const block = fc.record(
    { kind: fc.constantFrom('p', 'h2'), tokens: fc.array(word, { maxLength: 8 }) },
    { noNullPrototype: true },
  );
  const text = fc.array(block, { maxLength: 130 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const rows = blockDifferences(left, right);
      const side = (name: 'left' | 'right') =>
        rows.flatMap((row) => (row.isSame ? row[name] : row[name] ? [row[name].block] : []));
      assert.deepEqual(side('left'), left);
      assert.deepEqual(side('right'), right);
      for (const row of rows) {
        if (row.isSame) assert.deepEqual(row.left, row.right);
        else
          for (const one of [row.left, row.right])
            assert.ok(!one?.changed || one.changed.length === one.block.tokens.length);
      }
    }),
  );
});
