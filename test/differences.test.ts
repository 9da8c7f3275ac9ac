import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ChangedText, type Difference, differences } from '../admin/src/screens/editor/history/differences.ts';

/* What the admin app shows where two texts are compared. */

/** As one line for each: what is gone in [], what is new in {}. */
function shown(left: string, right: string): string[] {
  const text = (side: ChangedText | undefined, marks: string) =>
    side?.pieces.map(({ text, isChanged }) => (isChanged ? marks.replace('_', text) : text)).join('') ?? '';
  return differences(left, right).map((row) =>
    (row.isSame ? `= ${row.lines.join('')}` : `- ${text(row.left, '[_]')}+ ${text(row.right, '{_}')}`).replaceAll(
      '\n',
      '¶',
    ),
  );
}

test('differences are marked by word in similar lines, and by line elsewhere', () => {
  assert.deepEqual(shown('One\nFrom eight to six.\nTwo', 'One\nFrom nine to six.\nTwo'), [
    '= One¶',
    '- From [eight] to six.¶+ From {nine} to six.¶',
    '= Two¶',
  ]);
  assert.deepEqual(shown('Green oak', 'Concrete and steel'), ['- [Green oak¶]+ {Concrete and steel¶}']);
  assert.deepEqual(shown('One\nTwo', 'One\nAnd a half\nTwo'), ['= One¶', '- + {And a half¶}', '= Two¶']);
  assert.deepEqual(shown('One\n\nTwo', 'One\nTwo'), ['= One¶', '- [¶]+ ', '= Two¶']);
});

test('words that were replaced one after the other are one change', () => {
  assert.deepEqual(shown('We build houses of green oak in Harrow.', 'We build houses of dry stone in Harrow.'), [
    '- We build houses of [green oak] in Harrow.¶+ We build houses of {dry stone} in Harrow.¶',
  ]);
});

test('words are those of the language, with or without spaces', () => {
  assert.deepEqual(shown('Мы строим дома из дуба', 'Мы строили дома из дуба'), [
    '- Мы [строим] дома из дуба¶+ Мы {строили} дома из дуба¶',
  ]);
  assert.deepEqual(shown('今日は天気がいいです', '今日は天気が悪いです'), [
    '- 今日は天気が[いい]です¶+ 今日は天気が{悪い}です¶',
  ]);
});

test('several lines that were edited each stand beside what they were', () => {
  const left = '<p>From eight on</p>\n<p>Until six at last</p>';
  assert.equal(differences(left, left.replace('eight', 'nine').replace('six', 'five')).length, 2);
});

test('ends of lines are no difference', () => {
  assert.deepEqual(shown('One\r\nTwo\rThree', 'One\nTwo\nThree'), ['= One¶Two¶Three¶']);
});

test('both texts are there in whole, whatever they are', () => {
  const word = fc.constantFrom('a', 'bee', ' ', '\n', '\r\n', '<p>', 'é', '水', '👩‍👩‍👧', '.');
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, (left, right) => {
      const rows = differences(left, right);
      for (const [side, text] of Object.entries({ left, right })) {
        assert.equal(sideOf(rows, side as 'left' | 'right'), `${text.replace(/\r\n|\r/g, '\n')}\n`);
      }
    }),
  );
});

test('long texts that have nothing in common are shown as replaced, whatever is the same around them', () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}`);
  const [left, right] = ['oak', 'elm'].map((word) => ['start', ...lines(word), 'end'].join('\n')) as [string, string];
  const rows = differences(left, right);
  assert.deepEqual(
    [rows.at(0), rows.at(-1)].map((row) => row?.isSame && row.lines),
    [['start\n'], ['end\n']],
  );
  assert.equal(sideOf(rows, 'left'), `${left}\n`);
});

function sideOf(rows: readonly Difference[], side: 'left' | 'right'): string {
  return rows.flatMap((row) => (row.isSame ? row.lines : (row[side]?.pieces.map(({ text }) => text) ?? []))).join('');
}
