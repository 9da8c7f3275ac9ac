import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { escapeHtml } from '../html.ts';
import { freeNumber } from '../pages/free-number.ts';
import { checkImport, importPages, Siblings, takenNames, urlnamesBelow } from '../pages/import-pages.ts';
import { MAX_DEPTH } from '../pages/page.ts';
import type { TreePage } from '../pages/parse-page-tree.ts';
import { recordFormerPaths } from '../pages/redirects.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { MAX_ADDED_CHARACTERS, TextGrowth } from '../text-growth.ts';
import type { SiteToImport } from './site-to-import.ts';

interface ImportSiteInput {
  readonly site: SiteToImport;
  /** The new URLs of the site's images by index. Images without one keep their old URL. */
  readonly imageUrls: readonly (string | undefined)[];
  /** The most bytes that the account's pages may take up together. */
  readonly quota: number;
  /** True to check everything and change nothing. */
  readonly isDryRun: boolean;
}

export interface ImportedSite {
  /** The ids of the pages in order; empty for a dry run. */
  readonly ids: readonly number[];
  /** The new names of the pages. */
  readonly names: readonly string[];
  /** The pages whose names were taken, with their new names. */
  readonly renamed: readonly { from: string; to: string }[];
  /** How many former addresses redirect. */
  readonly redirects: number;
}

/**
 * Creates the pages of another system's site, last among the root pages: all or none. Names and URLs that other pages have get
 * a number. Links between the pages lead to the new URLs, and the former URLs redirect.
 * @throws the errors of `importPages`
 */
export async function importSite(
  trx: Trx,
  accountId: number,
  { site, imageUrls, quota, isDryRun }: ImportSiteInput,
  { userId, by }: { userId: number; by: Actor },
): Promise<ImportedSite> {
  await lockAccount(trx, accountId);
  const names = await freeNames(trx, accountId, site);
  const depths = depthsOf(site);
  const paths = pathsOf(site, depths, await urlnamesBelow(trx, accountId, 0));
  const images = site.images.map((address, index) => escapeHtml(imageUrls[index] ?? address));
  const urls = { paths, images, growth: new TextGrowth() };
  const pages = site.pages.map((page, index): TreePage => {
    const depth = depths[index]!;
    return {
      place: `pages[${index}]`,
      depth,
      parent: page.parent ?? null,
      name: names[index]!,
      urlname: paths[index]!.slice(paths[index]!.lastIndexOf('/') + 1),
      body: withUrls(page.body, urls),
      description: page.description,
      isHidden: 0,
      status: page.status,
      bodyFormat: 'wysiwyg_format',
      customDate: page.date,
      // Reported only for the first level that is too deep: the pages below it are too deep as well.
      failures: depth === MAX_DEPTH + 1 ? [{ field: `pages[${index}]`, code: 'too_deep' }] : [],
    };
  });
  const input = { pages, parentId: null, quota };
  if (isDryRun) await checkImport(trx, accountId, input);
  const ids = isDryRun ? [] : await importPages(trx, accountId, input, { userId, by });
  const former = site.pages.flatMap(({ formerPaths }, index) =>
    formerPaths.filter((path) => path !== paths[index]).map((path) => ({ path, id: ids[index] ?? 0 })),
  );
  if (!isDryRun) await recordFormerPaths(trx, accountId, former);
  const renamed = site.pages.flatMap(({ name }, index) =>
    name === names[index] ? [] : [{ from: name, to: names[index]! }],
  );
  return { ids, names, renamed, redirects: former.length };
}

interface NewUrls {
  readonly paths: readonly string[];
  readonly images: readonly string[];
  readonly growth: TextGrowth;
}

/** @throws ValidationError */
function withUrls(body: string, { paths, images, growth }: NewUrls): string {
  return body.replace(/(?<=(?:href|src)=")import(-image)?:(\d{1,6})/g, (text, isImage, index) => {
    const url = (isImage ? images : paths)[index] ?? text;
    if (growth.admits(url.length - text.length)) return url;
    throw new ValidationError([{ field: 'pages', code: 'unpacks_too_large', params: { bytes: MAX_ADDED_CHARACTERS } }]);
  });
}

/** How many numbers after a name are tried one by one. */
const MAX_STEPS = 20;

/** Returns names that no page of the account has, and no two pages of the import. */
async function freeNames(trx: Trx, accountId: number, { pages }: SiteToImport): Promise<string[]> {
  const taken = await takenNames(
    trx,
    accountId,
    pages.map(({ name }) => name),
  );
  const next = new Map<string, number>();
  const names: string[] = [];
  for (const { name } of pages) {
    const takenOf = async (numbers: readonly number[]) => {
      const nameOf = (number: number) => `${name} ${number}`;
      for (const one of await takenNames(trx, accountId, numbers.map(nameOf))) taken.add(one);
      return new Set(numbers.filter((number) => taken.has(nameOf(number))));
    };
    let free = name;
    for (let steps = 0; taken.has(free); steps += 1) {
      const following = (next.get(name) ?? 1) + 1;
      // Thousands of consecutive numbers may be taken, so the search then takes larger steps.
      const number = steps < MAX_STEPS ? following : await freeNumber(takenOf);
      next.set(name, number);
      free = `${name} ${number}`;
      if (steps < MAX_STEPS && !taken.has(free)) await takenOf([number]);
    }
    taken.add(free);
    names.push(free);
  }
  return names;
}

function depthsOf({ pages }: SiteToImport): number[] {
  const depths: number[] = [];
  for (const { parent } of pages) depths.push(parent === undefined ? 1 : depths[parent]! + 1);
  return depths;
}

/** Returns the new paths of the pages. As for any creation, urlnames that are taken get a number. */
function pathsOf({ pages }: SiteToImport, depths: readonly number[], taken: readonly string[]): string[] {
  const siblings = new Map<number | undefined, Siblings>([[undefined, new Siblings(taken)]]);
  const paths: string[] = [];
  for (const [index, { parent, urlname }] of pages.entries()) {
    const free = siblings.getOrInsertComputed(parent, () => new Siblings([])).add(urlname).urlname;
    // A chain of thousands of pages, which is refused anyway, would have endless paths.
    const isTooDeep = depths[index]! > MAX_DEPTH;
    paths.push(`${parent === undefined || isTooDeep ? '' : paths[parent]!}/${free}`);
  }
  return paths;
}
