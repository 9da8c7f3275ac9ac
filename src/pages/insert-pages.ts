import { type Expression, sql } from 'kysely';
import { insertDeeds } from '../audit/note-by-key.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { CREATED } from './insert-page.ts';
import { MAX_DEPTH } from './page.ts';
import { parentKey } from './positions.ts';

/** A page each, in the same place of every list. */
interface NewPages {
  accountIds: number[];
  parentIds: Array<number | null>;
  names: string[];
  urlnames: string[];
  hidden: number[];
  bodies: string[];
  descriptions: Array<string | null>;
  bodyFormats: Array<BodyFormat | null>;
  userIds: number[];
  keyIds: number[];
  ips: string[];
  now: number;
}

/**
 * No account waits for another: one whose tree somebody else holds is passed over. Where a name or an address is taken, or
 * the parent will not do, nothing is raised either: what is kept of the account stays right.
 *
 * Every part of a statement sees the database as it was when it began, but the raised version is the newest. Only if no
 * other change came between was the tree that we saw the tree that we hold.
 */
export const insertPages = prepared<NewPages, { account_id: number; id: number }>((db, parameter) => ({
  compile: () =>
    sql<{ account_id: number; id: number }>`
      with recursive asked as (
        select * from unnest(
          ${parameter('accountIds')}::bigint[], ${parameter('parentIds')}::bigint[], ${parameter('names')}::text[],
          ${parameter('urlnames')}::text[], ${parameter('hidden')}::int[], ${parameter('bodies')}::text[],
          ${parameter('descriptions')}::text[], ${parameter('bodyFormats')}::text[], ${parameter('userIds')}::bigint[],
          ${parameter('keyIds')}::bigint[], ${parameter('ips')}::text[]
        ) as asked (
          account_id, parent_id, name, urlname, is_hidden, body, description, body_format, user_id, key_id, ip
        )
      ), ancestors (account_id, parent_id, depth) as (
        select pages.account_id, pages.parent_id, 1
        from asked join pages on pages.account_id = asked.account_id and pages.id = asked.parent_id
        union all
        select pages.account_id, pages.parent_id, ancestors.depth + 1
        from ancestors join pages on pages.account_id = ancestors.account_id and pages.id = ancestors.parent_id
        where ancestors.depth <= ${sql.lit(MAX_DEPTH)}
      ), possible as materialized (
        select * from asked
        where (
          asked.parent_id is null
          or (select max(depth) from ancestors where ancestors.account_id = asked.account_id) < ${sql.lit(MAX_DEPTH)}
        ) and not exists (
          select from pages where pages.account_id = asked.account_id and pages.name = asked.name
        ) and not exists (
          select from pages
          where pages.account_id = asked.account_id and ${parentKey} = coalesce(asked.parent_id, 0)
            and pages.urlname = asked.urlname
        )
      ), held as materialized (
        select id from accounts where id in (select account_id from possible)
        for no key update skip locked
      ), raised as (
        update accounts
        set content_version = content_version + 1, content_changed_at = ${parameter('now')}
        from held where accounts.id = held.id
        returning accounts.id, content_version as version, editor
      ), created as (
        insert into pages (
          account_id, parent_id, name, urlname, position, is_hidden, body, description, body_format,
          custom_date, created_at, created_by, updated_at, updated_by, version
        )
        select
          possible.account_id, possible.parent_id, possible.name, possible.urlname,
          coalesce((
            select position from pages
            where pages.account_id = possible.account_id and ${parentKey} = coalesce(possible.parent_id, 0)
            order by position desc limit 1
          ), 0) + 1,
          possible.is_hidden, possible.body, possible.description, coalesce(possible.body_format, raised.editor),
          ${parameter('now')}::bigint, ${parameter('now')}::bigint, possible.user_id,
          ${parameter('now')}::bigint, possible.user_id, raised.version
        from possible
        join raised on raised.id = possible.account_id
        join accounts as seen on seen.id = possible.account_id and seen.content_version = raised.version - 1
        on conflict do nothing
        returning account_id, id
      ), noted as (${noted(db, parameter('now'))})
      select account_id, id from created`.compile(db),
}));

/** A deed for each page that was created. An account has no more than one of them here. */
function noted(db: Db, now: Expression<number>) {
  return insertDeeds(
    db,
    {
      accountId: sql.ref('asked.account_id'),
      userId: sql.ref('asked.user_id'),
      keyId: sql.ref('asked.key_id'),
      action: sql.lit(CREATED),
      subject: sql`'page_' || created.id`,
      ip: sql.ref('asked.ip'),
      at: sql`${now}::bigint`,
      name: sql.ref('asked.name'),
    },
    sql`from created join asked on asked.account_id = created.account_id`,
  );
}
