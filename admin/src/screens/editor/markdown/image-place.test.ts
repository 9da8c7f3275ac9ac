import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { insertInMarkdown, placeForFiles } from './image-place.ts';

/** Parses a text in which `¦` marks the cursor, and `^` another position. */
function read(text: string): { state: EditorState; at: number } {
  const cursor = text.replace('^', '').indexOf('¦');
  const place = text.replace('¦', '').indexOf('^');
  const doc = text.replace(/[¦^]/g, '');
  const language = markdown({ base: markdownLanguage });
  const selection = { anchor: cursor === -1 ? doc.length : cursor };
  return { state: EditorState.create({ doc, selection, extensions: language }), at: place === -1 ? cursor : place };
}

function inserted(text: string): string {
  const { state, at } = read(text);
  const next = state.update(insertInMarkdown(state, at, ['![]']))!.state;
  const { head } = next.selection.main;
  const shown = next.doc.toString();
  return text.includes('¦') ? `${shown.slice(0, head)}¦${shown.slice(head)}` : shown;
}

describe('inserting an image into Markdown', () => {
  const table = '| a | b |\n| - | - |\n| c | d |';
  for (const [place, before, after] of [
    ['in an empty text', '¦', '![]\n\n¦'],
    ['after a text', 'One¦', 'One\n\n![]\n\n¦'],
    ['after a text and a space', 'One ¦', 'One \n\n![]\n\n¦'],
    ['between two words', 'One¦ two', 'One\n\n![]\n\n¦two'],
    ['between the lines of a paragraph', 'One¦\ntwo', 'One\n\n![]\n¦\ntwo'],
    ['before the second line of a paragraph', 'One\n¦two', 'One\n\n![]\n\n¦two'],
    ['before a text', '¦One', '![]\n\n¦One'],
    ['on the line below a text', 'One\n¦', 'One\n\n![]\n\n¦'],
    ['after a heading', '## One¦\nTwo', '## One\n\n![]\n\n¦\nTwo'],
    ['after a rule', '---¦', '---\n\n![]\n\n¦'],
    ['after HTML', '<p>x</p>¦', '<p>x</p>\n\n![]\n\n¦'],
    ['after a table', `${table}¦`, `${table}\n\n![]\n\n¦`],
    ['away from the cursor', 'One^\n\nTwo¦', 'One\n\n![]\n\nTwo¦'],
    ['above a text and away from the cursor', 'One^\n# Two¦', 'One\n\n![]\n\n# Two¦'],
    ['on an empty line away from the cursor', 'One\n^\nTwo¦', 'One\n\n![]\n\nTwo¦'],
    ['within a heading of two lines', 'O¦ne\n===', 'O¦ne\n===\n\n![]'],
    ['in a list', '- One¦\n- Two', '- One\n\n  ![]\n\n  ¦\n- Two'],
    ['in a numbered list', '1. One^two\n2. Three¦', '1. One\n\n   ![]\n\n   two\n2. Three¦'],
    ['after the box of a task', '- [ ] ¦One', '- [ ] ¦One\n\n  ![]'],
    ['in an empty list item', '- One\n- ¦', '- One\n- ![]¦'],
    ['in a quotation', '> One^\n> two¦', '> One\n>\n> ![]\n>\n> two¦'],
    ['before a line of a quotation', '> One\n> ^two¦', '> One\n> \n> ![]\n>\n> two¦'],
  ] as const) {
    test(`an image ${place} gets its own paragraph`, () => assert.equal(inserted(before), after));
  }

  test('each of several images gets its own paragraph', () => {
    const { state, at } = read('> One¦');
    const { changes } = insertInMarkdown(state, at, ['![1]', '![2]']);
    assert.equal(changes.apply(state.doc).toString(), '> One\n>\n> ![1]\n>\n> ![2]\n>\n> ');
  });

  test('an image within code, HTML or a table stays in its line', () => {
    assert.equal(inserted('```\na¦\n```'), '```\na![]¦\n```');
    assert.equal(inserted('<div>\na¦\n</div>'), '<div>\na![]¦\n</div>');
    assert.equal(inserted('| a¦ | b |\n| - | - |'), '| a![]¦ | b |\n| - | - |');
  });
});

test('a dropped image is inserted before or after the block under the pointer', () => {
  for (const [before, after] of [
    ['O^ne two', '^One two'],
    ['One tw^o', 'One two^'],
    ['One\nlong line^\nthree', 'One\nlong line\nthree^'],
    ['- [ ] ^task', '- [ ] task^'],
    ['One\n\n^\n\nTwo', 'One\n\n^\n\nTwo'],
    ['```\na^b\n```', '```\na^b\n```'],
  ] as const) {
    const { state, at } = read(before);
    const place = placeForFiles(state, at);
    const doc = state.doc.toString();
    assert.equal(`${doc.slice(0, place)}^${doc.slice(place)}`, after);
  }
});
