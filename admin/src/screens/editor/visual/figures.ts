import { Node } from '@tiptap/core';
import type { Node as Content } from '@tiptap/pm/model';
import { NodeSelection, Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { strings } from '../../../strings.ts';
import { type Attributes, allAttributesOf, isImageFigure } from '../images/image-figure.ts';
import { layoutOf, withLayout } from '../images/image-layout.ts';
import { showImageOf } from './images.ts';
import { STYLE } from './styles.ts';

const OWN_ATTRIBUTES = ['src', 'alt', 'width', 'height'];

/** A standalone image with a caption, which may be empty. */
export const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'figcaption',
  isolating: true,
  draggable: true,
  // Handles keys before the list extensions do.
  priority: 200,
  addAttributes: () => ({
    ...Object.fromEntries(
      OWN_ATTRIBUTES.map((name) => [
        name,
        {
          default: null,
          rendered: false,
          parseHTML: (figure: HTMLElement) => figure.querySelector('img')!.getAttribute(name),
        },
      ]),
    ),
    others: {
      default: [],
      rendered: false,
      parseHTML: (figure: HTMLElement) =>
        attributesOf(figure.querySelector('img')!).filter(([name]) => !OWN_ATTRIBUTES.includes(name)),
    },
    /** The attributes of the link around the image, or null without one. */
    link: {
      default: null,
      rendered: false,
      parseHTML: (figure: HTMLElement) => {
        const link = figure.querySelector(':scope > a');
        return link && attributesOf(link);
      },
    },
  }),
  parseHTML: () => [
    {
      tag: 'figure',
      contentElement: captionOf,
      getAttrs: (figure: HTMLElement) => isImageFigure(figure, attributesOf) && null,
    },
  ],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => {
    const ownAttributes = OWN_ATTRIBUTES.filter((name) => attrs[name] !== null).map(
      (name) => [name, attrs[name]] as const,
    );
    const image = ['img', written([...ownAttributes, ...attrs.others])] as const;
    return ['figure', HTMLAttributes, attrs.link ? ['a', written(attrs.link), image] : image, ['div', 0]];
  },
  addNodeView:
    () =>
    ({ node }) =>
      figureBox(node),
  addKeyboardShortcuts() {
    return {
      Enter: () => leaveCaption(this.editor.view),
      Backspace: () => selectFigure(this.editor.view),
    };
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleClickOn: (view, _at, node, place, event) => {
          if (node.type.name !== 'figure' || !(event.target instanceof HTMLImageElement)) return false;
          view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, place)));
          return true;
        },
      },
    }),
  ],
});

/** The caption below an image, without blocks. */
export const Figcaption = Node.create({
  name: 'figcaption',
  content: '(text | hardBreak)*',
  selectable: false,
  parseHTML: () => [{ tag: 'figcaption', context: 'figure/' }],
  renderHTML: ({ HTMLAttributes }) => ['figcaption', HTMLAttributes, 0],
});

/** Creates the node view of a figure: the image is selected as a whole, and the caption is edited. */
export function figureBox(node: Content) {
  const dom = document.createElement('figure');
  const holder = dom.appendChild(document.createElement('div'));
  const image = holder.appendChild(document.createElement('img'));
  const contentDOM = dom.appendChild(document.createElement('div'));
  holder.contentEditable = 'false';
  dom.style.setProperty('--caption', JSON.stringify(strings.editor.imageTools.caption));
  const show = ({ attrs, firstChild }: Content) => {
    for (const [element, name, value] of [
      [dom, 'class', withLayout(null, layoutOf(attrs.class))],
      [dom, 'dir', attrs.dir],
      [image, 'width', attrs.width],
      [image, 'height', attrs.height],
    ]) {
      if (value === null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
    showImageOf(image, attrs);
    dom.toggleAttribute('data-empty', firstChild!.content.size === 0);
  };
  show(node);
  return {
    dom,
    contentDOM,
    update: (now: Content) => {
      if (now.type !== node.type) return false;
      show(now);
      return true;
    },
    ignoreMutation: ({ type, target }: { type: string; target: globalThis.Node }) =>
      type !== 'selection' && !contentDOM.contains(target),
  };
}

/** Leaves the caption: moves the cursor to an empty paragraph after the figure. */
function leaveCaption(view: EditorView): boolean {
  const { tr, selection, schema } = view.state;
  const { $to } = selection;
  if ($to.parent.type.name !== 'figcaption') return false;
  const behind = $to.after(-1);
  const next = tr.doc.resolve(behind).nodeAfter;
  if (next?.type.name !== 'paragraph' || next.childCount > 0) tr.insert(behind, schema.nodes.paragraph!.create());
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, behind + 1)).scrollIntoView());
  return true;
}

/** Selects the image when Backspace is pressed at the start of its caption, so that a second press deletes it. */
function selectFigure(view: EditorView): boolean {
  const { tr, selection } = view.state;
  const { $from, empty } = selection;
  if (!empty || $from.parentOffset > 0 || $from.parent.type.name !== 'figcaption') return false;
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, $from.before(-1))));
  return true;
}

/** Returns an element that contains only the figure's caption, for the parser. */
function captionOf(figure: globalThis.Node): HTMLElement {
  const { ownerDocument: document } = figure;
  const content = document!.createElement('div');
  const caption = (figure as Element).querySelector('figcaption');
  if (caption) content.append(caption.cloneNode(true));
  return content;
}

function attributesOf(element: Element): Attributes {
  return allAttributesOf(element).filter(([name]) => name !== STYLE);
}

function written(attributes: Attributes): Record<string, string> {
  const all = Object.fromEntries(attributes);
  return { ...all, ...(all.style !== undefined && { [STYLE]: all.style }) };
}
