import { scratchFolder, startService } from '../bench/processes.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { updatePage } from '../src/pages/update-page.ts';
import { makeLink } from '../src/users/one-time-links.ts';
import { startSession } from '../src/users/sessions.ts';
import { actor } from '../test/factories.ts';
import { addSite, earlierLongPages } from './site.ts';

/** A running service with one site, for audits of the admin app. */
export interface StartedApp {
  readonly url: string;
  /** The token of a session of the site's owner. */
  readonly token: string;
  /** The token of a mailed link for choosing a password. */
  readonly linkToken: string;
  /** The token of a mailed link that confirms another address. */
  readonly emailToken: string;
  /** A page for the visual editor. */
  readonly firstPageId: number;
  readonly longPageId: number;
  stop(): Promise<unknown>;
}

export async function startAdminApp(): Promise<StartedApp> {
  const dataDir = scratchFolder();
  const db = await openDatabase({ dataDir, databaseUrl: '', databasePool: 2 });
  await migrate(db);
  const { accountId, userId, longPageId } = await addSite(db, 'business');
  const clientInfo = { ip: '127.0.0.1', network: '127.0.0.1', userAgent: 'Chromium' };
  const tokens = await db.transaction().execute(async (trx) => ({
    token: await startSession(trx, accountId, { userId, clientInfo }),
    linkToken: await makeLink(trx, accountId, userId, 'reset_password'),
    emailToken: await makeLink(trx, accountId, userId, 'change_email', 'ruth@example.org'),
  }));
  const { body } = await db
    .selectFrom('pages')
    .select('body')
    .where('account_id', '=', accountId)
    .where('id', '=', longPageId)
    .executeTakeFirstOrThrow();
  for (const text of [...earlierLongPages(body), body]) {
    const change = {
      id: longPageId,
      basedOn: undefined,
      fields: { body: text },
      quota: Number.MAX_SAFE_INTEGER,
    };
    await db.transaction().execute((trx) => updatePage(trx, accountId, change, actor(userId)));
  }
  const first = await db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.destroy();
  const service = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const url = service.url.replace('127.0.0.1', 'localhost');
  return { url, ...tokens, firstPageId: first.id, longPageId, stop: () => service.stop() };
}
