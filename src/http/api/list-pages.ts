import { LRUCache } from 'lru-cache';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db } from '../../db/database.ts';
import { Content } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { buildPageList, type PageList } from './page-list.ts';
import { Spool } from './spool.ts';

/** A finished list, with what the next one can reuse. */
interface CacheEntry {
  readonly version: number;
  readonly content: Content;
  readonly list: PageList | undefined;
  readonly spool: Spool | undefined;
}

/** Raised when the list's form changes, so that no client takes an old list for a new one. */
const LIST_FORMAT = 1;

/** `GET /api/pages.json`: finished lists are kept, by account and version, within `cacheBytes` of memory. */
export function listPagesRoute(db: Db, cacheBytes: number) {
  const cache = new LRUCache<number, CacheEntry>({
    // Lists on disk always fit: they cost a file each and hardly any memory.
    maxSize: Math.max(cacheBytes, 1024 * 1024),
    // A list may be held in three forms: plain, gzip and brotli.
    sizeCalculation: ({ list, spool }) => (spool ? 64 * 1024 : 1000 + Math.ceil((list?.bytes.length ?? 0) * 1.5)),
    dispose: ({ spool }) => spool?.release(),
  });
  const building = new Map<number, Promise<CacheEntry>>();

  const build = async (accountId: number): Promise<CacheEntry> => {
    let spool: Spool | undefined;
    try {
      const list = await buildPageList(db, accountId, cache.get(accountId)?.list, async () => {
        spool = await Spool.create();
        return spool;
      });
      await spool?.flush();
      const { version } = list;
      const bytes = 'bytes' in list ? list.bytes : spool!;
      const content = new Content(bytes, jsonHeaders, `W/"${LIST_FORMAT}-${accountId}-${version}"`);
      const made: CacheEntry = { version, content, list: 'bytes' in list ? list : undefined, spool };
      cache.set(accountId, made);
      return made;
    } catch (error) {
      spool?.release();
      throw error;
    }
  };

  /** Requests for the same list wait for one making of it, and look again: it may have begun too early for them. */
  const make = async (accountId: number, contentVersion: number): Promise<Content> => {
    for (;;) {
      let made = building.get(accountId);
      if (!made) {
        made = build(accountId).finally(() => building.delete(accountId));
        building.set(accountId, made);
      }
      const { version, content } = await made;
      if (version >= contentVersion) return content;
    }
  };

  return (ctx: RequestContext, { accountId, contentVersion }: KeyOwner): HttpResponse | Promise<HttpResponse> => {
    const found = cache.get(accountId);
    if (found && found.version >= contentVersion) return found.content.answer(ctx);
    return make(accountId, contentVersion).then((content) => content.answer(ctx));
  };
}
