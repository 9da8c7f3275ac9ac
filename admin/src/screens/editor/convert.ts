import { api } from '../../api.ts';
import type { BodyFormat } from '../../contract.ts';

/** The body in the other format, as near as that can say it. Changes nothing. */
export async function convertBody(body: string, from: BodyFormat | '', to: BodyFormat): Promise<string> {
  if (from === to || (from === '' && to === 'wysiwyg_format')) return body;
  if (to === 'wysiwyg_format') return tidy((await api.preview(body, from)).html);
  const { default: Turndown } = await import('turndown');
  const service = new Turndown({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  // Markdown has no signs for these, and takes them as HTML.
  service.keep(['table', 'iframe', 'sub', 'sup']);
  return `${service.turndown(body)}\n`;
}

/** What only a finished page needs does not belong into a text that is edited. */
function tidy(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    for (const { name } of [...heading.attributes]) heading.removeAttribute(name);
  }
  for (const picture of body.querySelectorAll('picture')) picture.replaceWith(...picture.querySelectorAll('img'));
  for (const image of body.querySelectorAll('img')) {
    for (const name of ['srcset', 'sizes', 'loading', 'decoding', 'fetchpriority']) image.removeAttribute(name);
  }
  for (const box of body.querySelectorAll('div.embed')) {
    for (const frame of box.querySelectorAll('iframe')) {
      for (const name of ['referrerpolicy', 'sandbox', 'allow']) frame.removeAttribute(name);
    }
    box.replaceWith(...box.childNodes);
  }
  return body.innerHTML.trim();
}
