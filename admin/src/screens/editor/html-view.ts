import { blockNames, dropped, inlineNames, replacements } from '../../body-vocabulary.ts';
import { appImageUrl } from '../../own-images.ts';
import { parseHtml } from '../../parts/parse-html.ts';
import { embedBox } from './embeds/embed-box.ts';

/** The attributes that the view keeps, by element. */
const keptAttributes: Readonly<Record<string, readonly string[]>> = {
  img: ['alt', 'width', 'height'],
  ol: ['start', 'reversed', 'type'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
};

/**
 * Returns the part of the HTML that visitors see: the elements that sites show, without scripts, link targets, or classes and
 * styles that could imitate the app.
 */
export function showHtml(html: string): DocumentFragment {
  const view = document.createDocumentFragment();
  copyChildren(parseHtml(html), view);
  return view;
}

/** True if a visitor would see anything of the content. */
export function isVisible(shown: DocumentFragment): boolean {
  return shown.textContent.trim() !== '' || shown.querySelector('img, hr, .embed-box') !== null;
}

function copyChildren(from: Node, to: Node): void {
  for (const child of from.childNodes) {
    if (child instanceof Text) to.appendChild(document.createTextNode(child.data));
    else if (child instanceof Element) copyElement(child, to);
  }
}

function copyElement(from: Element, to: Node): void {
  const name = replacements.get(from.localName) ?? from.localName;
  if (name === 'iframe') to.appendChild(frameBox(from));
  else if (dropped.has(name)) return;
  else if (name === 'img') to.appendChild(image(from));
  else if (blockNames.has(name) || inlineNames.has(name) || name === 'br' || name === 'wbr') {
    const element = withAttributes(document.createElement(name), from);
    copyChildren(from, to.appendChild(element));
  } else copyChildren(from, to);
}

function frameBox(frame: Element): HTMLElement {
  return embedBox({ attrs: { title: frame.getAttribute('title'), src: frame.getAttribute('src') } }).dom;
}

function image(from: Element): HTMLElement {
  const element = withAttributes(document.createElement('img'), from);
  const src = from.getAttribute('src')?.trim() ?? '';
  if (/^(?:https?:|data:image\/|\/)/i.test(src)) element.src = appImageUrl(src);
  element.alt = from.getAttribute('alt') ?? '';
  return element;
}

function withAttributes<E extends HTMLElement>(element: E, from: Element): E {
  for (const name of [...(keptAttributes[element.localName] ?? []), 'dir', 'lang']) {
    const value = from.getAttribute(name);
    if (value !== null) element.setAttribute(name, value);
  }
  return element;
}
