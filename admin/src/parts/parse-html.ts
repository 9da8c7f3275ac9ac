/**
 * Parses HTML as the content of a body. Nothing of it runs or loads, and no name in it hides a member of what is parsed: of a
 * document, `<img name=body>` would replace `body`, and of a form, `<input name=matches>` replaces `matches`.
 */
export function parseHtml(html: string): HTMLElement {
  // It never becomes part of its document.
  const body = document.implementation.createHTMLDocument().createElement('body');
  body.innerHTML = html;
  if (!body.querySelector('form')) return body;
  for (const element of body.querySelectorAll(':is([name], [id]):not(form)')) {
    for (const name of ['name', 'id']) {
      if ((element.getAttribute(name) ?? '') in HTMLFormElement.prototype) element.removeAttribute(name);
    }
  }
  return body;
}
