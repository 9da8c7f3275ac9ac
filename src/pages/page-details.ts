import { shownName } from '../audit/shown-name.ts';
import type { Trx } from '../db/database.ts';
import type { BodyFormat, Timestamp } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { type PathNode, pathFromRoot, pathOf } from './subtree.ts';

/** A page with all of its fields and ancestors, but no drafts. */
export interface PageDetails {
  id: number;
  parentId: number | null;
  name: string;
  urlname: string;
  /** The URL path from the root. */
  path: string;
  /** The page's ancestors, from the root page down to the parent. */
  ancestors: PathNode[];
  position: number;
  isHidden: boolean;
  isPublished: boolean;
  description: string | null;
  body: string;
  bodyFormat: BodyFormat | '';
  customDate: Timestamp;
  createdAt: Timestamp;
  createdBy: string;
  updatedAt: Timestamp;
  updatedBy: string;
  version: number;
}

/** @throws AppError `not_found` */
export async function getPageDetails(trx: Trx, accountId: number, id: number): Promise<PageDetails> {
  const page = await trx
    .selectFrom('pages')
    .innerJoin('users as creator', (join) =>
      join.onRef('creator.account_id', '=', 'pages.account_id').onRef('creator.id', '=', 'pages.created_by'),
    )
    .innerJoin('users as author', (join) =>
      join.onRef('author.account_id', '=', 'pages.account_id').onRef('author.id', '=', 'pages.updated_by'),
    )
    .select([
      'pages.id',
      'pages.parent_id as parentId',
      'pages.name',
      'pages.urlname',
      'pages.position',
      'pages.is_hidden as isHidden',
      'pages.description',
      'pages.body',
      'pages.body_format as bodyFormat',
      'pages.custom_date as customDate',
      'pages.created_at as createdAt',
      shownName('creator').as('createdBy'),
      'pages.updated_at as updatedAt',
      shownName('author').as('updatedBy'),
      'pages.version',
      'pages.status',
    ])
    .where('pages.account_id', '=', accountId)
    .where('pages.id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  const pathNodes = await pathFromRoot(trx, accountId, id);
  const { status, ...fields } = page;
  const flags = { isHidden: page.isHidden === 1, isPublished: status === 'published' };
  return { ...fields, ...flags, path: pathOf(pathNodes), ancestors: pathNodes.slice(0, -1) };
}

/** @throws AppError `not_found` if the account has no such page */
export async function checkPage(trx: Trx, accountId: number, id: number): Promise<void> {
  const page = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
}
