import type { BodyFormat } from '../contract.ts';
import { parseHtml } from './parse-html.ts';

/** As much text as fits on a screen. */
const MAX_CHARACTERS = 4000;

/**
 * Puts a body where it is to be read until there is an editor: Markdown into the `pre` of the place, anything else into the
 * `div`. Bodies may say anything: of HTML only the text is taken, and of its elements the names of those below, so that
 * nothing of it runs, loads, or is found by a name.
 */
export function showText(place: Element, body: string, format: BodyFormat | ''): void {
  const isMarkdown = format === 'markdown_format';
  place.querySelector('pre')!.textContent = isMarkdown ? body.slice(0, MAX_CHARACTERS) : '';
  place.querySelector('div')!.replaceChildren(...(isMarkdown ? [] : [readable(body)]));
}

/** Elements that the visual editor shows alike without any attribute: `texts` hold text, `holders` hold these or other holders. */
const texts = new Set('p h1 h2 h3 h4 h5 h6 pre'.split(' '));
const holders = new Set('ul ol li blockquote table thead tbody tfoot tr td th hr'.split(' '));
const inline = new Set('a strong b em i u s code sup sub br'.split(' '));
const block = [...texts, ...holders].join();
const unseen = 'script, style, template, title, textarea, select, iframe, object, audio, video, canvas, svg, math';

function readable(html: string): DocumentFragment {
  const body = parseHtml(html.slice(0, 4 * MAX_CHARACTERS));
  const fragment = document.createDocumentFragment();
  let left = MAX_CHARACTERS;
  /** Nothing is before it but a space, or the beginning: another space would not be seen. */
  let isAfterSpace = true;
  const copy = (from: Node, to: Node, isText: boolean): void => {
    /** As the editor does it: what stands beside blocks, or in an item or a cell, is a paragraph. */
    let paragraph: Node | undefined;
    const place = () => {
      if (isText) return to;
      paragraph ??= to.appendChild(document.createElement('p'));
      return paragraph;
    };
    for (const node of from.childNodes) {
      if (left <= 0) return;
      if (node instanceof Text) {
        const text = node.parentElement!.closest('pre') ? node.data : spaced(node.data, isAfterSpace);
        if (text === '') continue;
        left -= text.length;
        isAfterSpace = text.endsWith(' ');
        place().appendChild(document.createTextNode(text));
      } else if (node instanceof Element && !node.matches(unseen)) {
        const { localName: name } = node;
        if (!node.matches(block) && !node.querySelector(block)) {
          const element = document.createElement(inline.has(name) ? name : 'span');
          copy(node, place().appendChild(element), true);
          isAfterSpace ||= name === 'br';
        } else {
          paragraph = undefined;
          isAfterSpace = true;
          const element = document.createElement(node.matches(block) ? name : 'div');
          copy(node, to.appendChild(element), texts.has(name));
          isAfterSpace = true;
        }
      }
    }
  };
  copy(body, fragment, false);
  return fragment;
}

/** As the editor reads it, which then keeps every space. */
function spaced(text: string, isAfterSpace: boolean): string {
  const one = text.replace(/[ \t\n\r\f]+/g, ' ');
  return isAfterSpace ? one.replace(/^ /, '') : one;
}
