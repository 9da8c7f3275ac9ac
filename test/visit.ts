import type { OutgoingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import type { TestDatabase } from './databases.ts';
import { makePage } from './factories.ts';
import { type Reply, type Service, startWithAccount } from './service.ts';

/** Requests an address as a visitor does, on the host of a site. */
export function visit(service: Service, host: string, path: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
  return service.request('GET', path, { headers: { Host: host, ...headers } });
}

/** A page to create, with the fields that matter and its subpages. */
export interface PlannedPage {
  name: string;
  body?: string;
  format?: string;
  isHidden?: boolean;
  description?: string;
  children?: PlannedPage[];
}

/** Starts the service with one account whose site has these pages, and returns functions to visit and change it. */
export async function startWithSite(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  pages: readonly (PlannedPage | string)[],
  options: Readonly<Record<string, string>> = {},
) {
  const started = await startWithAccount(t, open, { SITES_DOMAIN: 'sites.test:8080', ...options });
  const { service, db, accountId, userId } = started;
  const { subdomain } = await db
    .selectFrom('accounts')
    .select('subdomain')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const host = `${subdomain}.sites.test`;
  const add = async (page: PlannedPage | string, parentId?: number): Promise<number> => {
    const {
      name,
      body,
      format,
      isHidden,
      description,
      children = [],
    } = typeof page === 'string' ? { name: page } : page;
    const id = await makePage(db, accountId, {
      name,
      userId,
      body,
      description,
      bodyFormat: format,
      isHidden: isHidden ? '1' : undefined,
      parentId: parentId?.toString(),
    });
    for (const child of children) await add(child, id);
    return id;
  };
  for (const page of pages) await add(page);
  return {
    ...started,
    host,
    address: `http://${host}:8080`,
    /** Adds a page at the root or below another page, and returns its id. */
    add,
    visit: (path: string, headers: OutgoingHttpHeaders = {}) => visit(service, host, path, headers),
  };
}
