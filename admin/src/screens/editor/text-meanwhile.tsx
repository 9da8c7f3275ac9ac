import { createElement, type ReactNode, useMemo } from 'react';
import type { BodyFormat } from '../../contract.ts';
import classes from './editor.module.css';

/** As much as is on a screen, in characters. */
const MOST = 4000;

/** What the visual editor shows alike, without any attribute. */
const plain = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong b em i s table thead tbody tfoot tr td th'.split(' '),
);

/** The text to be read while its editor is on its way, about where that will show it. */
export function TextMeanwhile({ body, format }: { body: string; format: BodyFormat | '' }) {
  const isMarkdown = format === 'markdown_format';
  const content = useMemo(() => (isMarkdown ? body.slice(0, MOST) : readable(body)), [body, isMarkdown]);
  return (
    <div className={classes.meanwhile} aria-hidden>
      {isMarkdown ? <pre>{content}</pre> : <div className={classes.visual}>{content}</div>}
    </div>
  );
}

function readable(html: string): ReactNode {
  const { body } = new DOMParser().parseFromString(html.slice(0, 4 * MOST), 'text/html');
  let left = MOST;
  const read = (node: Node, key: number): ReactNode => {
    if (left <= 0) return null;
    if (node instanceof Text) {
      left -= node.data.length;
      // As the editor reads it, which then keeps every space: lines break where they will.
      return node.parentElement?.closest('pre') ? node.data : node.data.replace(/\s+/g, ' ');
    }
    if (!(node instanceof Element) || node.matches('script, style, template')) return null;
    const name = node.localName;
    const children = [...node.childNodes].map(read);
    if (name === 'br') return createElement('br', { key });
    return plain.has(name) ? createElement(name, { key }, ...children) : createElement('span', { key }, ...children);
  };
  return [...body.childNodes].map(read);
}
