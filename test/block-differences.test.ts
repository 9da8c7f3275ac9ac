import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Block,
  blockDifferences,
  type ChangedBlock,
  lineBlocks,
} from '../admin/src/screens/editor/history/block-differences.ts';

/* The comparison of two rendered texts in the admin app. */

/** `h2: Opening hours` is a heading; formatted words have an asterisk. */
function blocksOf(text: string): Block[] {
  return text.split('\n').map((line) => {
    const [, kind = '', words = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return { kind, key: line, tokens: words.split(/( )/).filter((word) => word !== '') };
  });
}

/** Returns one line for each block, with removed words in [] and added words in {}. */
function shown(left: string, right: string, read = blocksOf): string[] {
  const write = (side: ChangedBlock<Block> | undefined, marks: string) =>
    side
      ? `${side.block.kind}: ${side.block.tokens
          .map((token, index) => (!side.changed || side.changed[index] ? marks.replace('_', token) : token))
          .join('')
          .replaceAll('][', '')
          .replaceAll('}{', '')}`
      : '';
  return blockDifferences(read(left), read(right)).map((row) =>
    row.isSame
      ? `= ${row.left.map(({ kind, tokens }) => `${kind}: ${tokens.join('')}`).join(' / ')}`
      : `- ${write(row.left, '[_]')} + ${write(row.right, '{_}')}`,
  );
}

test('similar blocks are compared by word, even when another block was added before them', () => {
  assert.deepEqual(
    shown(
      'h2: Hours\np: We open at eight.\np: Call us.',
      'h2: Hours\np: New: a terrace.\np: We open at nine.\np: Call us.',
    ),
    ['= h2: Hours', '-  + p: {New: a terrace.}', '- p: We open at [eight.] + p: We open at {nine.}', '= p: Call us.'],
  );
});

test('a block of another kind counts as a changed block, and a change of format as a changed word', () => {
  assert.deepEqual(shown('p: Opening hours', 'h2: Opening hours'), ['- p: [Opening hours] + h2: {Opening hours}']);
  assert.deepEqual(shown('p: We open at eight.', 'p: We open at eight.*'), [
    '- p: We open at [eight.] + p: We open at {eight.*}',
  ]);
});

test('blocks with nothing in common are shown side by side', () => {
  assert.deepEqual(shown('p: Bread\np: Rolls', 'p: Tables and chairs'), [
    '- p: [Bread] + p: {Tables and chairs}',
    '- p: [Rolls] + ',
  ]);
});

test('a comparison contains all of both texts, in order', () => {
  const word = fc.constantFrom('a', 'b', 'bread', 'and', 'cake', ' ');
  const block = fc
    .record({ kind: fc.constantFrom('p', 'h2'), tokens: fc.array(word, { maxLength: 8 }) }, { noNullPrototype: true })
    .map(({ kind, tokens }) => ({ kind, key: JSON.stringify([kind, ...tokens]), tokens }));
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

/** Returns lines without the kind and the line end that all of them have. */
function shownLines(left: string, right: string): string[] {
  return shown(left, right, lineBlocks).map((row) => row.replaceAll('line: ', '').replaceAll('\n', ''));
}

test('similar lines are compared by word, and other lines are shown whole', () => {
  assert.deepEqual(shownLines('One\nFrom eight to six.\nTwo', 'One\nFrom nine to six.\nTwo'), [
    '= One',
    '- From [eight] to six. + From {nine} to six.',
    '= Two',
  ]);
  assert.deepEqual(shownLines('Green oak', 'Concrete and steel'), ['- [Green oak] + {Concrete and steel}']);
  assert.deepEqual(shownLines('One\nTwo', 'One\nAnd a half\nTwo'), ['= One', '-  + {And a half}', '= Two']);
  assert.deepEqual(shown('One\n\nTwo', 'One\nTwo', lineBlocks), ['= line: One\n', '- line: [\n] + ', '= line: Two\n']);
});

test('adjacent replaced words are shown as one change', () => {
  assert.deepEqual(shownLines('We build houses of green oak in Harrow.', 'We build houses of dry stone in Harrow.'), [
    '- We build houses of [green oak] in Harrow. + We build houses of {dry stone} in Harrow.',
  ]);
});

test('words are found in languages with and without spaces between words', () => {
  assert.deepEqual(shownLines('Мы строим дома из дуба', 'Мы строили дома из дуба'), [
    '- Мы [строим] дома из дуба + Мы {строили} дома из дуба',
  ]);
  assert.deepEqual(shownLines('今日は天気がいいです', '今日は天気が悪いです'), [
    '- 今日は天気が[いい]です + 今日は天気が{悪い}です',
  ]);
});

test('each of several edited lines is shown beside its former version', () => {
  const left = '<p>From eight on</p>\n<p>Until six at last</p>';
  assert.equal(shownLines(left, left.replace('eight', 'nine').replace('six', 'five')).length, 2);
});

test('a change of line endings is no difference', () => {
  assert.deepEqual(shownLines('One\r\nTwo\rThree', 'One\nTwo\nThree'), ['= One / Two / Three']);
});

test('long texts with nothing in common are shown as replaced, even between unchanged texts', () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}`);
  const [left, right] = ['oak', 'elm'].map((word) => ['start', ...lines(word), 'end'].join('\n')) as [string, string];
  const rows = shownLines(left, right);
  assert.deepEqual([rows.at(0), rows.at(-1)], ['= start', '= end']);
});
