import { readdirSync, readFileSync } from 'node:fs';
import { closestLanguage } from '../closest-language.ts';
import type { Trx } from '../db/database.ts';
import { escapeHtml } from '../html.ts';
import { insertPages } from './insert-pages.ts';
import { toUrlname } from './urlname.ts';

/** The account as its default pages speak of it. */
export interface PageOwner {
  name: string;
  /** The language of the site, a BCP 47 tag. */
  language: string;
}

interface DefaultPage {
  name: string;
  description: string;
  body: string;
}

/** A page in the files of `default-words`. `{name}` stands for the account's name. */
interface Words {
  name: string;
  /** The page's name, if there is none. */
  title?: string;
  description: string;
  text: string;
}

const folder = new URL('./default-words/', import.meta.url);
const languages = new Set(readdirSync(folder).map((file) => file.replace('.json', '')));
const catalogue = new Map<string, readonly Words[]>();

/**
 * Returns the pages that a new customer begins with: the home page and three others. Their texts are true of anybody, so that
 * they could stay.
 */
export function defaultPages(owner: PageOwner): DefaultPage[] {
  const words = catalogue.getOrInsertComputed(closestLanguage(owner.language, languages), read);
  const fill = (text: string) => text.replaceAll('{name}', () => owner.name);
  return words.map(({ name, title = name, description, text }) => ({
    name,
    description: fill(description),
    body: `<h1>${escapeHtml(fill(title))}</h1>\n<p>${escapeHtml(fill(text))}</p>`,
  }));
}

function read(language: string): Words[] {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
}

/**
 * Creates the default pages of an account that has none yet, in the user's name. The pages are our own and nobody else
 * sees the account yet, so nothing is checked. There are no more than its plan allows.
 */
export async function createDefaultPages(
  trx: Trx,
  accountId: number,
  { userId, maxPages = null, ...owner }: PageOwner & { userId: number; maxPages?: number | null },
): Promise<void> {
  const pages = defaultPages(owner)
    .slice(0, maxPages ?? undefined)
    .map((page) => ({
      ...page,
      accountId,
      parentId: null,
      urlname: toUrlname(page.name),
      isHidden: 0 as const,
      // Visitors see none of them before somebody publishes it.
      status: 'default' as const,
      bodyFormat: 'wysiwyg_format' as const,
      images: [],
      userId,
      ip: null,
      quota: Number.MAX_SAFE_INTEGER,
    }));
  await insertPages(trx, pages);
}
