import { sql } from 'kysely';
import { type ApiClient, insertAuditEvents, recordApiAuditEvents } from '../audit/record-api-audit-events.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { type Parameter, prepared, preparedInsertion } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { pageId } from './page.ts';
import type { PageValues } from './page-values.ts';
import { lastPosition } from './positions.ts';

export interface NewPage extends Omit<PageValues, 'parentId' | 'bodyFormat'> {
  parentId: number | null;
  /** The parent's id; 0 for the root. */
  parent: number;
  bodyFormat: BodyFormat;
  accountId: number;
  urlname: string;
  now: number;
  userId: number;
  /** The API client that creates it, recorded in the audit log; null if the caller records the event. */
  apiClient: ApiClient | null;
  version: number;
}

/**
 * Puts the page after its last sibling, and a program's deed into the log; inserts nothing where the page's name, or a
 * sibling's urlname, is taken. Returns its id.
 */
export async function insertPage(trx: Trx, page: NewPage): Promise<number | undefined> {
  const { apiClient, accountId, userId, now: at, name } = page;
  if (!apiClient) return insert(trx, page);
  if (dialectOf(trx) === 'postgres') return (await insertNoted(trx, { ...page, ...apiClient }))[0]?.id;
  const id = await insert(trx, page);
  if (id !== undefined) {
    await recordApiAuditEvents(trx, accountId, {
      ...apiClient,
      userId,
      action: CREATED,
      subjects: [[pageId(id), name]],
      at,
    });
  }
  return id;
}

/** The action in the audit log. */
export const CREATED = 'page.created';

const insert = preparedInsertion<NewPage, 'pages'>(insertion);

const insertNoted = prepared<NewPage & ApiClient, { id: number }>((db, parameter) =>
  db
    .with('created', () => insertion(db, parameter).returning('id'))
    .with('noted', () => {
      const [accountId, userId, keyId] = [parameter('accountId'), parameter('userId'), parameter('keyId')];
      const [action, subject] = [sql.lit(CREATED), sql`'page_' || created.id`];
      const [ip, name, at] = [parameter('ip'), parameter('name'), parameter('now')];
      const events = insertAuditEvents(
        db,
        { accountId, userId, keyId, ip, action, subject, name, at },
        sql`from created`,
      );
      return sql`(${events})`;
    })
    .selectFrom('created')
    .select('id'),
);

function insertion(db: Db, parameter: Parameter<NewPage>) {
  return db
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
    .onConflict((conflict) => conflict.doNothing());
}
