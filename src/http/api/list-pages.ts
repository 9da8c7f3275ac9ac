import { assertKeyActive } from '../../api-keys/assert-key-active.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { counts } from '../../counts.ts';
import type { Db } from '../../db/database.ts';
import { MAX_DEPTH } from '../../pages/page.ts';
import { AccountSemaphore } from '../../tenancy/account-semaphore.ts';
import { findUpperAccounts } from '../../tenancy/find-upper-accounts.ts';
import { Content } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { wrongParameter } from './answers.ts';
import { countSchema, exampleOf, objectSchema, partialSchema, ref, textSchema } from './json-schema.ts';
import { type OperationHandler, readOperation } from './operation.ts';
import { buildPageChanges } from './page-changes-list.ts';
import { buildPageList } from './page-list.ts';
import { type CacheEntry, ListCache, type WantedList } from './page-list-cache.ts';
import { pageProperties, pageSchema } from './page-schema.ts';
import { readPageSelection, selectionName } from './page-selection.ts';
import { type Spool, Spools } from './spool.ts';

/** Part of the ETag. Increment it when the format of the list changes, so that no client takes an old list for a new one. */
const LIST_FORMAT = 1;

/** The most lists with selected fields or levels that are made at once, for all accounts together. */
const MAX_SELECTIONS_AT_ONCE = 4;

export const listPagesOperation = readOperation('GET /api/pages.json', {
  id: 'listPages',
  tag: 'Pages',
  scope: 'pages:read',
  summary: 'List all pages',
  description:
    "The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`.",
  queryParameters: {
    fields: textSchema(
      'The fields of each page in the response, separated by commas; `children` is always included. All fields by default.',
      'id,name,url',
    ),
    depth: textSchema(
      `How many levels to list, from 1 to ${MAX_DEPTH}. Pages of the last level whose sub-pages are left out have no \`children\`.`,
      '2',
    ),
    since: textSchema(
      'A version of the list, from the header `Pages-Version` or from `version` of earlier changes. The response has only the changes since then.',
      '57',
    ),
  },
  headers: ['Pages-Version'],
  answers: [
    { status: 200, schema: 'PageList', description: 'The page tree.', example: { pages: examplePages() } },
    {
      status: 200,
      schema: 'PageSelection',
      description: 'With `fields` or `depth`: part of the page tree.',
      parameters: { fields: 'optional', depth: 'optional' },
    },
    {
      status: 200,
      schema: 'ChangedPages',
      description: 'With `since`: the pages that have changed since, and the ids of pages that are gone.',
      parameters: { since: 'required', fields: 'optional' },
    },
    {
      status: 410,
      schema: 'Failure',
      description:
        'The changes since this version are no longer known, or are too many. Read the whole list instead, and continue from its version.',
      example: {
        response: false,
        errors: 'What has changed since version 57 is not known. Read the whole list.',
      },
    },
    wrongParameter(`"depth" must be a whole number from 1 to ${MAX_DEPTH}.`),
  ],
  schemas: {
    PageList: objectSchema({
      pages: {
        type: 'array',
        items: ref('Page'),
        description: 'The root-level pages, in the order of their positions.',
      },
    }),
    Page: pageSchema,
    PageSelection: objectSchema({
      pages: {
        type: 'array',
        items: ref('SelectedPage'),
        description: 'The root-level pages, in the order of their positions.',
      },
    }),
    SelectedPage: partialSchema({
      ...pageProperties,
      children: {
        type: 'array',
        items: ref('SelectedPage'),
        description: 'Sub-pages, each with the same fields. Absent if `depth` leaves them out, and in changes.',
      },
    }),
    ChangedPages: objectSchema({
      version: countSchema('The version of the list after these changes: `since` for the next request.', 58),
      changed: {
        type: 'array',
        items: ref('SelectedPage'),
        description: 'New, changed, moved and restored pages, in the order of their positions.',
      },
      deleted: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of pages that are gone, which may include pages that were created since.',
        examples: [['page_9']],
      },
    }),
  },
  handler: ({ db, config }) => listPagesHandler(db, config.cacheBytes),
});

/** Returns the handler. It caches finished lists by account, selection and version, in up to `cacheBytes` of memory. */
function listPagesHandler(db: Db, cacheBytes: number): OperationHandler {
  const lists = new ListCache(cacheBytes);
  const spools = new Spools();
  const building = new Map<number, Promise<CacheEntry>>();
  // There are very many possible selections, so each customer's are made one at a time.
  const turns = new AccountSemaphore(MAX_SELECTIONS_AT_ONCE, { maxPerCustomer: 1 });

  const contentOf = ({ accountId, name }: WantedList, version: number, bytes: Buffer | Spool): Content => {
    const etag = `W/"${LIST_FORMAT}-${accountId}-${version}${name && `-${name}`}"`;
    return new Content(bytes, [...jsonHeaders, 'Pages-Version', String(version)], etag);
  };

  const build = async (wanted: WantedList, contentVersion: number): Promise<CacheEntry> => {
    const { accountId, selection, name } = wanted;
    if (selection.since !== undefined) {
      const { version, bytes } = await buildPageChanges(db, { accountId, contentVersion }, selection.since, selection);
      const made = { version, name, content: contentOf(wanted, version, bytes), bytes: bytes.length };
      lists.set(wanted, made);
      return made;
    }
    let spool: Spool | undefined;
    try {
      const list = await buildPageList(
        db,
        accountId,
        { selection, previous: lists.get(wanted)?.list, contentVersion },
        async () => {
          // Release the spool of an attempt that failed on the replica.
          spool?.release();
          spool = await spools.create(accountId);
          return spool;
        },
      );
      await spool?.flush();
      const { version } = list;
      const bytes = 'bytes' in list ? list.bytes : spool!;
      const content = contentOf(wanted, version, bytes);
      const made: CacheEntry = {
        version,
        name,
        content,
        spool,
        ...('bytes' in list ? { list, bytes: list.bytes.length } : { bytes: 0 }),
      };
      lists.set(wanted, made);
      return made;
    } catch (error) {
      spool?.release();
      throw error;
    }
  };

  /**
   * Returns the whole list. Concurrent requests wait for one build. They check its version afterwards, because it may have
   * started before the change that they need.
   */
  const makeList = async (wanted: WantedList, contentVersion: number): Promise<Content> => {
    const { accountId } = wanted;
    for (;;) {
      const start = () => build(wanted, contentVersion).finally(() => building.delete(accountId));
      const { version, content } = await building.getOrInsertComputed(accountId, start);
      if (version >= contentVersion) return content;
    }
  };

  const makeSelection = async (
    wanted: WantedList,
    { accountId, keyId, contentVersion }: KeyOwner,
  ): Promise<Content> => {
    const holder = await findUpperAccounts(db, accountId);
    return turns.run(async () => {
      // The request may have been queued for minutes.
      await assertKeyActive(db, accountId, keyId);
      const found = lists.get(wanted);
      if (found && found.version >= contentVersion) return found.content;
      return (await build(wanted, contentVersion)).content;
    }, holder);
  };

  return (ctx: RequestContext, keyOwner: KeyOwner): HttpResponse | Promise<HttpResponse> => {
    const { accountId, contentVersion } = keyOwner;
    const selection = readPageSelection(ctx.query);
    const name = selectionName(selection);
    const key = name === '' ? accountId : `${accountId}-${name}`;
    const wanted = { accountId, selection, name, key };
    const found = lists.get(wanted);
    if (found && found.version >= contentVersion) {
      counts.caches.lists.hits += 1;
      return found.content.answer(ctx);
    }
    counts.caches.lists.misses += 1;
    const making = name === '' ? makeList(wanted, contentVersion) : makeSelection(wanted, keyOwner);
    return making.then((content) => content.answer(ctx));
  };
}

/** Returns an example of a page with a sub-page. */
function examplePages() {
  const page = exampleOf(pageSchema, {}) as Record<string, unknown>;
  const child = {
    id: 'page_13',
    name: 'Holidays',
    urlname: 'holidays',
    body: 'Closed on **public holidays**.',
    parent_id: 'page_12',
    url: '/opening-hours/holidays',
    description: null,
    body_format: 'markdown_format',
  };
  return [{ ...page, children: [{ ...page, ...child }] }];
}
