import { readdirSync, readFileSync } from 'node:fs';
import { closestLanguage } from '../closest-language.ts';
import type { Trx } from '../db/database.ts';
import { escapeHtml } from '../html.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { insertPageRows } from './insert-page-rows.ts';
import { bytesOf } from './page-bytes.ts';
import { toUrlname } from './urlname.ts';

/** The facts about an account that its default pages mention. */
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
  /** The heading; the page's name if undefined. */
  title?: string;
  description: string;
  text: string;
}

const folder = new URL('./default-words/', import.meta.url);
const languages = new Set(readdirSync(folder).map((file) => file.replace('.json', '')));
const catalogue = new Map<string, readonly Words[]>();
/** Caches the urlnames of the default pages by their names, of which there are few. */
const urlnames = new Map<string, string>();

/**
 * Returns the pages that a new customer begins with: the home page and three others. Their texts suit any business, so a
 * customer may publish them unchanged.
 */
export function buildDefaultPages(owner: PageOwner): DefaultPage[] {
  const words = catalogue.getOrInsertComputed(closestLanguage(owner.language, languages), readWords);
  const fill = (text: string) => text.replaceAll('{name}', () => owner.name);
  return words.map(({ name, title = name, description, text }) => ({
    name,
    description: fill(description),
    body: `<h1>${escapeHtml(fill(title))}</h1>\n<p>${escapeHtml(fill(text))}</p>`,
  }));
}

function readWords(language: string): Words[] {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
}

interface NewSite extends PageOwner {
  /** How many pages the account's plan allows; null for any number. */
  maxPages?: number | null;
}

/**
 * Creates the default pages of an account that has none yet, in the user's name, up to the number that its plan allows.
 * Nothing else is checked: the texts are our own, and nobody else uses the account yet.
 */
export async function createDefaultPages(
  trx: Trx,
  accountId: number,
  { userId, ...site }: NewSite & { userId: number },
): Promise<void> {
  const pages = pagesOf(site);
  if (pages.length === 0) return;
  const { version } = await raiseContentVersion(trx, accountId, Date.now(), bytesOfAll(pages));
  await insertDefaultPages(trx, [{ accountId, userId, version, pages }]);
}

/** The default pages of a new account, with the values of the account's columns that depend on them. */
interface FirstPages {
  pages: DefaultPage[];
  pageBytes: number;
  /** The account's content version after the pages are created. */
  version: number;
}

/** Returns the default pages of an account that is about to be created. */
export function firstPagesOf(site: NewSite): FirstPages {
  const pages = pagesOf(site);
  return { pages, pageBytes: bytesOfAll(pages), version: Date.now() };
}

function pagesOf({ maxPages = null, ...owner }: NewSite): DefaultPage[] {
  return buildDefaultPages(owner).slice(0, maxPages ?? undefined);
}

function bytesOfAll(pages: readonly DefaultPage[]): number {
  return pages.reduce((sum, page) => sum + bytesOf(page), 0);
}

/** Inserts the default pages of accounts that have none yet, each account's pages in the name of one of its users. */
export async function insertDefaultPages(
  trx: Trx,
  sites: ReadonlyArray<{ accountId: number; userId: number; version: number; pages: readonly DefaultPage[] }>,
): Promise<void> {
  const now = Date.now();
  const rows = sites.flatMap(({ accountId, userId, version, pages }) =>
    pages.map(({ name, description, body }, index) => ({
      account_id: accountId,
      parent_id: null,
      name,
      urlname: urlnames.getOrInsertComputed(name, toUrlname),
      position: index + 1,
      is_hidden: 0 as const,
      body,
      description,
      body_format: 'wysiwyg_format' as const,
      custom_date: now,
      created_at: now,
      created_by: userId,
      updated_at: now,
      updated_by: userId,
      version,
      // Visitors see a default page only after it has been published.
      status: 'default' as const,
    })),
  );
  await insertPageRows(trx, rows);
}
