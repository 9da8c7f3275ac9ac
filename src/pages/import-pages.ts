import { sql } from 'kysely';
import { type Actor, type NamedAuditEvent, recordAuditEvents } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { textRows } from '../db/json-list.ts';
import { checkRows } from '../db/long-changes.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { notFound, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findPlanLimitFailure } from '../tenancy/plan-limits.ts';
import { depthOf } from './depth.ts';
import { insertPageCopies } from './insert-page-copies.ts';
import type { PageToCopy } from './list-pages-to-copy.ts';
import { formatPageId, MAX_DEPTH } from './page.ts';
import { bytesOf, validateQuota } from './page-bytes.ts';
import { imagesIn } from './page-images.ts';
import { CREATED } from './page-to-insert.ts';
import type { TreePage } from './parse-page-tree.ts';
import { parentKey } from './positions.ts';
import { countChildren } from './siblings.ts';
import { pathFromRoot, pathOf } from './subtree.ts';
import { numbered } from './urlname.ts';

export interface ImportPagesInput {
  /** The pages, each before its children. */
  pages: readonly TreePage[];
  /** The page below which the pages are created; null for the root; undefined for an id that no page can have. */
  parentId: number | null | undefined;
  /** The most bytes that the account's pages may take up together. */
  quota: number;
  /** Returns the text of a page by its index, given the paths of all pages; the default is the page's `body`. */
  textOf?: (index: number, paths: readonly string[]) => string;
}

/**
 * The most images that the texts may show together. Each is a row: with a million, SQLite's transaction takes half a minute.
 */
const MAX_SHOWN_IMAGES = 100_000;

/** The most failures that are reported: as many as there may be pages. */
const MAX_FAILURES = 20_000;

/** How many names one query looks up, and how many events one statement records. */
const BATCH_SIZE = 500;

/**
 * Creates the pages of a tree in the user's name, the first ones last among their siblings, with an audit event for each page as
 * for any other creation. Either all pages are created or none. Returns their ids in the order of the pages.
 * @throws the errors of `checkImport`
 */
export async function importPages(
  trx: Trx,
  accountId: number,
  input: ImportPagesInput,
  { userId, by }: { userId: number; by: Actor },
): Promise<number[]> {
  await lockAccount(trx, accountId);
  const { editor, siblings } = await checkImport(trx, accountId, input);
  const { pages, quota, textOf } = input;
  if (pages.length === 0) return [];
  const below = input.parentId ?? null;
  const inPlace = placePages(pages, { editor, taken: siblings });
  const paths = textOf ? pathsOf(inPlace, below === null ? '' : pathOf(await pathFromRoot(trx, accountId, below))) : [];
  const copies = textOf ? inPlace.map((copy) => ({ ...copy, body: textOf(copy.id, paths) })) : inPlace;
  // Sorted by level: a statement can only insert pages whose parents exist.
  const byLevel = copies.toSorted((a, b) => pages[a.id]!.depth - pages[b.id]!.depth);
  const { ids } = await insertPageCopies(trx, accountId, byLevel, { userId, quota, below });
  const events = copies.map(({ id, name }): NamedAuditEvent => {
    const event = { action: CREATED, subject: formatPageId(ids.get(id)!), details: { name } };
    return { accountId, actor: by, event };
  });
  for (let start = 0; start < events.length; start += BATCH_SIZE) {
    await recordAuditEvents(trx, events.slice(start, start + BATCH_SIZE));
  }
  return copies.map(({ id }) => ids.get(id)!);
}

/** The facts about the account and the future siblings that new pages depend on. */
interface Surroundings {
  editor: BodyFormat;
  /** The urlnames of the parent's children. */
  siblings: readonly string[];
}

/**
 * Checks whether the tree can be imported; changes nothing.
 * @throws ValidationError with every broken rule, named by the place of the page that breaks it; AppError `not_found`;
 * ChangeTooLong
 */
export async function checkImport(trx: Trx, accountId: number, input: ImportPagesInput): Promise<Surroundings> {
  const { pages, parentId, quota } = input;
  const account = await trx
    .selectFrom('accounts')
    .select(['editor', 'page_bytes as pageBytes'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!account) throw notFound('The account');
  const siblingCount = parentId === undefined ? 0 : await countChildren(trx, accountId, parentId ?? 0);
  checkRows(trx, pages.length + siblingCount);
  const bytes = pages.reduce((sum, page) => sum + bytesOf(page), 0);
  const noRoom = validateQuota({ bytes, pageBytes: account.pageBytes + bytes, quota });
  const full = await findPlanLimitFailure(trx, accountId, 'pages', pages.length);
  const ofAll = [...noRoom.map((failure) => ({ ...failure, field: 'pages' })), ...(full ? [full] : [])];
  if (countShownImages(pages) > MAX_SHOWN_IMAGES) {
    ofAll.push({ field: 'pages', code: 'too_many_images', params: { max: MAX_SHOWN_IMAGES } });
  }
  const parentDepth = parentId ? await depthOf(trx, accountId, parentId) : 0;
  if (parentId !== null && parentDepth === 0) ofAll.push({ field: 'parent_id', code: 'missing' });
  const names = pages.map(({ name }) => name);
  const taken = await takenNames(trx, accountId, names);
  const failures = [...ofAll, ...pages.flatMap((page) => failuresOf(page, { parentDepth, taken }))];
  if (failures.length > 0) throw new ValidationError(firstFailures(failures, MAX_FAILURES));
  return { editor: account.editor, siblings: await urlnamesBelow(trx, accountId, parentId ?? 0) };
}

/** Returns the failures of a page, and adds its name to `taken`. */
function failuresOf(
  { place, depth, name, failures }: TreePage,
  { parentDepth, taken }: { parentDepth: number; taken: Set<string> },
): FieldError[] {
  const own = [...failures];
  const field = `${place}.name`;
  if (name !== '' && taken.has(name) && !failures.some((failure) => failure.field === field))
    own.unshift({ field, code: 'taken' });
  taken.add(name);
  // Reported only for the first level that is too deep: the pages below it are too deep as well.
  if (parentDepth > 0 && parentDepth + depth === MAX_DEPTH + 1) own.push({ field: place, code: 'too_deep' });
  return own;
}

function countShownImages(pages: readonly TreePage[]): number {
  return pages.reduce((sum, { body }) => sum + imagesIn(body).length, 0);
}

/** Returns the first `most` failures, followed by one that counts the rest. */
export function firstFailures(failures: readonly FieldError[], most: number): FieldError[] {
  const count = failures.length - most;
  if (count <= 0) return [...failures];
  return [...failures.slice(0, most), { field: 'pages', code: 'more_failures', params: { count } }];
}

/** Returns which of the names pages of the account already have. */
export async function takenNames(trx: Trx, accountId: number, names: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let start = 0; start < names.length; start += BATCH_SIZE) {
    // PostgreSQL refuses NUL characters in texts; a name with one is invalid anyway.
    const batch = names.slice(start, start + BATCH_SIZE).filter((name) => !name.includes('\0'));
    for (const { name } of await selectNames(trx, { accountId, names: JSON.stringify(batch) })) taken.add(name);
  }
  return taken;
}

const selectNames = prepared<{ accountId: number; names: string }, { name: string }>((db, parameter) => {
  const isNamed = sql`pages.account_id = ${parameter('accountId')} and pages.name = listed.text`;
  const compiled = sql<{ name: string }>`
    select pages.name from ${textRows(db, parameter('names'))} ${lookupJoin(db, 'pages', isNamed)}`;
  return { compile: () => compiled.compile(db) };
});

/** Returns the urlnames of the children of a page, or of the root pages for 0. */
export async function urlnamesBelow(trx: Trx, accountId: number, parent: number): Promise<string[]> {
  const siblings = trx.selectFrom('pages').select('urlname').where('account_id', '=', accountId);
  return (await siblings.where(parentKey, '=', parent).execute()).map(({ urlname }) => urlname);
}

/** Returns the pages with positions and with urlnames that no sibling has. The ids are indexes into `pages`. */
function placePages(
  pages: readonly TreePage[],
  { editor, taken }: { editor: BodyFormat; taken: readonly string[] },
): PageToCopy[] {
  const now = Date.now();
  const siblings = new Map<number | null, Siblings>([[null, new Siblings(taken)]]);
  return pages.map(({ parent, isHidden, bodyFormat = editor, customDate = now, ...page }, id) => {
    const { urlname, position } = siblings.getOrInsertComputed(parent, () => new Siblings([])).add(page.urlname);
    const { name, description, body, status } = page;
    return {
      id,
      parentId: parent,
      name,
      urlname,
      position,
      isHidden: isHidden === 1,
      description,
      body,
      bodyFormat,
      customDate,
      status,
    };
  });
}

/**
 * Returns the paths of the pages, each of which comes after its parent. Pages without a parent are below the path `below`.
 */
function pathsOf(pages: readonly PageToCopy[], below: string): string[] {
  const paths: string[] = [];
  for (const { parentId, urlname } of pages) paths.push(`${parentId === null ? below : paths[parentId]!}/${urlname}`);
  return paths;
}

/** The children of one parent, which gives new children a free urlname and the next position. */
export class Siblings {
  readonly #urlnames: Set<string>;
  /** The next number to try for each urlname that is taken: thousands of pages may want the same urlname. */
  readonly #next = new Map<string, number>();

  constructor(urlnames: readonly string[]) {
    this.#urlnames = new Set(urlnames);
  }

  add(wanted: string): { urlname: string; position: number } {
    let number = this.#next.get(wanted) ?? 1;
    while (this.#urlnames.has(numbered(wanted, number))) number += 1;
    this.#next.set(wanted, number + 1);
    const urlname = numbered(wanted, number);
    this.#urlnames.add(urlname);
    return { urlname, position: this.#urlnames.size };
  }
}
