import { combineTransactionSteps, Extension, getChangedRanges, type Range } from '@tiptap/core';
import { isHistoryTransaction } from '@tiptap/pm/history';
import type { Mark, Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state';

/**
 * Updates the URL of a link when the user edits its text, if the text is the URL: otherwise visitors would read one URL and
 * reach another. Changing the text to other words keeps the link. Applies only to whole URLs: a user may want to shorten the
 * text `example.com` to `example`.
 */
export const LinkSync = Extension.create({
  name: 'linkSync',
  addProseMirrorPlugins() {
    const { editor } = this;
    /** Transactions during a composition (by an input method, and on most phones), when the text must not be changed. */
    let composed: Transaction[] = [];
    const end = () => {
      if (!editor.isDestroyed && !editor.view.composing && composed.length > 0) editor.view.dispatch(editor.state.tr);
    };
    return [
      new Plugin({
        appendTransaction: (transactions, _before, now) => {
          composed.push(...transactions);
          if (editor.view.composing) return null;
          const written = composed;
          composed = [];
          return syncLinks(written, now);
        },
        props: {
          handleDOMEvents: { compositionend: () => void setTimeout(end, COMPOSITION_DELAY_MS) },
        },
      }),
    ];
  },
});

/** A link in the text, and the text directly after it. */
interface Link extends Range {
  readonly mark: Mark;
  readonly text: string;
  readonly behind: string;
}

/** The editor reads composed text 20 ms after the composition ends, so this delay is longer. */
const COMPOSITION_DELAY_MS = 50;

function syncLinks(transactions: Transaction[], now: EditorState): Transaction | null {
  const isWritten = transactions.some(({ docChanged }) => docChanged);
  // Ignores undo, redo and opening a text.
  const isOther = (one: Transaction) => isHistoryTransaction(one) || one.getMeta('preventUpdate');
  if (!isWritten || transactions.some(isOther)) return null;
  const { tr } = now;
  const before = transactions[0]!.before;
  for (const { oldRange, newRange } of getChangedRanges(combineTransactionSteps(before, transactions))) {
    const former = linksIn(before, oldRange).filter(({ mark, text }) => isAddress(text) && text === mark.attrs.href);
    const links = linksIn(now.doc, newRange);
    for (const { mark } of former) {
      const same = links.filter((link) => link.mark.eq(mark));
      // A link that was split in two is left as it is: the split may be undone at once.
      if (same.length === 1) syncLink(tr, same[0]!);
    }
  }
  return tr.docChanged ? tr : null;
}

function syncLink(tr: Transaction, { from, to, mark, text, behind }: Link): void {
  const address = /\s/.test(text) ? withoutEnd(text.split(/\s/)[0]!) : text + withoutEnd(behind);
  if (!isAddress(address) || address === mark.attrs.href) return;
  const end = from + address.length;
  if (end < to) tr.removeMark(end, to, mark.type);
  tr.addMark(from, end, mark.type.create({ ...mark.attrs, href: address }));
}

/** Removes trailing punctuation, which ends a sentence and not a URL. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.,;:!?\'")]'.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

const isAddress = (text: string) => /^https?:\/\/[^\s\ufffc]+$/i.test(text);

/** Returns the links in the range's paragraphs that touch the range, also with the text directly after them. */
function linksIn(doc: Node, { from, to }: Range): Link[] {
  const links: Link[] = [];
  doc.nodesBetween(Math.max(0, from - 1), Math.min(doc.content.size, to + 1), (block, at) => {
    if (!block.isTextblock) return true;
    const found: Link[] = [];
    block.forEach((piece, offset) => {
      const mark = piece.marks.find(({ type }) => type.name === 'link');
      const text = piece.text ?? '\ufffc';
      const [start, last] = [at + 1 + offset, found.at(-1)];
      if (mark && last?.to === start && last.mark.eq(mark)) {
        found[found.length - 1] = { ...last, to: start + piece.nodeSize, text: last.text + text };
      } else if (mark) {
        found.push({ from: start, to: start + piece.nodeSize, mark, text, behind: '' });
      } else if (last?.to === start) {
        // The characters that a URL can contain.
        found[found.length - 1] = { ...last, behind: /^[\w.~:/?#[\]@!$&'()*+,;=%-]*/.exec(text)![0] };
      }
    });
    links.push(...found.filter((link) => link.from <= to && from <= link.to + link.behind.length));
    return false;
  });
  return links;
}
