import { sql } from 'kysely';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { type Failure, ValidationError } from '../errors.ts';
import { nameMistake } from '../name.ts';
import { raiseContentVersion } from './content-version.ts';
import { isBodyFormat, MAX_DEPTH, parsePageId } from './page.ts';
import { freeUrlname, lastPosition, parentKey } from './positions.ts';
import { toUrlname } from './urlname.ts';

/** The interface's fields as they were sent; `undefined` where one was not. */
export interface CreatePageInput {
  name: string | undefined;
  body: string | undefined;
  parentId: string | undefined;
  isHidden: string | undefined;
  description: string | undefined;
  bodyFormat: string | undefined;
  /** The user to whom the page is ascribed. */
  userId: number;
}

/**
 * Creates a page, last among its siblings, and returns its id.
 * @throws ValidationError with every field that breaks a rule; nothing is changed then.
 */
export async function createPage(trx: Trx, accountId: number, input: CreatePageInput): Promise<number> {
  const failures: Failure[] = [];
  const values = checkValues(input, failures);
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
  try {
    const [row] = await insert(trx, page);
    if (row) return row.id;
    const urlname = await freeUrlname(trx, accountId, page.parent, page.urlname);
    return (await insert(trx, { ...page, urlname }))[0]!.id;
  } catch (error) {
    if (violatedUniqueRule(error) === 'pages_name') throw new ValidationError([nameTaken]);
    throw error;
  }
}

const nameTaken: Failure = ['name', 'has already been taken'];

interface Values {
  name: string;
  /** null for the root; undefined for an id that no page can have. */
  parentId: number | null | undefined;
  body: string;
  isHidden: 0 | 1;
  description: string | null;
  bodyFormat: BodyFormat | undefined;
}

function checkValues(input: CreatePageInput, failures: Failure[]): Values {
  const name = (input.name ?? '').trim();
  const mistake = nameMistake(name);
  if (mistake) failures.push(['name', mistake]);
  const { body = '', description = null } = input;
  for (const [field, text] of [
    ['body', body],
    ['description', description],
  ] as const) {
    if (text?.includes('\0')) failures.push([field, 'contains a NUL character']);
  }
  const isHidden = parseFlag(input.isHidden ?? '');
  if (isHidden === undefined) failures.push(['is_hidden', 'is not true or false']);
  const bodyFormat = (input.bodyFormat ?? '').trim();
  if (bodyFormat !== '' && !isBodyFormat(bodyFormat)) failures.push(['body_format', 'is not included in the list']);
  return {
    name,
    parentId: parsePageId(input.parentId ?? ''),
    body,
    isHidden: isHidden ?? 0,
    description,
    bodyFormat: isBodyFormat(bodyFormat) ? bodyFormat : undefined,
  };
}

/** The words for true and false that forms and languages send. */
function parseFlag(text: string): 0 | 1 | undefined {
  const word = text.trim().toLowerCase();
  if (word === '') return 0;
  if (['true', '1', 'yes', 'on', 't'].includes(word)) return 1;
  if (['false', '0', 'no', 'off', 'f'].includes(word)) return 0;
  return undefined;
}

/**
 * A request that fails anyway is told of everything at once, so it is worth a look at what only the database knows.
 * A creation that can succeed never asks this first: there the unique index is the judge.
 */
async function reportTheRest(
  trx: Trx,
  accountId: number,
  values: { name: string; parentId?: number | null | undefined },
  failures: Failure[],
): Promise<void> {
  if ('parentId' in values) await checkParent(trx, accountId, values.parentId, failures);
  if (failures.some(([field]) => field === 'name')) return;
  const taken = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', values.name)
    .executeTakeFirst();
  if (taken) failures.unshift(nameTaken);
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
async function depthOf(trx: Trx, accountId: number, id: number): Promise<number> {
  const [row] = await selectDepth(trx, { accountId, id });
  return row?.depth ?? 0;
}

const selectDepth = prepared<{ accountId: number; id: number }, { depth: number | null }>((db, parameter) =>
  db
    .withRecursive('ancestors(parent_id, depth)', (cte) =>
      cte
        .selectFrom('pages')
        .select(['parent_id', sql<number>`1`.as('depth')])
        .where('account_id', '=', parameter('accountId'))
        .where('id', '=', parameter('id'))
        .unionAll((union) =>
          union
            .selectFrom('ancestors')
            .innerJoin('pages', (join) =>
              join.on('pages.account_id', '=', parameter('accountId')).onRef('pages.id', '=', 'ancestors.parent_id'),
            )
            .select(['pages.parent_id', sql<number>`ancestors.depth + 1`.as('depth')])
            // A bound, so that even a cycle that must not exist cannot hang the service.
            .where('ancestors.depth', '<=', MAX_DEPTH),
        ),
    )
    .selectFrom('ancestors')
    .select((e) => e.fn.max('depth').as('depth')),
);

interface NewPage extends Omit<Values, 'parentId' | 'bodyFormat'> {
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

/** Puts the page after its last sibling; inserts nothing where a sibling has the urlname already. */
const insert = prepared<NewPage, { id: number }>((db, parameter) =>
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
    .onConflict((conflict) => conflict.expression(sql`account_id, ${parentKey}, urlname`).doNothing())
    .returning('id'),
);
