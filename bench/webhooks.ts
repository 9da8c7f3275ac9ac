import { sql } from 'kysely';
import { operator } from '../src/audit/record-audit-event.ts';
import type { Db } from '../src/db/database.ts';
import { addWebhook } from '../src/webhooks/add-webhook.ts';
import { addAccount, openForFilling, series } from './data.ts';
import { LOAD_CPU, startServer, startService } from './processes.ts';
import { note, only, round } from './report.ts';

const ACCOUNTS = 40;
const EVENTS_EACH = 500;
const TOTAL = ACCOUNTS * EVENTS_EACH;
const PER_SECOND = 5000;
const WORK = `events sent to ${ACCOUNTS} webhooks of as many accounts`;

/** Starts the service on a database in which events wait, and measures until all are sent and recorded. */
export async function measureWebhooks(database: { dataDir: string; databaseUrl: string }, on = ''): Promise<void> {
  if (!`${on}${WORK}`.includes(only)) return;
  const receiver = await startServer('bench/bare.ts', { cpu: LOAD_CPU });
  const db = await openForFilling({ ...database, databasePool: 2 });
  try {
    for (let n = 0; n < ACCOUNTS; n++) await addWaitingEvents(db, `webhook-${n}`, `${receiver.url}/`);
    const env = {
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl,
      WEBHOOKS_TO_PRIVATE_NETWORKS: 'true',
    };
    const service = await startService(env);
    const started = performance.now();
    while ((await countSent(db)) < TOTAL) await new Promise((resolve) => setTimeout(resolve, 20));
    const perSecond = (TOTAL / (performance.now() - started)) * 1000;
    note(`${on}${WORK}`, `${round(perSecond)}/s`, `${round(PER_SECOND)}/s`, perSecond >= PER_SECOND);
    await service.stop();
  } finally {
    await db.destroy();
    await receiver.stop();
  }
}

async function addWaitingEvents(db: Db, subdomain: string, url: string): Promise<void> {
  const { id } = await addAccount(db, subdomain);
  const details = JSON.stringify({ name: 'Opening hours', urlname: 'opening-hours' });
  await db.transaction().execute(async (trx) => {
    await addWebhook(trx, id, { url, kinds: ['page'] }, operator, { webhooksToPrivateNetworks: true });
    await sql`
      insert into audit_log (account_id, at, action, actor, subject, details)
      select ${sql.lit(id)}, ${sql.lit(Date.now())}, 'page.created', 'Olivia Owner', 'page_12', ${sql.lit(details)}
      from (${series(db, 1, EVENTS_EACH)}) as numbers`.execute(trx);
  });
}

async function countSent(db: Db): Promise<number> {
  const deliveries = db.selectFrom('webhook_deliveries').select((e) => e.fn.countAll<number>().as('count'));
  return Number((await deliveries.executeTakeFirstOrThrow()).count);
}
