import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import specification from 'commonmark-spec';
import { lineEndsOf, textWithEnds } from '../admin/src/screens/editor/markdown/line-ends.ts';
import { bodies } from './bodies.ts';
import { keepBodies, openedAndPublished } from './unchanged-bodies.ts';
import { markdown, type StoredBody } from './writing.ts';

/* Every body goes through the editors of the app in a real browser, on SQLite alone: what is tried here is the browser's. */

test('no byte of a body in Markdown changes by opening it, or by taking back what was written', async (t) => {
  const examples: StoredBody[] = inGroups(specification.tests, 100).map((group) => ({
    what: `CommonMark ${group[0]!.number} to ${group.at(-1)!.number}`,
    body: group.map(({ markdown: example }) => example).join('\n'),
    format: markdown,
  }));
  // As Markdown they are text, of which several make one: but for those whose ends, or ends of lines, are what they are for.
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

test('what the editors of text keep of a body is that body, and again once a change is undone', () => {
  const alone = [...specification.tests.map(({ markdown: body }) => body), ...bodies.map(([, body]) => body)];
  for (const body of alone) {
    let state = EditorState.create({ doc: body, extensions: [history(), lineEndsOf(body)] });
    assert.equal(textWithEnds(state), body);
    state = state.update({ changes: { from: 0, to: state.doc.length, insert: 'x' } }).state;
    assert.equal(textWithEnds(state), 'x');
    undo({
      state,
      dispatch: (transaction) => {
        state = transaction.state;
      },
    });
    assert.equal(textWithEnds(state), body);
  }
});

/** So many to a page: opening one takes longest, and an editor lays out only what is near to what it shows. */
function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, index * size + size),
  );
}
