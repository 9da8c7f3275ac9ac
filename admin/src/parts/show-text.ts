import type { BodyFormat } from '../contract.ts';
import { parseHtml } from './parse-html.ts';

/** As much text as fits on a screen. */
const MAX_CHARACTERS = 4000;

/**
 * Shows a body until its editor has loaded: Markdown in the `pre` of the place, and anything else in its `div`. Bodies are
 * untrusted: only text and the elements below are copied, without attributes. So nothing runs or loads, and no names clash.
 */
export function showText(place: Element, body: string, format: BodyFormat | ''): void {
  const isMarkdown = format === 'markdown_format';
  place.querySelector('pre')!.textContent = isMarkdown ? body.slice(0, MAX_CHARACTERS) : '';
  place.querySelector('div')!.replaceChildren(...(isMarkdown ? [] : [readable(body)]));
}

/**
 * Elements that the visual editor shows the same without attributes. `texts` hold text, and `holders` hold `texts` or
 * `holders`.
 */
const texts = new Set('p h1 h2 h3 h4 h5 h6 pre'.split(' '));
const holders = new Set('ul ol li blockquote table thead tbody tfoot tr td th hr'.split(' '));
const inline = new Set('a strong b em i u s code sup sub br'.split(' '));
const block = [...texts, ...holders].join();
const INVISIBLE = 'script, style, template, title, textarea, select, iframe, object, audio, video, canvas, svg, math';

function readable(html: string): DocumentFragment {
  const body = parseHtml(html.slice(0, 4 * MAX_CHARACTERS));
  const fragment = document.createDocumentFragment();
  let remaining = MAX_CHARACTERS;
  /** True after a space and at a beginning, where another space would be invisible. */
  let isAfterSpace = true;
  const copy = (from: Node, to: Node, isText: boolean): void => {
    /** The paragraph for loose text beside blocks, or in an item or a cell, as in the editor. */
    let paragraph: Node | undefined;
    const place = () => {
      if (isText) return to;
      paragraph ??= to.appendChild(document.createElement('p'));
      return paragraph;
    };
    for (const node of from.childNodes) {
      if (remaining <= 0) return;
      if (node instanceof Text) {
        const text = node.parentElement!.closest('pre') ? node.data : collapseSpaces(node.data, isAfterSpace);
        if (text === '') continue;
        remaining -= text.length;
        isAfterSpace = text.endsWith(' ');
        place().appendChild(document.createTextNode(text));
      } else if (node instanceof Element && !node.matches(INVISIBLE)) {
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

/** Collapses spaces like the editor, which reads the text so and then shows every space. */
function collapseSpaces(text: string, isAfterSpace: boolean): string {
  const one = text.replace(/[ \t\n\r\f]+/g, ' ');
  return isAfterSpace ? one.replace(/^ /, '') : one;
}
