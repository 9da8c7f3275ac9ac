import { sql } from 'kysely';
import { violatedUniqueRule } from '../db/constraint.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { type Failure, ValidationError } from '../errors.ts';
import { nameTaken } from './create-page.ts';
import { MAX_DEPTH } from './page.ts';
import { type CreatePageInput, checkPageValues, type PageValues } from './page-values.ts';
import { lastPosition, parentKey, withAncestors } from './positions.ts';
import { toUrlname } from './urlname.ts';

/** Accounts that have a creation under way here: the next one would only get in its way. */
const busy = new Set<number>();

/**
 * Creates the page in one statement, which is a transaction of its own, where nothing is in the way. Where something is,
 * returns undefined with nothing created: `createPage` then waits its turn, or finds out what to say.
 *
 * Only PostgreSQL changes two tables in one statement; one round trip instead of three is most of what a creation costs
 * there. On SQLite there are no round trips to save.
 * @throws ValidationError when the name is taken.
 */
export async function createPageAtOnce(db: Db, accountId: number, input: CreatePageInput): Promise<number | undefined> {
  if (dialectOf(db) !== 'postgres' || busy.has(accountId)) return undefined;
  const failures: Failure[] = [];
  const values = checkPageValues(input, failures);
  if (values.parentId === undefined || failures.length > 0) return undefined;
  busy.add(accountId);
  try {
    const [row] = await insertAtOnce(db, {
      ...values,
      bodyFormat: values.bodyFormat ?? null,
      parentId: values.parentId,
      parent: values.parentId ?? 0,
      accountId,
      urlname: toUrlname(values.name),
      now: Date.now(),
      userId: input.userId,
    });
    return row?.id;
  } catch (error) {
    if (violatedUniqueRule(error) === 'pages_name') throw new ValidationError([nameTaken]);
    throw error;
  } finally {
    busy.delete(accountId);
  }
}

interface NewPage extends Omit<PageValues, 'parentId' | 'bodyFormat'> {
  parentId: number | null;
  /** The same, with 0 for the root. */
  parent: number;
  bodyFormat: PageValues['bodyFormat'] | null;
  accountId: number;
  urlname: string;
  now: number;
  userId: number;
}

/**
 * Every part of a statement sees the database as it was when it began, but the raised version is the newest: it may have
 * waited for another change. Only if no other came between was the tree that we saw the tree that we hold.
 */
const insertAtOnce = prepared<NewPage, { id: number }>((db, parameter) =>
  withAncestors(db, parameter('accountId'), parameter('parent'))
    .with('raised', (cte) =>
      cte
        .updateTable('accounts')
        .set((e) => ({
          content_version: e('content_version', '+', sql.lit(1)),
          content_changed_at: parameter('now'),
        }))
        .where('id', '=', parameter('accountId'))
        .returning(['content_version as version', 'editor']),
    )
    .insertInto('pages')
    .columns([
      'account_id',
      'parent_id',
      'name',
      'urlname',
      'position',
      'is_hidden',
      'body',
      'description',
      'body_format',
      'custom_date',
      'created_at',
      'created_by',
      'updated_at',
      'updated_by',
      'version',
    ])
    .expression((e) =>
      e
        .selectFrom('raised')
        .select([
          parameter('accountId').as('account_id'),
          parameter('parentId').as('parent_id'),
          parameter('name').as('name'),
          parameter('urlname').as('urlname'),
          sql<number>`coalesce(${lastPosition(db, parameter('accountId'), parameter('parent'))}, 0) + 1`.as('position'),
          parameter('isHidden').as('is_hidden'),
          parameter('body').as('body'),
          parameter('description').as('description'),
          sql<BodyFormat>`coalesce(${parameter('bodyFormat')}, raised.editor)`.as('body_format'),
          parameter('now').as('custom_date'),
          parameter('now').as('created_at'),
          parameter('userId').as('created_by'),
          parameter('now').as('updated_at'),
          parameter('userId').as('updated_by'),
          'raised.version',
        ])
        .where(
          'raised.version',
          '=',
          e
            .selectFrom('accounts')
            .select(sql<number>`content_version + 1`.as('next'))
            .where('id', '=', parameter('accountId')),
        )
        .where(
          sql<boolean>`(cast(${parameter('parent')} as bigint) = 0 or (select max(depth) from ancestors) < ${sql.lit(MAX_DEPTH)})`,
        ),
    )
    .onConflict((conflict) => conflict.expression(sql`account_id, ${parentKey}, urlname`).doNothing())
    .returning('id'),
);
