/**
 * Parses HTML as the content of a body. Scripts do not run and images do not load. Names in the HTML cannot shadow DOM
 * members: in a document, `<img name=body>` would replace `body`, and in a form, `<input name=matches>` replaces `matches`.
 */
export function parseHtml(html: string): HTMLElement {
  // The body is not attached to its document.
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
