import { api } from '../../../api.ts';
import type { BodyFormat } from '../../../contract.ts';
import { loadPart } from '../../../load-part.ts';
import { parseHtml } from '../../../parts/parse-html.ts';
import { toMarkdown } from './to-markdown.ts';

/** Returns the body in the other format, as closely as that format can express it. */
export async function convertBody(body: string, from: BodyFormat | '', to: BodyFormat): Promise<string> {
  if (from === to || (from === '' && to === 'wysiwyg_format')) return body;
  if (to === 'wysiwyg_format') return tidy((await api.preview(body, from)).html, await imagesWithoutAltIn(body));
  return toMarkdown(body);
}

/** Returns the addresses of the Markdown images without alternative text. The renderer gives them alt="", as if decorative. */
async function imagesWithoutAltIn(text: string): Promise<ReadonlySet<string>> {
  const [{ EditorState }, { markdown, markdownLanguage }, { imagesInMarkdown }] = await loadPart(() =>
    Promise.all([
      import('@codemirror/state'),
      import('@codemirror/lang-markdown'),
      import('../images/written-images.ts'),
    ]),
  );
  const state = EditorState.create({ doc: text, extensions: [markdown({ base: markdownLanguage })] });
  const images = imagesInMarkdown(state).filter(({ alt }) => alt === null);
  return new Set(images.map(({ src }) => src));
}

/** Removes what the renderer adds for visitors and an edited text does not need. */
function tidy(html: string, withoutAlt: ReadonlySet<string>): string {
  const body = parseHtml(html);
  const targets = new Set([...body.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')));
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    // The site derives a heading's id from its text. An id that the page itself links to may be the author's own.
    const isTarget = targets.has(`#${encodeURIComponent(heading.id)}`);
    for (const { name } of [...heading.attributes]) if (name !== 'id' || !isTarget) heading.removeAttribute(name);
  }
  for (const picture of body.querySelectorAll('picture')) picture.replaceWith(...picture.querySelectorAll('img'));
  for (const image of body.querySelectorAll('img')) {
    for (const name of ['srcset', 'sizes', 'loading', 'decoding', 'fetchpriority']) image.removeAttribute(name);
    if (withoutAlt.has(image.getAttribute('src') ?? '') && !image.alt) image.removeAttribute('alt');
  }
  for (const box of body.querySelectorAll('div.embed')) {
    for (const frame of box.querySelectorAll('iframe')) {
      for (const name of ['referrerpolicy', 'sandbox', 'allow']) frame.removeAttribute(name);
    }
    box.replaceWith(...box.childNodes);
  }
  for (const box of body.querySelectorAll('div.table-scroll')) box.replaceWith(...box.childNodes);
  for (const header of body.querySelectorAll('th')) header.removeAttribute('scope');
  for (const code of body.querySelectorAll('pre')) code.removeAttribute('tabindex');
  for (const named of body.querySelectorAll('input, a.footnote-backref')) named.removeAttribute('aria-label');
  for (const task of body.querySelectorAll('input')) task.removeAttribute('disabled');
  for (const link of body.querySelectorAll('a[rel="noopener"]')) link.removeAttribute('rel');
  return body.innerHTML.trim();
}
