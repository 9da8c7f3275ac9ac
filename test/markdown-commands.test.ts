import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState, type StateCommand } from '@codemirror/state';
import { markdownImage } from '../admin/src/screens/editor/images/image-markup.ts';
import {
  insertBlock,
  toggleAround,
  toggleCodeBlock,
  toggleLines,
} from '../admin/src/screens/editor/markdown/commands.ts';
import { linkAt, removeLink, setLink } from '../admin/src/screens/editor/markdown/links.ts';

/* The commands of the Markdown editor, which map a text with a selection to another. */

/**
 * Returns the text after a command. In both texts, `[` and `]` mark the selection, and `|` an empty one. Task boxes are
 * therefore written `☐` and `☑`.
 */
function after(command: StateCommand, ...text: string[]): string {
  const written = text.join('\n').replaceAll('☐', '\u0001 \u0002').replaceAll('☑', '\u0001x\u0002');
  const cursor = written.indexOf('|');
  const [anchor, head] = cursor >= 0 ? [cursor, cursor] : [written.indexOf('['), written.indexOf(']') - 1];
  let state = EditorState.create({
    doc: written
      .replace(/[[\]|]/g, '')
      .replaceAll('\u0001', '[')
      .replaceAll('\u0002', ']'),
    selection: { anchor, head },
    extensions: markdown({ base: markdownLanguage }),
  });
  const done = command({
    state,
    dispatch: (transaction) => {
      assert.ok(transaction.isUserEvent('input'));
      state = transaction.state;
    },
  });
  assert.equal(done, true, 'the browser is not to do something else besides');
  const { from, to } = state.selection.main;
  const part = (...ends: [number, number?]) =>
    state.doc
      .toString()
      .slice(...ends)
      .replaceAll('[ ]', '☐')
      .replaceAll('[x]', '☑');
  if (from === to) return `${part(0, from)}|${part(from)}`;
  return `${part(0, from)}[${part(from, to)}]${part(to)}`;
}

const lines = (...of: string[]) => of.join('\n');

for (const [name, mark] of Object.entries({ bold: '**', italic: '*', 'struck through': '~~', code: '`' })) {
  const toggle = toggleAround(mark);

  test(`${name}: the command toggles the marks and keeps the selection`, () => {
    assert.equal(after(toggle, 'All [good] things'), `All ${mark}[good]${mark} things`);
    assert.equal(after(toggle, `All ${mark}[good]${mark} things`), 'All [good] things');
    assert.equal(after(toggle, `All [${mark}good${mark}] things`), 'All [good] things');
  });

  test(`${name}: without a selection, the next typed text is formatted`, () => {
    assert.equal(after(toggle, 'All |'), `All ${mark}|${mark}`);
    assert.equal(after(toggle, `All ${mark}|${mark}`), 'All |');
  });

  test(`${name}: each selected line gets its own marks, after its list marker and without spaces at the edges`, () => {
    assert.equal(after(toggle, 'All [good ]things'), `All ${mark}[good]${mark} things`);
    assert.equal(after(toggle, '[- One]'), `- ${mark}[One]${mark}`);
    const [one, two] = [`${mark}One${mark}`, `${mark}Two${mark}`];
    assert.equal(after(toggle, '[One', 'Two]'), lines(`[${one}`, `${two}]`));
    assert.equal(after(toggle, `[${one}`, `${two}]`), lines('[One', 'Two]'));
    assert.equal(after(toggle, `[${one}`, 'Two]'), lines(`[${one}`, `${two}]`), 'it is the second that lacks them');
    const listed = ['', '> Three', '## Four]'];
    const marked = ['', `> ${mark}Three${mark}`, `## ${mark}Four${mark}]`];
    assert.equal(after(toggle, '[- One', '2. Two ', ...listed), lines(`[- ${one}`, `2. ${two} `, ...marked));
    assert.equal(after(toggle, `[- ${one}`, `2. ${two} `, ...marked), lines('[- One', '2. Two ', ...listed));
    assert.equal(after(toggle, '[ ] none'), '[ ] none');
  });
}

test('bold and italic do not remove each other', () => {
  assert.equal(after(toggleAround('*'), '**[good]**'), '***[good]***');
  assert.equal(after(toggleAround('*'), '[**good**]'), '*[**good**]*');
  assert.equal(after(toggleAround('**'), '*[good]*'), '***[good]***');
  assert.equal(after(toggleAround('*'), '***[good]***'), '**[good]**');
  assert.equal(after(toggleAround('**'), '***[good]***'), '*[good]*');
  assert.equal(after(toggleAround('**'), '***|***'), '*|*');
});

test('formatting keeps a backward selection backward', () => {
  const state = EditorState.create({ doc: 'All good', selection: { anchor: 8, head: 4 } });
  toggleAround('**')({
    state,
    dispatch: ({ newSelection: { main } }) => assert.deepEqual([main.anchor, main.head], [10, 6]),
  });
});

const signs = { heading: '## ', 'smaller heading': '### ', list: '- ', 'list of tasks': '- ☐ ', quotation: '> ' };
for (const [name, sign] of Object.entries(signs)) {
  const toggle = toggleLines(sign.replace('☐', '[ ]'));

  test(`${name}: the command toggles the line's marker and keeps the cursor in its place in the text`, () => {
    assert.equal(after(toggle, 'Above', 'Wo|rd', 'Below'), lines('Above', `${sign}Wo|rd`, 'Below'));
    assert.equal(after(toggle, 'Above', `${sign}Wo|rd`, 'Below'), lines('Above', 'Wo|rd', 'Below'));
    assert.equal(after(toggle, 'A [whole word] there'), `${sign}A [whole word] there`);
    assert.equal(after(toggle, '|'), `${sign}|`, 'one writes behind it');
    assert.equal(after(toggle, 'Above', '|', 'Below'), lines('Above', `${sign}|`, 'Below'));
    assert.equal(after(toggle, `${sign}|`), '|');
  });

  test(`${name}: all selected lines get the marker, or lose it if all have it`, () => {
    assert.equal(after(toggle, 'O[ne', 'Tw]o', 'Three'), lines(`${sign}O[ne`, `${sign}Tw]o`, 'Three'));
    assert.equal(after(toggle, `${sign}O[ne`, `${sign}Tw]o`, 'Three'), lines('O[ne', 'Tw]o', 'Three'));
    assert.equal(after(toggle, `${sign}O[ne`, 'Tw]o'), lines(`${sign}O[ne`, `${sign}Tw]o`));
    assert.equal(after(toggle, '[One', ']Two'), lines(`${sign}[One`, ']Two'), 'nothing of the second is selected');
  });
}

test('empty lines in a selection become no headings or list items, but a quotation includes them', () => {
  for (const sign of ['## ', '- ']) {
    assert.equal(after(toggleLines(sign), 'O[ne', '', 'Tw]o'), lines(`${sign}O[ne`, '', `${sign}Tw]o`));
    assert.equal(after(toggleLines(sign), `${sign}O[ne`, '', `${sign}Tw]o`), lines('O[ne', '', 'Tw]o'));
  }
  assert.equal(after(toggleLines('1. '), 'O[ne', '', 'Tw]o'), lines('1. O[ne', '', '2. Tw]o'));
  assert.equal(after(toggleLines('> '), 'O[ne', '', 'Tw]o'), lines('> O[ne', '> ', '> Tw]o'));
});

test('a numbered list is renumbered', () => {
  const numbered = toggleLines('1. ');
  assert.equal(after(numbered, 'O[ne', 'Two', 'Thr]ee'), lines('1. O[ne', '2. Two', '3. Thr]ee'));
  assert.equal(after(numbered, '4. O[ne', '17. Tw]o'), lines('O[ne', 'Tw]o'));
  assert.equal(after(numbered, '|'), '1. |');
});

test('checked tasks count as tasks, and bold text begins after the box', () => {
  assert.equal(after(toggleLines('- [ ] '), '- ☑ O[ne', '* ☐ Tw]o'), lines('O[ne', 'Tw]o'));
  assert.equal(after(toggleAround('**'), '[- ☑ One]'), '- ☑ **[One]**');
});

test('a line has one block format at a time', () => {
  assert.equal(after(toggleLines('### '), '## Wo|rd'), '### Wo|rd');
  assert.equal(after(toggleLines('## '), '### Wo|rd'), '## Wo|rd');
  assert.equal(after(toggleLines('1. '), '- O[ne', '* Tw]o'), lines('1. O[ne', '2. Tw]o'));
  assert.equal(after(toggleLines('- '), '1. Wo|rd'), '- Wo|rd');
  assert.equal(after(toggleLines('> '), '# Wo|rd'), '> Wo|rd');
  assert.equal(after(toggleLines('- [ ] '), '- O[ne', '2. Tw]o'), lines('- ☐ O[ne', '- ☐ Tw]o'));
  assert.equal(after(toggleLines('- '), '- ☑ Wo|rd'), '- Wo|rd');
  assert.equal(after(toggleLines('1. '), '* ☐ Wo|rd'), '1. Wo|rd');
});

test('a code block gets fences around its lines, and loses them with the cursor anywhere inside', () => {
  assert.equal(
    after(toggleCodeBlock, 'Above', 'l[et', 'i]t', 'Below'),
    lines('Above', '```', 'l[et', 'i]t', '```', 'Below'),
  );
  assert.equal(
    after(toggleCodeBlock, 'Above', '```', 'l[et', 'i]t', '```', 'Below'),
    lines('Above', 'l[et', 'i]t', 'Below'),
  );
  assert.equal(after(toggleCodeBlock, '```js', 'one', 't|wo', 'three', '```'), lines('one', 't|wo', 'three'));
  assert.equal(after(toggleCodeBlock, '|'), lines('```', '|', '```'));
  assert.equal(after(toggleCodeBlock, '```', '|', '```'), '|');
  assert.equal(after(toggleCodeBlock, '```|', '```', 'Below'), lines('|', 'Below'));
  assert.equal(
    after(toggleCodeBlock, 'Above', '', '~~~', 'on|e'),
    lines('Above', '', 'on|e'),
    'one that is not closed',
  );
});

test('fences inside a code block do not end it', () => {
  assert.equal(
    after(toggleCodeBlock, '[```', 'one', '```', 'two]'),
    lines('````', '[```', 'one', '```', 'two]', '````'),
  );
});

test('an inserted block gets empty lines around it, and the cursor moves below it', () => {
  const rule = insertBlock('---');
  assert.equal(after(rule, '|'), lines('---', '', '|'));
  assert.equal(after(rule, 'Above', '|'), lines('Above', '', '---', '', '|'));
  assert.equal(after(rule, 'Above', '', '|', 'Below'), lines('Above', '', '---', '', '|', 'Below'));
  assert.equal(after(rule, 'Before| behind'), lines('Before', '', '---', '', '| behind'));
  assert.equal(after(rule, 'Before [this] behind'), lines('Before ', '', '---', '', '| behind'));
  const table = ['| First | Second |', '| --- | --- |', '| | |'];
  assert.equal(after(insertBlock(lines(...table)), 'Above|'), lines('Above', '', ...table, '', '|'));
});

test('inserting a link wraps the selection or inserts the label', () => {
  const link = (address: string, label: string, selected: string) => {
    const doc = `See ${selected}.`;
    const state = EditorState.create({ doc, selection: { anchor: 4, head: 4 + selected.length } });
    const done: EditorState[] = [];
    setLink(address, label)({ state, dispatch: (transaction) => done.push(transaction.state) });
    const [{ doc: text, selection }] = done as [EditorState];
    assert.deepEqual(
      [selection.main.from, selection.main.to],
      [text.length - 1, text.length - 1],
      'one goes on behind it',
    );
    return text.toString();
  };
  assert.equal(link('/contact', 'Contact', 'us'), 'See [us](/contact).');
  assert.equal(link('/contact', 'Contact', ''), 'See [Contact](/contact).');
  assert.equal(link('/contact', 'Contact', '**us** [here]'), 'See [**us** [here]](/contact).');
  assert.equal(link('/contact', 'All [new\\', ''), 'See [All \\[new\\\\](/contact).');
  assert.equal(link('https://example.com/a(b c', 'Way', ''), 'See [Way](<https://example.com/a(b c>).');
  assert.equal(link('/a<b>', 'Way', ''), 'See [Way](</a%3Cb%3E>).');
});

test('editing the link at the cursor changes its address, and it stays one link', () => {
  const definitions = '\n\n[shop]: https://shop.example/\n[a b]: </two words>';
  /** Returns the link at the cursor `|` as the dialog gets it, and the text after the dialog changes or removes it. */
  const at = (text: string, address = '/new') => {
    const written = text + definitions;
    const state = EditorState.create({
      doc: written.replaceAll('|', ''),
      selection: {
        anchor: written.indexOf('|'),
        head: written.lastIndexOf('|') - (text.split('|').length > 2 ? 1 : 0),
      },
      extensions: markdown({ base: markdownLanguage }),
    });
    const after = (command: StateCommand) => {
      let now = state;
      command({ state, dispatch: (transaction) => (now = transaction.state) });
      const { from, to } = now.selection.main;
      const doc = now.doc.toString();
      const shown = from === to ? `${doc.slice(0, from)}|${doc.slice(from)}` : doc;
      return shown.replace(definitions, '');
    };
    const link = linkAt(state);
    return [link?.address, after(setLink(address, 'New')), link?.label && after(removeLink)];
  };
  assert.deepEqual(at('See [o|ur *shop*](/old "All").'), [
    '/old',
    'See [o|ur *shop*](/new "All").',
    'See o|ur *shop*.',
  ]);
  assert.deepEqual(at('See [shop](/o|ld).', '/a b'), ['/old', 'See [shop](</a b>|).', 'See shop|.']);
  assert.deepEqual(at('See [|shop|](/old).'), ['/old', 'See [shop](/new).', 'See shop.'], 'what is selected in one');
  assert.deepEqual(at('See |[shop](/old)|.'), ['/old', 'See [shop](/new).', 'See shop.'], 'all of it');
  assert.deepEqual(at('[s|hop]()'), ['', '[s|hop](/new)', 's|hop']);
  assert.deepEqual(at('[a|ll][shop]'), ['https://shop.example/', '[a|ll](/new)', 'a|ll'], 'another one keeps its own');
  assert.deepEqual(at('[A|  b][]'), ['/two words', '[A|  b](/new)', 'A|  b']);
  assert.deepEqual(at('[![Ship|](/ship.webp)](/old)'), [
    '/old',
    '[![Ship|](/ship.webp)](/new)',
    '![Ship|](/ship.webp)',
  ]);
  assert.deepEqual(at('[a|](/x?a=1&amp;b=2)', '/x?a=1&b=2'), ['/x?a=1&b=2', '[a|](/x?a=1&amp;b=2)', 'a|']);
  assert.deepEqual(at('At https://exam|ple.com.', 'https://example.org'), [
    'https://example.com',
    'At https://example.org|.',
    undefined,
  ]);
  assert.deepEqual(at('At <https://exam|ple.com>.'), ['https://example.com', 'At [New](/new)|.', undefined]);
  assert.deepEqual(
    at('|See [our *shop*](/old), [all][shop] and [so]|'),
    [undefined, '[See our *shop*, all and [so]](/new)|', undefined],
    'a link around other links replaces them',
  );
  // There is no link beside a link, or in text that only looks like one.
  assert.deepEqual(at('|[shop](/old)'), [undefined, '[New](/new)|[shop](/old)', undefined]);
  assert.deepEqual(at('[so| it says]'), [undefined, '[so[New](/new)| it says]', undefined]);
  assert.deepEqual(at('![sh|ip](/ship.webp)')[0], undefined);
});

test('an inserted image keeps its description and address, whatever characters they contain', () => {
  assert.equal(markdownImage({ src: '/a.webp', alt: 'A bridge' }), '![A bridge](/a.webp)');
  assert.equal(markdownImage({ src: '/a b).webp', alt: 'A [bridge]\\' }), '![A \\[bridge\\]\\\\](</a b).webp>)');
});
