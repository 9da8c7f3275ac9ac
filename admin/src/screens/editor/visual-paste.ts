/** What word processors put on the clipboard, without what only they understand. */
export function cleanPasted(html: string): string {
  // Word's own elements and conditions are not even HTML.
  const plain = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<\/?(?:o|w|m|v):[^>]*>/g, '');
  const { body } = new DOMParser().parseFromString(plain, 'text/html');
  for (const element of body.querySelectorAll('style, script, meta, link, title, xml')) element.remove();
  // Google Docs wraps everything into a <b> that is not bold.
  for (const wrapper of body.querySelectorAll('b[id^="docs-internal-guid"]'))
    wrapper.replaceWith(...wrapper.childNodes);
  for (const element of [...body.querySelectorAll<HTMLElement>('span, b, p.MsoListParagraph')]) keepMeaning(element);
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!kept.has(name)) element.removeAttribute(name);
  }
  return body.innerHTML;
}

const kept = new Set(['href', 'src', 'alt', 'width', 'height', 'colspan', 'rowspan', 'start', 'allowfullscreen']);

/** Bold and italics are styles there, and are elements here. */
function keepMeaning(element: HTMLElement): void {
  // Read as text: the page's policy lets no style of another document take effect.
  const style = element.getAttribute('style') ?? '';
  const names = [
    /font-weight:\s*(?:bold|[6-9]00)/i.test(style) && 'strong',
    /font-style:\s*italic/i.test(style) && 'em',
    /text-decoration[^;]*line-through/i.test(style) && 's',
  ].filter((name): name is string => name !== false);
  if (element.localName === 'b' && /font-weight:\s*(?:normal|400)/i.test(style))
    element.replaceWith(...element.childNodes);
  if (element.localName !== 'span' || names.length === 0) return;
  for (const name of names) {
    const mark = element.ownerDocument.createElement(name);
    mark.append(...element.childNodes);
    element.append(mark);
  }
}
