import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import specification from 'commonmark-spec';
import { preserveLineEnds, textWithLineEnds } from '../admin/src/screens/editor/markdown/line-ends.ts';
import { bodies } from './bodies.ts';
import { keepBodies, openedAndPublished } from './unchanged-bodies.ts';
import { markdown, type StoredBody } from './writing.ts';

/* Opens every body in the app's editors in a real browser. SQLite alone is enough, because this tests the browser's part. */

test('no byte of a body in Markdown changes when it is opened, or when a change is undone', async (t) => {
  const examples: StoredBody[] = inGroups(specification.tests, 100).map((group) => ({
    what: `CommonMark ${group[0]!.number} to ${group.at(-1)!.number}`,
    body: group.map(({ markdown: example }) => example).join('\n'),
    format: markdown,
  }));
  // In Markdown, several bodies can be joined to one text, except those that test line endings or white space at the ends.
  const isPlain = ([, body]: (typeof bodies)[number]) => /^\S[^\r]*\S$/.test(body) && body.length < 5000;
  const together = inGroups(bodies.filter(isPlain), 10).map(
    (group) => [`from ${group[0]![0]} to ${group.at(-1)![0]}`, group.map(([, body]) => body).join('\n\n')] as const,
  );
  const own: StoredBody[] = [...bodies.filter((one) => !isPlain(one)), ...together].map(([what, body]) => ({
    what: `${what} as Markdown`,
    body,
    format: markdown,
  }));
  assert.ok(bodies.length > 60 && specification.tests.length > 600);
  await keepBodies(t, [
    { what: 'every CommonMark example stays as it is', bodies: examples, rename: false },
    ...openedAndPublished(own),
  ]);
});

test('the text editors keep a body byte for byte, and restore it when a change is undone', () => {
  const alone = [...specification.tests.map(({ markdown: body }) => body), ...bodies.map(([, body]) => body)];
  for (const body of alone) {
    let state = EditorState.create({ doc: body, extensions: [history(), preserveLineEnds(body)] });
    assert.equal(textWithLineEnds(state), body);
    state = state.update({ changes: { from: 0, to: state.doc.length, insert: 'x' } }).state;
    assert.equal(textWithLineEnds(state), 'x');
    undo({
      state,
      dispatch: (transaction) => {
        state = transaction.state;
      },
    });
    assert.equal(textWithLineEnds(state), body);
  }
});

/** Groups bodies into one page each: opening a page takes longest, and an editor lays out only what is near the visible part. */
function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, index * size + size),
  );
}
