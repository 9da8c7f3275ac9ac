import { AppError } from '../errors.ts';
import { escapeHtml } from '../html.ts';
import { TextGrowth } from '../text-growth.ts';
import { isObject, postsIn } from './ghost-export.ts';
import { MAX_ADDRESS_CHARACTERS, type OldItem, type OldSite } from './old-site.ts';
import { tidyHtml } from './tidy-html.ts';

/** The placeholder for the site's own address in texts. */
const OWN_URL = '__GHOST_URL__';

/**
 * Reads the document of Ghost's “Export content”. The document lacks the address of the site, so `siteUrl` gives it.
 * @throws AppError `malformed` for any other document; `invalid` for an invalid address
 */
export function readGhostExport(document: unknown, siteUrl: string): OldSite {
  const posts = postsIn(document);
  if (!posts) throw new AppError('malformed', 'This is not an export file of Ghost.');
  const url = siteUrl.length <= MAX_ADDRESS_CHARACTERS ? URL.parse(siteUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError('invalid', 'The address of the old site must be like https://www.example.com.');
  }
  const origin = url.href.replace(/\/$/, '');
  const growth = new TextGrowth();
  const items = posts.map((post, index) => itemOf(isObject(post) ? post : {}, { origin, growth, id: index + 1 }));
  return {
    siteUrl: origin,
    items,
    htmlOf: ({ content, status }, references) => {
      // For texts that were never shown, some versions export only the editor's format, and no HTML.
      if (content === '' && status !== 'publish') references.note('no_html', '');
      return tidyHtml(content, references, { hasLineBreaks: false });
    },
  };
}

interface Surroundings {
  readonly origin: string;
  readonly growth: TextGrowth;
  readonly id: number;
}

function itemOf(post: Record<string, unknown>, { origin, growth, id }: Surroundings): OldItem {
  // NUL is removed, since PostgreSQL refuses it in texts.
  const text = (name: string) => (typeof post[name] === 'string' ? post[name].replaceAll('\0', '') : '');
  // Images in the sizes that themes ask for are replaced with the originals.
  const absolute = (html: string) =>
    html
      .replaceAll(OWN_URL, (own) => (growth.admits(origin.length - own.length) ? origin : own))
      .replace(/\/content\/images\/size\/w\d{1,5}(?:h\d{1,5})?\//g, '/content/images/');
  const slug = text('slug');
  const image = text('feature_image');
  const figure = image === '' ? '' : `<figure><img src="${escapeHtml(image)}" alt=""></figure>`;
  const html = text('html');
  return {
    id,
    // Versions before 3 have a number.
    type: post.type === 'page' || post.page === 1 || post.page === true ? 'page' : 'post',
    // A post that was only mailed to members was never on the site.
    status: text('status') === 'published' ? 'publish' : 'draft',
    title: escapeHtml(text('title')),
    slug,
    link: `${origin}/${slug}/`,
    permanentLink: '',
    parentId: 0,
    order: 0,
    date: timeOf(post.published_at) ?? timeOf(post.created_at),
    content: html === '' && figure === '' ? '' : absolute(figure + html),
    excerpt: escapeHtml(text('custom_excerpt')),
    restriction: ['', 'public'].includes(text('visibility')) ? undefined : 'members_only',
    fileUrl: '',
  };
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
