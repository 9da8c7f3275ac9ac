import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared, preparedInsertion } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { type Failure, ValidationError } from '../errors.ts';
import { raiseContentVersion } from './content-version.ts';
import { MAX_DEPTH } from './page.ts';
import { type CreatePageInput, checkPageValues, type PageValues } from './page-values.ts';
import { freeUrlname, lastPosition, withAncestors } from './positions.ts';
import { toUrlname } from './urlname.ts';

/**
 * Creates a page, last among its siblings, and returns its id.
 * @throws ValidationError with every field that breaks a rule; nothing is changed then.
 */
export async function createPage(trx: Trx, accountId: number, input: CreatePageInput): Promise<number> {
  const failures: Failure[] = [];
  const values = checkPageValues(input, failures);
  if (failures.length > 0) {
    await reportTheRest(trx, accountId, values, failures);
    throw new ValidationError(failures);
  }

  const now = Date.now();
  const account = await raiseContentVersion(trx, accountId, now);
  await checkParent(trx, accountId, values.parentId, failures);
  if (failures.length > 0) {
    await reportTheRest(trx, accountId, { name: values.name }, failures);
    throw new ValidationError(failures);
  }
  const page = {
    ...values,
    parentId: values.parentId ?? null,
    parent: values.parentId ?? 0,
    bodyFormat: values.bodyFormat ?? account.editor,
    accountId,
    urlname: toUrlname(values.name),
    now,
    userId: input.userId,
    version: account.version,
  };
  const id = await insertPage(trx, page);
  if (id !== undefined) return id;
  if (await isTaken(trx, accountId, values.name)) throw new ValidationError([nameTaken]);
  const urlname = await freeUrlname(trx, accountId, page.parent, page.urlname);
  return (await insertPage(trx, { ...page, urlname }))!;
}

export const nameTaken: Failure = ['name', 'has already been taken'];

/**
 * A request that fails anyway is told of everything at once, so it is worth a look at what only the database knows.
 * A creation that can succeed never asks this first: there the unique indexes are the judges.
 */
async function reportTheRest(
  trx: Trx,
  accountId: number,
  values: { name: string; parentId?: number | null | undefined },
  failures: Failure[],
): Promise<void> {
  if ('parentId' in values) await checkParent(trx, accountId, values.parentId, failures);
  if (failures.some(([field]) => field === 'name')) return;
  if (await isTaken(trx, accountId, values.name)) failures.unshift(nameTaken);
}

async function isTaken(trx: Trx, accountId: number, name: string): Promise<boolean> {
  const page = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();
  return page !== undefined;
}

async function checkParent(
  trx: Trx,
  accountId: number,
  parentId: number | null | undefined,
  failures: Failure[],
): Promise<void> {
  if (parentId === null) return;
  const depth = parentId === undefined ? 0 : await depthOf(trx, accountId, parentId);
  if (depth === 0) failures.push(['parent_id', 'does not exist']);
  else if (depth >= MAX_DEPTH) failures.push(['parent_id', 'is nested too deeply']);
}

/** 1 for a root page, 2 for its children, …; 0 when the account has no such page. */
export async function depthOf(trx: Trx, accountId: number, id: number): Promise<number> {
  const [row] = await selectDepth(trx, { accountId, id });
  return row?.depth ?? 0;
}

const selectDepth = prepared<{ accountId: number; id: number }, { depth: number | null }>((db, parameter) =>
  withAncestors(db, parameter('accountId'), parameter('id'))
    .selectFrom('ancestors')
    .select((e) => e.fn.max('depth').as('depth')),
);

interface NewPage extends Omit<PageValues, 'parentId' | 'bodyFormat'> {
  parentId: number | null;
  /** The same, with 0 for the root. */
  parent: number;
  bodyFormat: BodyFormat;
  accountId: number;
  urlname: string;
  now: number;
  userId: number;
  version: number;
}

/** Puts the page after its last sibling; inserts nothing where its name, or a sibling's urlname, is taken. */
export const insertPage = preparedInsertion<NewPage, 'pages'>((db, parameter) =>
  db
    .insertInto('pages')
    .values({
      account_id: parameter('accountId'),
      parent_id: parameter('parentId'),
      name: parameter('name'),
      urlname: parameter('urlname'),
      position: sql<number>`coalesce(${lastPosition(db, parameter('accountId'), parameter('parent'))}, 0) + 1`,
      is_hidden: parameter('isHidden'),
      body: parameter('body'),
      description: parameter('description'),
      body_format: parameter('bodyFormat'),
      custom_date: parameter('now'),
      created_at: parameter('now'),
      created_by: parameter('userId'),
      updated_at: parameter('now'),
      updated_by: parameter('userId'),
      version: parameter('version'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);
