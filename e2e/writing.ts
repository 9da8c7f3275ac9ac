import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Db } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';
import type { BodyFormat } from '../src/db/schema.ts';
import { raiseContentVersion } from '../src/tenancy/content-version.ts';
import { beforeClosing, type Lifetime } from '../test/databases.ts';
import {
  createPublished,
  describeWith,
  signedInPage,
  startTestApp,
  type TestApp,
  waitUntilLoaded,
} from './test-app.ts';

/* Shared by the tests of the editors: creates pages, opens them in the app, and reads them from the database. */

export interface AppWithDatabase {
  readonly app: TestApp;
  readonly db: Db;
}

export interface StoredBody {
  readonly what: string;
  readonly body: string;
  readonly format: BodyFormat;
}

export const html = 'wysiwyg_format';
export const markdown = 'markdown_format';

/** Starts the app on SQLite, and opens its database. `flags` are those of the browser. */
export async function startAppWithDatabase(t: Lifetime, flags?: string[]): Promise<AppWithDatabase> {
  const app = await startTestApp(t, 'sqlite', flags);
  const db = await openDatabase(app.database);
  beforeClosing(t, () => db.destroy());
  return { app, db };
}

/** Runs stories that share an app and its database, each as a test of its own. */
export function describeWithDatabase(
  name: string,
  stories: Readonly<Record<string, (at: AppWithDatabase) => (t: TestContext) => Promise<void>>>,
): void {
  describeWith(
    name,
    (t) => startAppWithDatabase(t),
    ({ app }) => app,
    stories,
  );
}

export async function beginWriting(t: Lifetime, app: TestApp, options: Parameters<typeof signedInPage>[2] = {}) {
  return signedInPage(t, app, { script: join(import.meta.dirname, 'in-editor.js'), ...options });
}

const writers = new WeakMap<TestApp, Promise<Awaited<ReturnType<typeof beginWriting>>>>();

/**
 * Returns a signed-in page that all stories of an app share, because a customer and a browser context cost more than most
 * stories. The app is loaded again for each story. Such a story gives its pages names that no other has, and leaves the
 * settings, sessions and images of the customer as they are.
 */
export async function shareWriter(t: TestContext, app: TestApp) {
  // The context is open until the browser closes.
  const opening = writers.get(app) ?? beginWriting({ after: () => {} }, app);
  writers.set(app, opening);
  const writer = await opening;
  const { page, context, address, checkErrors } = writer;
  t.after(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (!t.passed) {
      writers.delete(app);
      await context.close();
    }
    checkErrors();
  });
  await page.goto(`${new URL(address).origin}/pages`);
  await waitUntilLoaded(page);
  return writer;
}

/** Creates and publishes a page. Returns its id. */
export function create(page: Page, input: Record<string, unknown>): Promise<number> {
  return createPublished(page, input);
}

/** Opens a page in the running app, without loading the app again. */
export async function openPage(page: Page, id: number): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/pages/${id}')`);
  await page.getByRole('heading', { name: 'Edit page' }).waitFor();
}

export function openAndSave(page: Page, pages: readonly { id: number; name: string }[], rename = false) {
  const list = pages.map(({ id, name }) => ({ id, name }));
  return page.evaluate<{ editors: Record<string, number>; problems: string[] }>(
    `openAndSave(${JSON.stringify(list)}, ${rename})`,
  );
}

export async function accountOf(db: Db, subdomain: string): Promise<number> {
  const account = await db.selectFrom('accounts').select('id').where('subdomain', '=', subdomain).executeTakeFirst();
  return account!.id;
}

/** Inserts pages directly into the database, below the parent and after its existing pages. */
export async function fillWith(
  db: Db,
  accountId: number,
  pages: readonly StoredBody[],
  parentId: number | null = null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseContentVersion(trx, accountId, Date.now());
    const { id: userId } = await trx
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const before = await trx
      .selectFrom('pages')
      .select('id')
      .where('account_id', '=', accountId)
      .where('parent_id', parentId === null ? 'is' : '=', parentId)
      .execute();
    for (let start = 0; start < pages.length; start += 500) {
      const rows = pages.slice(start, start + 500).map(({ what, body, format }, index) => ({
        account_id: accountId,
        parent_id: parentId,
        name: what,
        urlname: `page-${start + index}`,
        position: before.length + start + index + 1,
        is_hidden: 0 as const,
        body,
        description: null,
        body_format: format,
        custom_date: 0,
        created_at: 0,
        created_by: userId,
        updated_at: 0,
        updated_by: userId,
        version: 1,
      }));
      await trx.insertInto('pages').values(rows).execute();
    }
  });
}

/** Lists the bodies of the pages that `fillWith` created. */
export function listBodies(db: Db, accountId: number) {
  return db
    .selectFrom('pages')
    .select(['id', 'name', 'body'])
    .where('account_id', '=', accountId)
    .where('created_at', '=', 0)
    .orderBy('position')
    .execute();
}

/** Returns the published page from the database. */
export async function storedPage(db: Db, subdomain: string, id: number) {
  return db
    .selectFrom('pages')
    .select(['body', 'body_format', 'description'])
    .where('account_id', '=', await accountOf(db, subdomain))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
