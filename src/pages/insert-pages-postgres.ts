import { type Expression, sql } from 'kysely';
import { keyIsActive } from '../api-keys/assert-key-active.ts';
import { insertAuditEvents } from '../audit/record-creations.ts';
import type { Db, Trx } from '../db/database.ts';
import { type Parameter, prepared } from '../db/prepared.ts';
import type { BodyFormat, PageStatus } from '../db/schema.ts';
import { nextVersion } from '../tenancy/next-version.ts';
import { selectPlanLimit } from '../tenancy/plan-limits.ts';
import { MAX_DEPTH } from './page.ts';
import { CREATED, type PageToInsert } from './page-to-insert.ts';
import { parentKey, usesPositionIndex } from './positions.ts';

/** Inserts the pages in one statement. See `insertPages`. */
export async function insertOnPostgres(
  db: Db | Trx,
  all: readonly PageToInsert[],
): Promise<Map<PageToInsert, number | null>> {
  const pages = withoutClashes(all);
  const column = <K extends keyof PageToInsert>(name: K) => pages.map((page) => page[name]);
  const insert = pages.some(({ images }) => images.length > 0) ? insertWithImages : insertWithoutImages;
  const rows = await insert(db, {
    accountIds: column('accountId'),
    parentIds: column('parentId'),
    names: column('name'),
    urlnames: column('urlname'),
    hidden: column('isHidden'),
    statuses: column('status'),
    bodies: column('body'),
    descriptions: column('description'),
    imagePlaces: pages.flatMap(({ images }, index) => images.map(() => index + 1)),
    images: column('images').flat(),
    bodyFormats: column('bodyFormat').map((format) => format ?? null),
    userIds: column('userId'),
    keyIds: column('keyId').map((id) => id ?? null),
    ips: column('ip'),
    traceparents: column('traceparent'),
    now: Date.now(),
    quota: pages[0]!.quota,
  });
  return new Map(rows.map(({ place, id }) => [pages[place - 1]!, id]));
}

/** Leaves out pages whose name or urlname an earlier page of the list has. */
function withoutClashes(pages: readonly PageToInsert[]): PageToInsert[] {
  const taken = new Set<string>();
  return pages.filter(({ accountId, parentId, name, urlname }) => {
    const keys = [`${accountId} name ${name}`, `${accountId} urlname ${parentId} ${urlname}`];
    if (keys.some((text) => taken.has(text))) return false;
    for (const text of keys) taken.add(text);
    return true;
  });
}

/** The pages as columns: one page has the same index in every list, except in the two lists of images. */
interface NewPages {
  accountIds: number[];
  parentIds: Array<number | null>;
  names: string[];
  urlnames: string[];
  hidden: number[];
  statuses: PageStatus[];
  bodies: string[];
  descriptions: Array<string | null>;
  /** For each image in the next list, the place of the page that shows it, from 1. */
  imagePlaces: number[];
  images: string[];
  bodyFormats: Array<BodyFormat | null>;
  userIds: number[];
  keyIds: Array<number | null>;
  ips: Array<string | null>;
  traceparents: Array<string | null>;
  now: number;
  /** The most bytes that the pages of one account may take up together. */
  quota: number;
}

/**
 * Returns a statement that inserts the pages that break no rule, and returns their places in the lists, from 1. Pages of one
 * account must have different names and urlnames. `id` is null if another transaction has locked or changed the account's tree,
 * which the statement never waits for. An account's pages are all left out if together they exceed its quota or its plan.
 *
 * - `requested`: the pages of the lists, with their bytes
 * - `parents`, `ancestors`: the path from each parent up to the root, to check depths
 * - `candidates`: pages that break no rule, and their order among new siblings
 * - `accounts_with_room`: accounts whose quota and plan have room for all of their candidates, with the version that was checked
 * - `locked_accounts`: accounts with room that no other transaction has locked
 * - `raised_accounts`: locked accounts whose version was still the one that was checked, with their new version
 * - `created`: the new pages
 * - `recorded_images`, `recorded_events`: their images, and their entries in the audit log
 *
 * Every part of a statement sees the database as of the statement's start, but an update sees the newest row. If the version that
 * was read equals the version that is locked, the tree that was checked is the tree that is changed. Drafts use storage without
 * raising the version, so the update checks the quota again.
 */
const insertion = (hasImages: boolean) =>
  prepared<NewPages, { place: number; id: number | null }>((db, parameter) => ({
    compile: () =>
      sql<{ place: number; id: number | null }>`
      with recursive requested as (
        select *, octet_length(body) + coalesce(octet_length(description), 0) as bytes from unnest(
          ${parameter('accountIds')}::bigint[], ${parameter('parentIds')}::bigint[], ${parameter('names')}::text[],
          ${parameter('urlnames')}::text[], ${parameter('hidden')}::int[], ${parameter('bodies')}::text[],
          ${parameter('descriptions')}::text[], ${parameter('bodyFormats')}::text[], ${parameter('userIds')}::bigint[],
          ${parameter('keyIds')}::bigint[], ${parameter('ips')}::text[], ${parameter('statuses')}::text[],
          ${parameter('traceparents')}::text[]
        ) with ordinality as requested (
          account_id, parent_id, name, urlname, is_hidden, body, description, body_format, user_id, key_id, ip, status,
          traceparent, place
        )
      ), parents as (
        select distinct account_id, parent_id from requested where parent_id is not null
      ), ancestors (account_id, of_parent, parent_id, depth) as (
        select parents.account_id, parents.parent_id, parent.parent_id, 1
        from parents cross join lateral (
          select parent_id from pages where account_id = parents.account_id and id = parents.parent_id limit 1
        ) as parent
        union all
        select ancestors.account_id, ancestors.of_parent, parent.parent_id, ancestors.depth + 1
        from ancestors cross join lateral (
          select parent_id from pages where account_id = ancestors.account_id and id = ancestors.parent_id limit 1
        ) as parent
        where ancestors.depth <= ${sql.lit(MAX_DEPTH)}
      ), candidates as materialized (
        select requested.*, row_number() over (
          partition by requested.account_id, coalesce(requested.parent_id, 0) order by requested.place
        ) as place_among_new
        from requested
        where (
          requested.parent_id is null
          or (
            select max(depth) from ancestors
            where ancestors.account_id = requested.account_id and ancestors.of_parent = requested.parent_id
          ) < ${sql.lit(MAX_DEPTH)}
        ) and not exists (
          select from pages where pages.account_id = requested.account_id and pages.name = requested.name
        ) and not exists (
          select from pages
          where pages.account_id = requested.account_id and ${parentKey} = coalesce(requested.parent_id, 0)
            and pages.urlname = requested.urlname
        ) and ${keyIsActive({
          accountId: sql.ref('requested.account_id'),
          keyId: sql.ref('requested.key_id'),
          now: sql`${parameter('now')}::bigint`,
        })}
      ), accounts_with_room as materialized (
        select account.id, account.content_version, sum(candidates.bytes) as bytes
        from candidates join accounts as account on account.id = candidates.account_id and account.deleted_at is null
        group by account.id
        having (sum(candidates.bytes) = 0 or account.page_bytes + sum(candidates.bytes) <= ${parameter('quota')}::bigint)
          and coalesce(${hasRoomInPlan}, true)
      ), locked_accounts as materialized (
        select id from accounts where id in (select id from accounts_with_room)
        for no key update skip locked
      ), raised_accounts as (
        update accounts
        set content_version = ${nextVersion('content_version', sql`${parameter('now')}::bigint`)}, content_changed_at = ${parameter('now')},
          page_bytes = accounts.page_bytes + accounts_with_room.bytes
        from locked_accounts join accounts_with_room on accounts_with_room.id = locked_accounts.id
        where accounts.id = locked_accounts.id and accounts.content_version = accounts_with_room.content_version
          and (accounts_with_room.bytes = 0 or accounts.page_bytes + accounts_with_room.bytes <= ${parameter('quota')}::bigint)
        returning accounts.id, accounts.content_version as version, editor
      ), created as (
        insert into pages (
          account_id, parent_id, name, urlname, position, is_hidden, body, description, body_format,
          custom_date, created_at, created_by, updated_at, updated_by, version, status
        )
        select
          candidates.account_id, candidates.parent_id, candidates.name, candidates.urlname,
          coalesce((
            select position from pages
            where pages.account_id = candidates.account_id and ${parentKey} = coalesce(candidates.parent_id, 0)
              and ${usesPositionIndex}
            order by position desc limit 1
          ), 0) + candidates.place_among_new,
          candidates.is_hidden, candidates.body, candidates.description, coalesce(candidates.body_format, raised_accounts.editor),
          ${parameter('now')}::bigint, ${parameter('now')}::bigint, candidates.user_id,
          ${parameter('now')}::bigint, candidates.user_id, raised_accounts.version, candidates.status
        from candidates
        join raised_accounts on raised_accounts.id = candidates.account_id
        order by candidates.place
        returning account_id, name, id
      ) ${hasImages ? insertImages(parameter) : sql``}, recorded_events as (${insertCreationEvents(db, parameter('now'))})
      select candidates.place, created.id
      from candidates
      join accounts_with_room on accounts_with_room.id = candidates.account_id
      left join created on created.account_id = candidates.account_id and created.name = candidates.name`.compile(db),
  }));

/** Compares the account's pages with the limit of its plan. Counts no pages if the plan has no limit. */
const hasRoomInPlan = sql<boolean>`(
            select count(candidates.place) + (select count(*) from pages where account_id = account.id) <= most
            from (select ${selectPlanLimit('pages', 'account')} as most) as plan where most is not null
          )`;

/** The part about images takes time even without images, and hardly any page that a program creates shows one. */
const insertWithoutImages = insertion(false);
const insertWithImages = insertion(true);

/** Adds an entry to the audit log for each page that was created. */
function insertCreationEvents(db: Db, now: Expression<number>) {
  return insertAuditEvents(
    db,
    {
      accountId: sql.ref('requested.account_id'),
      userId: sql.ref('requested.user_id'),
      keyId: sql.ref('requested.key_id'),
      action: sql.lit(CREATED),
      subject: sql`'page_' || created.id`,
      ip: sql.ref('requested.ip'),
      at: sql`${now}::bigint`,
      name: sql.ref('requested.name'),
      traceparent: sql.ref('requested.traceparent'),
    },
    sql`from created join requested
      on requested.account_id = created.account_id and requested.name = created.name and requested.ip is not null`,
  );
}

/** Records the images of each page that was created. */
function insertImages(parameter: Parameter<NewPages>) {
  return sql`, recorded_images as (
        insert into page_images (account_id, page_id, draft_by, hash)
        select created.account_id, created.id, 0, images.hash
        from unnest(${parameter('imagePlaces')}::int[], ${parameter('images')}::text[]) as images (place, hash)
        join requested on requested.place = images.place
        join created on created.account_id = requested.account_id and created.name = requested.name
      )`;
}
