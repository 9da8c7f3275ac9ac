import { combineTransactionSteps, Extension, getChangedRanges, type Range } from '@tiptap/core';
import { isHistoryTransaction } from '@tiptap/pm/history';
import type { Mark, Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state';

/**
 * Keeps the URL and the text of links in step whose text is their URL: otherwise visitors would read one URL and reach
 * another. Changing the text to other words keeps the link. The text must be the whole URL, since of `example.com`
 * somebody may want to keep `example`.
 */
export const FollowedAddresses = Extension.create({
  name: 'followedAddresses',
  addProseMirrorPlugins() {
    const { editor } = this;
    /** Transactions during a composition, as by an input method or on most phones: the text must not change meanwhile. */
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
          return follow(written, now);
        },
        props: {
          handleDOMEvents: { compositionend: () => void setTimeout(end, COMPOSITION_DELAY_MS) },
        },
      }),
    ];
  },
});

/** A link of a text, and what stands right behind it. */
interface Link extends Range {
  readonly mark: Mark;
  readonly text: string;
  readonly behind: string;
}

/** The editor reads composed text 20 ms after the composition ends. */
const COMPOSITION_DELAY_MS = 50;

function follow(transactions: Transaction[], now: EditorState): Transaction | null {
  const isWritten = transactions.some(({ docChanged }) => docChanged);
  // Not when a change is undone or a text opened.
  const isOther = (one: Transaction) => isHistoryTransaction(one) || one.getMeta('preventUpdate');
  if (!isWritten || transactions.some(isOther)) return null;
  const { tr } = now;
  const before = transactions[0]!.before;
  for (const { oldRange, newRange } of getChangedRanges(combineTransactionSteps(before, transactions))) {
    const former = linksIn(before, oldRange).filter(({ mark, text }) => isAddress(text) && text === mark.attrs.href);
    const links = linksIn(now.doc, newRange);
    for (const { mark } of former) {
      const same = links.filter((link) => link.mark.eq(mark));
      // In two, it is left as it is: that may be undone at once.
      if (same.length === 1) followOne(tr, same[0]!);
    }
  }
  return tr.docChanged ? tr : null;
}

function followOne(tr: Transaction, { from, to, mark, text, behind }: Link): void {
  const address = /\s/.test(text) ? withoutEnd(text.split(/\s/)[0]!) : text + withoutEnd(behind);
  if (!isAddress(address) || address === mark.attrs.href) return;
  const end = from + address.length;
  if (end < to) tr.removeMark(end, to, mark.type);
  tr.addMark(from, end, mark.type.create({ ...mark.attrs, href: address }));
}

/** Removes the punctuation that ends a sentence behind a URL. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.,;:!?\'")]'.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

const isAddress = (text: string) => /^https?:\/\/[^\s\ufffc]+$/i.test(text);

/** The links of these paragraphs that the range is in, at, or at what stands right behind them. */
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
        // The characters that an address can contain.
        found[found.length - 1] = { ...last, behind: /^[\w.~:/?#[\]@!$&'()*+,;=%-]*/.exec(text)![0] };
      }
    });
    links.push(...found.filter((link) => link.from <= to && from <= link.to + link.behind.length));
    return false;
  });
  return links;
}
