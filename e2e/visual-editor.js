import { Editor } from '@tiptap/core';
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';
import { CellSelection } from '@tiptap/pm/tables';
import fc from 'fast-check';
import { showText } from '../admin/src/parts/show-text.ts';
import { imageSides, imageSizes } from '../admin/src/screens/editor/images/image-layout.ts';
import { readBody } from '../admin/src/screens/editor/visual/body/read-body.ts';
import { bodyWriter } from '../admin/src/screens/editor/visual/body/write-body.ts';
import { setEmbed } from '../admin/src/screens/editor/visual/embeds.ts';
import { visualExtensions, visualNodeViews } from '../admin/src/screens/editor/visual/extensions.ts';
import { linkImage, replaceWith, setLayout, writeCaption } from '../admin/src/screens/editor/visual/figure-commands.ts';
import { isImage } from '../admin/src/screens/editor/visual/images.ts';
import { putImage } from '../admin/src/screens/editor/visual/insert-image.ts';
import { cleanPasted } from '../admin/src/screens/editor/visual/paste.ts';
import { replaceHtml } from '../admin/src/screens/editor/visual/replace-html.ts';
import { headTable } from '../admin/src/screens/editor/visual/tables.ts';
import { toggleTasks } from '../admin/src/screens/editor/visual/tasks.ts';
import { tagSoup } from '../test/tag-soup.ts';

/* Runs the visual editor without the app, in a page of its own, with any number of random texts and steps. */

const texts = [
  'One ',
  ' two',
  'three',
  ' ',
  '  ',
  'x\u00a0',
  '**b** ',
  '- ',
  '1. ',
  '> ',
  '# ',
  '`c` ',
  'https://example.com ',
  '<b>&amp;',
  '👍',
];
const marks = ['Bold', 'Italic', 'Strike', 'Code', 'Underline'];
const keys = [
  'Enter',
  'Enter',
  'Backspace',
  'Backspace',
  'Delete',
  'Tab',
  'Shift-Tab',
  'Shift-Enter',
  'ArrowDown',
  'ArrowRight',
];
const pasted = [
  '<p>One <b>bold </b></p><p>two</p>',
  '<ul><li>a<ul><li>b</li></ul></li></ul>',
  'text <i>in a line </i>',
  '<h2>Head <a href="https://example.com/">link </a></h2>',
  '<table><tr><th>a</th><td colspan=2>b</td></tr><tr><td>c</td></tr></table>',
  '<pre><code>  code \n more</code></pre>',
  '<blockquote>quote</blockquote><hr><p><img src="https://example.com/a.png" alt="A"> end </p>',
  '<div><p>in <span>a box</span></p><small>small </small></div>',
  '<dl><dt>a<dd>b</dl>',
  '<figure class="wide"><a href="https://example.com/"><img src="https://example.com/f.png" alt="F"></a>\n<figcaption>Caption <b>bold </b></figcaption></figure><p>behind</p>',
  '<figure><img src="data:image/png;base64,AAAA"><figcaption>c</figcaption></figure>',
  '<figure><table><tr><td>a</td></tr></table><figcaption>of a table</figcaption></figure>',
];
const blocks = [
  '<div class="a">made <p>elsewhere</p></div>',
  '<figure><img src="a.png"></figure>',
  '<dl><dt>a</dt></dl>',
  '<small>s</small> <p>t</p>',
  '<div>open',
  '',
];

function open(html) {
  const element = document.body.appendChild(document.createElement('div'));
  const read = readBody(html);
  const editor = new Editor({
    element,
    extensions: visualExtensions,
    content: read.content,
    editorProps: {
      nodeViews: visualNodeViews,
      transformPastedHTML: (text) => cleanPasted(text, 'https://site.example').html,
    },
  });
  const write = bodyWriter(html, read.sources, editor.state.doc);
  return {
    editor,
    html: () => write(editor.state.doc),
    close: () => {
      editor.destroy();
      element.remove();
    },
  };
}

/** Makes one random step of a user. */
function step(editor, [what, one, two]) {
  const { view } = editor;
  const { doc } = editor.state;
  const place = (number) => number % (doc.content.size + 1);
  const select = (selection) => view.dispatch(editor.state.tr.setSelection(selection));
  switch (what) {
    case 'select': {
      const [from, to] = [doc.resolve(place(one)), doc.resolve(place(two))];
      return select(TextSelection.between(from, to));
    }
    case 'cursor':
      return select(Selection.near(doc.resolve(place(one))));
    case 'node': {
      const node = doc.nodeAt(place(one));
      if (node && !node.isText && NodeSelection.isSelectable(node)) select(NodeSelection.create(doc, place(one)));
      return;
    }
    case 'cells': {
      const cells = [];
      doc.descendants((node, at) => {
        if (/^tableCell|tableHeader$/.test(node.type.name)) cells.push(at);
      });
      if (cells.length === 0) return;
      const [from, to] = [cells[one % cells.length], cells[two % cells.length]];
      if (doc.resolve(from).node(-1) === doc.resolve(to).node(-1)) select(CellSelection.create(doc, from, to));
      return;
    }
    case 'all':
      return editor.commands.selectAll();
    case 'type': {
      for (const letter of texts[one % texts.length]) {
        const { from, to } = editor.state.selection;
        const write = () => editor.state.tr.insertText(letter, from, to);
        if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, letter, write)))
          view.dispatch(write());
      }
      return;
    }
    case 'key': {
      const [key, modifier] = keys[one % keys.length].split('-').reverse();
      const event = new KeyboardEvent('keydown', {
        key,
        shiftKey: modifier === 'Shift',
        bubbles: true,
        cancelable: true,
      });
      if (view.someProp('handleKeyDown', (handle) => handle(view, event))) return;
      // Does what a browser would do by default.
      const { tr, selection } = editor.state;
      if (!selection.empty) return view.dispatch(tr.deleteSelection());
      const { pos, parent, parentOffset } = selection.$from;
      if (key === 'Backspace' && parentOffset > 0) view.dispatch(tr.delete(pos - 1, pos));
      if (key === 'Delete' && parentOffset < parent.content.size) view.dispatch(tr.delete(pos, pos + 1));
      return;
    }
    case 'mark':
      return editor.commands[`toggle${marks[one % marks.length]}`]();
    case 'block':
      return [
        () => editor.commands.toggleHeading({ level: 2 + (two % 2) }),
        () => editor.commands.toggleBulletList(),
        () => editor.commands.toggleOrderedList(),
        () => editor.commands.toggleBlockquote(),
        () => editor.commands.toggleCodeBlock(),
        () => toggleTasks(editor),
        () => editor.commands.setHorizontalRule(),
        () => editor.commands.setParagraph(),
      ][one % 8]();
    case 'insert':
      return [
        () => putImage(editor, { src: '/media/a.webp', alt: null, width: '3', height: '2' }),
        () =>
          setEmbed(editor, {
            src: 'https://www.youtube-nocookie.com/embed/x',
            title: 'Film',
            width: '560',
            height: '315',
            loading: 'lazy',
          }),
        () => editor.commands.setLink({ href: 'https://example.com' }),
        () => editor.commands.unsetLink(),
        () =>
          editor.commands.insertContent({
            type: 'text',
            text: 'Contact',
            marks: [{ type: 'link', attrs: { href: '/contact' } }],
          }),
      ][one % 5]();
    case 'image': {
      const images = [];
      doc.descendants((node, at) => {
        if (isImage(node)) images.push({ node, at });
      });
      const image = images[one % images.length];
      const layout = { size: imageSizes[two % 4], side: [undefined, ...imageSides][(two >> 2) % 4] };
      if (!image) return;
      return [
        () => setLayout(view, image, layout),
        () => setLayout(view, image, layout),
        () => writeCaption(view, image),
        () => linkImage(view, image, '/contact'),
        () => linkImage(view, image, null),
        () => replaceWith(view, image, { src: '/media/b.webp', alt: null }),
      ][(one >> 3) % 6]();
    }
    case 'table':
      return [
        () => editor.chain().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).command(headTable(true)).run(),
        () => editor.commands.addRowAfter(),
        () => editor.chain().addColumnAfter().command(headTable(false)).run(),
        () => editor.commands.deleteRow(),
        () => editor.commands.deleteColumn(),
        () => editor.commands.deleteTable(),
      ][one % 6]();
    case 'paste':
      return view.pasteHTML(pasted[one % pasted.length]);
    case 'copy': {
      // Pastes what was copied from the editor.
      const { dom } = view.serializeForClipboard(editor.state.selection.content());
      view.dispatch(editor.state.tr.setSelection(Selection.near(doc.resolve(place(two)))));
      return view.pasteHTML(dom.innerHTML);
    }
    case 'drag': {
      const slice = editor.state.selection.content();
      const { tr } = editor.state;
      tr.deleteSelection();
      return view.dispatch(tr.replaceRange(tr.mapping.map(place(two)), tr.mapping.map(place(two)), slice));
    }
    case 'html': {
      const boxes = [...view.dom.querySelectorAll('.html-block')];
      [...(boxes[one % boxes.length]?.querySelectorAll('button') ?? [])]
        .slice(1)
        .at(two % 4)
        ?.click();
      return;
    }
    case 'source': {
      const places = [];
      doc.forEach((node, at) => {
        if (node.type.name === 'htmlBlock') places.push(at);
      });
      if (places.length > 0) replaceHtml(editor, places[one % places.length], blocks[two % blocks.length]);
      return;
    }
    case 'undo':
      return editor.commands.undo();
    case 'redo':
      return editor.commands.redo();
  }
}

const kinds =
  'select select cursor cursor node cells all type type type type key key key key mark mark block block insert image image table table paste copy drag html source undo redo'.split(
    ' ',
  );
const steps = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(400), fc.nat(400)), { maxLength: 14 });

/** Bodies made of random parts. */
const parts = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...pasted,
          ...blocks.slice(0, -2),
          '<p>One</p>',
          '\n',
          '<!-- c -->',
          'text',
          '<P>Upper</P>',
          '<p>Open',
          '<p style="color:#f00;mso-x:1">Red</p>',
          '<!-- wp:image {"id":7} -->\n<figure class="wp-block-image size-large alignwide"><img src="/a.png" alt="A" class="wp-image-7" style="width:300px"/><figcaption class="wp-element-caption">One <a href="/x">two</a></figcaption></figure>\n<!-- /wp:image -->',
          '<figure class=kg-card><img src="/g.png" srcset="/g-2.png 2x" loading=lazy></figure>',
          '<ul><li><figure class="image-small float-left"><img src=a></figure></li></ul>',
        ),
      },
      { weight: 1, arbitrary: tagSoup() },
    ),
    { maxLength: 8 },
  )
  .map((all) => all.join(''));

function visible(text) {
  return text.replace(/[ \t\n\r\f]+/g, ' ').trim();
}

function htmlBlocks(doc) {
  return doc.children.filter(({ type }) => type.name === 'htmlBlock').map(({ attrs }) => attrs.html);
}

/** Throws unless the HTML that the editor writes opens as the same document. */
function checkReopens({ editor, html }) {
  const written = html();
  const doc = editor.schema.nodeFromJSON(readBody(written).content);
  doc.check();
  const [before, after] = [htmlBlocks(editor.state.doc), htmlBlocks(doc)];
  if (after.length > before.length) throw new Error(`opens as ${JSON.stringify(after)}: ${JSON.stringify(written)}`);
  const [held, opened] = [editor.state.doc, doc].map((one) => visible(one.textBetween(0, one.content.size, ' ', ' ')));
  // Parts of an HTML block whose source was edited may open as text.
  if (after.join() === before.join() && held !== opened) {
    throw new Error(`opens with other words: ${JSON.stringify(written)}`);
  }
  if (opened.length < held.length) throw new Error(`text is in an HTML block: ${JSON.stringify(written)}`);
}

const run = (property, runs, seed) => {
  const result = fc.check(property, { numRuns: runs, seed, includeErrorInReport: true });
  return { runs: result.numRuns, seed: result.seed, failure: result.failed ? fc.defaultReportMessage(result) : null };
};

globalThis.visual = {
  /** Returns the node type as which each block of a body opens. */
  kinds: (html) => readBody(html).content.content.map(({ type }) => type),
  /** Inserts another body at the end of this one, as pasting does. */
  moveFirst(html, behind) {
    const { editor, html: written, close } = open(html);
    editor.commands.insertContentAt(editor.state.doc.content.size, behind);
    const text = written();
    close();
    return text;
  },
  /** Sets the layout and the caption of the first image of a body. */
  lay(html, layout, caption) {
    const { editor, html: written, close } = open(html);
    const first = () => {
      let image;
      editor.state.doc.descendants((node, at) => {
        if (isImage(node)) image ??= { node, at };
      });
      return image;
    };
    setLayout(editor.view, first(), layout);
    if (caption) {
      writeCaption(editor.view, first());
      editor.view.dispatch(editor.state.tr.insertText(caption));
    }
    const text = written();
    close();
    return text;
  },
  /** Inserts an image in place of the bar in the text, and types a star behind it. */
  insertImage(html) {
    const { editor, html: written, close } = open(html);
    const before = editor.state.doc;
    let at;
    before.descendants(({ text }, start) => {
      if (text?.includes('|')) at ??= start + text.indexOf('|');
    });
    editor
      .chain()
      .deleteRange({ from: at, to: at + 1 })
      .setTextSelection(at)
      .run();
    putImage(editor, { src: '/a.webp' });
    editor.view.dispatch(editor.state.tr.insertText('*'));
    const text = written();
    editor.commands.undo();
    editor.commands.undo();
    editor.commands.undo();
    const isUndone = editor.state.doc.eq(before);
    close();
    return isUndone ? text : 'not undone';
  },
  /** Presses the “Convert to text” button of the first HTML block. */
  makeText(html) {
    const { editor, html: written, close } = open(html);
    const button = [...editor.view.dom.querySelectorAll('.html-block button')].find(
      ({ textContent }) => textContent === 'Convert to text',
    );
    button?.click();
    const text = button ? written() : 'not offered';
    close();
    return text;
  },
  /** Types at the end of the block at `index`, as the editor would. */
  rewrite(html, index, text = 'x') {
    const opened = open(html);
    let at = 0;
    for (let before = 0; before < index; before++) at += opened.editor.state.doc.child(before).nodeSize;
    const end = at + opened.editor.state.doc.child(index).nodeSize - 1;
    opened.editor.view.dispatch(
      opened.editor.state.tr.insertText(text, Selection.near(opened.editor.state.doc.resolve(end), -1).from),
    );
    const written = opened.html();
    opened.close();
    return written;
  },
  editing: (runs, seed) =>
    run(
      fc.property(steps, (all) => {
        const opened = open('<p>One two</p>');
        try {
          for (const one of all) {
            step(opened.editor, one);
            checkReopens(opened);
          }
        } finally {
          opened.close();
        }
      }),
      runs,
      seed,
    ),
  editingForeign: (runs, seed) =>
    run(
      fc.property(parts, steps, (html, all) => {
        const opened = open(html);
        try {
          if (opened.html() !== html) throw new Error('opening it is a change');
          for (const one of all) {
            step(opened.editor, one);
            checkReopens(opened);
          }
          while (opened.editor.can().undo()) opened.editor.commands.undo();
          if (opened.html() !== html) throw new Error(`undone, it is ${JSON.stringify(opened.html())}`);
        } finally {
          opened.close();
        }
      }),
      runs,
      seed,
    ),
  clobbering: (runs, seed) => {
    const members = [
      ...Object.getOwnPropertyNames(Node.prototype),
      ...Object.getOwnPropertyNames(Element.prototype),
      ...Object.getOwnPropertyNames(HTMLElement.prototype),
      ...Object.getOwnPropertyNames(Document.prototype),
      'submit',
      'elements',
      'length',
      '__proto__',
    ];
    const control = fc
      .tuple(
        fc.constantFrom('input', 'img', 'button', 'select', 'object', 'form', 'iframe src=x', 'embed', 'fieldset', 'a'),
        fc.constantFrom('name', 'id'),
        fc.constantFrom(...members),
      )
      .map(([tag, attribute, name]) => `<${tag} ${attribute}="${name}">`);
    const bodies = fc
      .tuple(
        fc.constantFrom('', '<p>One</p>', '<table>'),
        fc.constantFrom('', '<form id=f>', '<form>', '<div><form name=f>'),
        fc.array(control, { minLength: 1, maxLength: 4 }),
      )
      .map((all) => all.flat().join(''));
    const place = document.createElement('div');
    place.innerHTML = '<pre></pre><div></div>';
    return run(
      fc.property(bodies, (html) => {
        showText(place, html, 'wysiwyg_format');
        cleanPasted(html, 'https://site.example');
        const opened = open(html);
        try {
          if (opened.html() !== html) throw new Error('opening it is a change');
          step(opened.editor, ['type', 2, 0]);
          checkReopens(opened);
        } finally {
          opened.close();
        }
      }),
      runs,
      seed,
    );
  },
};
