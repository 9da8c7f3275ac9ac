import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { ChangeSpec, EditorState, StateCommand } from '@codemirror/state';
import { escapeLabel, markdownTarget } from '../images/image-markup.ts';
import {
  addressIn,
  decodeAddress,
  definitionsIn,
  normalizeLabel,
  type Tree,
  withoutAngleBrackets,
} from '../images/written-images.ts';

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A link in Markdown source. */
interface WrittenLink extends TextRange {
  readonly address: string;
  /** The range of the label between the brackets, or undefined for a bare URL. */
  readonly label: TextRange | undefined;
  /** Returns the text change that sets another URL and keeps the rest. */
  readonly change: (address: string, label: string) => ChangeSpec;
}

/** Returns the link that contains the cursor or the whole selection. */
export function linkAt(state: EditorState): WrittenLink | undefined {
  const { from, to, empty } = state.selection.main;
  const text = state.doc.toString();
  // A long text may not have been parsed this far yet.
  const tree = ensureSyntaxTree(state, to, 100) ?? syntaxTree(state);
  let address: Tree | undefined;
  for (let node = tree.resolve(from, 1); node.parent; node = node.parent) {
    if (node.name === 'Link' && (empty ? node.from < from : to <= node.to)) return namedLink(text, tree, node);
    if (/^(?:URL|Autolink)$/.test(node.name) && node.from < from && to < node.to) address = node;
    // The URL belongs to an image or to a link definition.
    if (/^(?:Image|LinkReference)$/.test(node.name)) address = undefined;
  }
  return address && plainLink(text, address);
}

/** Returns a link in brackets, or undefined if they refer to no definition: then they are plain text. */
function namedLink(text: string, tree: ReturnType<typeof syntaxTree>, node: Tree): WrittenLink | undefined {
  const [open, close, begin] = node.getChildren('LinkMark');
  if (!open || !close) return undefined;
  const label = { from: open.to, to: close.from };
  const found = { from: node.from, to: node.to, label };
  if (begin) {
    const { from, to } = addressIn(node) ?? { from: begin.to, to: begin.to };
    return {
      ...found,
      address: readIn(text, { from, to }),
      change: (to_) => ({ from, to, insert: markdownTarget(to_) }),
    };
  }
  const name = node.getChild('LinkLabel');
  const { from, to } = name && name.to - name.from > 2 ? { from: name.from + 1, to: name.to - 1 } : label;
  const definition = definitionsIn(text, tree).get(normalizeLabel(text.slice(from, to)));
  if (!definition) return undefined;
  // Other links may share the definition, so this link gets an inline URL instead.
  const change = (address: string) => ({ from: close.to, to: node.to, insert: `(${markdownTarget(address)})` });
  return { ...found, address: readIn(text, definition), change };
}

function plainLink(text: string, { from, to }: TextRange): WrittenLink {
  // A web address can stand for itself. Any other target needs a label.
  const change = (address: string, label: string) =>
    /^https?:\/\/[^\s<>]+$/i.test(address)
      ? { ...withoutAngleBrackets(text, { from, to }), insert: address }
      : { from, to, insert: writtenLink(escapeLabel(label), address) };
  return { from, to, label: undefined, address: readIn(text, { from, to }), change };
}

function readIn(text: string, part: TextRange): string {
  const { from, to } = withoutAngleBrackets(text, part);
  return decodeAddress(text.slice(from, to));
}

function writtenLink(written: string, address: string): string {
  return `[${written}](${markdownTarget(address)})`;
}

/** Sets the URL of the link at the cursor. Without one, turns the selection into a link, or inserts `label`. */
export function setLink(address: string, label: string): StateCommand {
  return ({ state, dispatch }) => {
    const link = linkAt(state);
    if (link) {
      const changes = state.changes(link.address === address ? [] : link.change(address, label));
      // The cursor stays in the link, but not before a changed address.
      dispatch(state.update({ changes, selection: state.selection.map(changes, 1), userEvent: 'input' }));
      return true;
    }
    const { from, to } = state.selection.main;
    // The selection is Markdown already. Links cannot be nested.
    const insert = writtenLink(withoutLinks(state, from, to) || escapeLabel(label), address);
    dispatch(
      state.update({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input' }),
    );
    return true;
  };
}

function withoutLinks(state: EditorState, from: number, to: number): string {
  const text = state.doc.toString();
  const tree = ensureSyntaxTree(state, to, 100) ?? syntaxTree(state);
  let written = '';
  let at = from;
  tree.iterate({
    from,
    to,
    enter: ({ node }) => {
      const isInside = node.name === 'Link' && node.from >= from && node.to <= to;
      const link = isInside ? namedLink(text, tree, node) : undefined;
      if (!link?.label) return true;
      written += text.slice(at, link.from) + text.slice(link.label.from, link.label.to);
      at = link.to;
      return false;
    },
  });
  return written + text.slice(at, to);
}

/** Replaces the link at the cursor by its label. */
export const removeLink: StateCommand = ({ state, dispatch }) => {
  const link = linkAt(state);
  if (!link?.label) return false;
  const { from, to, label } = link;
  const changes = [
    { from, to: label.from },
    { from: label.to, to },
  ];
  dispatch(state.update({ changes, userEvent: 'input' }));
  return true;
};
