import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { addAccount, type BenchAccount, openForFilling } from '../bench/data.ts';
import { type Running, startService } from '../bench/processes.ts';
import { operator } from '../src/audit/record-audit-event.ts';
import type { Db } from '../src/db/database.ts';
import { addWebhook } from '../src/webhooks/add-webhook.ts';
import { type AuditedDatabase, onEachDatabase } from './on-each-database.ts';
import type { ReceivedEvent } from './webhook-receiver.ts';

/*
 * Kills the service repeatedly while pages are created and their events are sent to a webhook: `npm run audit:webhooks -- 100`. The
 * event of every acknowledged page must arrive, in order, and no other event. Some events must arrive twice: otherwise no kill came
 * between sending an event and recording that. Then the audit measures how many events a second arrive.
 */

const rounds = Number(process.argv[2] ?? 100);
const CLIENTS = 8;
/** The longest life of the service after the first event of a round has arrived. */
const MAX_LIFE_MS = 400;
/** How long a service may take to send its first event. */
const FIRST_EVENT_TIMEOUT_MS = 60_000;
/** The number of events of the measurement. */
const BURST = 5000;

const receiver = new Worker(new URL('./webhook-receiver.ts', import.meta.url));
const [url] = (await once(receiver, 'message')) as [string];
/** The events in order of arrival. */
const received: ReceivedEvent[] = [];
receiver.on('message', (event: ReceivedEvent) => received.push(event));

const failures: string[] = [];
await onEachDatabase(auditOn);
await receiver.terminate();
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

async function auditOn(name: string, database: AuditedDatabase): Promise<void> {
  received.length = 0;
  const db = await openForFilling({ ...database, databasePool: 2 });
  const account = await addAccount(db, 'hooked');
  const settings = { webhooksToPrivateNetworks: true };
  await db.transaction().execute((trx) => addWebhook(trx, account.id, { url, kinds: ['page'] }, operator, settings));
  const env = {
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    WEBHOOKS_TO_PRIVATE_NETWORKS: 'true',
    LOG_LEVEL: 'error',
  };
  let created = 0;
  for (let round = 0; round < rounds; round++) {
    const service = await startService(env);
    created += await createUntilKilled(service, account, round);
    // Do not wait for the leases of killed processes.
    await db
      .transaction()
      .execute((trx) => trx.updateTable('webhooks').set({ due_at: 0 }).where('account_id', '=', account.id).execute());
  }
  const service = await startService(env);
  await untilSent(db, account.id);
  check(name, await pageEvents(db, account.id));
  const again = received.length - new Set(received.map(({ id }) => id)).size;
  console.log(
    `${name}: ${rounds} kills, ${created} pages acknowledged, ${received.length} deliveries, ${again} of events that had come before`,
  );

  received.length = 0;
  const started = Date.now();
  await createBurst(service, account);
  const createdAfter = Date.now() - started;
  await untilSent(db, account.id);
  const waits = received.map(({ at, happenedAt }) => at - happenedAt).sort((a, b) => a - b);
  const perSecond = Math.round((BURST / (received.at(-1)!.at - started)) * 1000);
  const p99 = waits[Math.floor(waits.length * 0.99)];
  console.log(
    `${name}: ${BURST} created in ${createdAfter} ms, ${perSecond} events a second arrive, p99 after ${p99} ms`,
  );
  await service.stop();
  await db.destroy();
}

/** Creates pages until the process is dead. Returns the number of acknowledged pages. */
async function createUntilKilled(service: Running, account: BenchAccount, round: number): Promise<number> {
  let [isDead, count] = [false, 0];
  const client = async (number: number) => {
    for (let page = 0; !isDead; page++) {
      const name = encodeURIComponent(`Page ${round} ${number} ${page}`);
      const path = `/api/pages.json?api_key=${account.key}&page%5Bname%5D=${name}`;
      const status = await fetch(service.url + path, { method: 'POST' }).then(
        async (response) => (await response.arrayBuffer()) && response.status,
        () => 0,
      );
      if (status === 200) count += 1;
      if (status === 0) return;
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  // Otherwise most kills would come before the first event is sent, at least on PostgreSQL.
  await once(receiver, 'message', { signal: AbortSignal.timeout(FIRST_EVENT_TIMEOUT_MS) });
  await setTimeout(Math.random() * MAX_LIFE_MS);
  process.kill(service.pid, 'SIGKILL');
  isDead = true;
  await clients;
  while (isRunning(service.pid)) await setTimeout(10);
  return count;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function createBurst(service: Running, { key }: BenchAccount): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < BURST) {
      const path = `/api/pages.json?api_key=${key}&page%5Bname%5D=Burst%20${next++}`;
      await (await fetch(service.url + path, { method: 'POST' })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
}

function pageEvents(db: Db, accountId: number): Promise<Array<{ id: number }>> {
  const events = db.selectFrom('audit_log').select('id').where('account_id', '=', accountId);
  return events.where('action', '=', 'page.created').orderBy('id').execute();
}

async function untilSent(db: Db, accountId: number): Promise<void> {
  const last = (await pageEvents(db, accountId)).at(-1)?.id ?? 0;
  for (;;) {
    const { sent } = await db
      .selectFrom('webhooks')
      .select('last_event_id as sent')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const hasArrived = last === 0 || received.some(({ id }) => id === last);
    if (sent >= last && hasArrived) return;
    await setTimeout(50);
  }
}

function check(name: string, events: ReadonlyArray<{ id: number }>): void {
  const arrived = new Set<number>();
  let highest = 0;
  const exist = new Set(events.map(({ id }) => id));
  for (const { id } of received) {
    if (!exist.has(id)) failures.push(`${name}: event ${id} does not exist.`);
    if (!arrived.has(id) && id < highest) failures.push(`${name}: event ${id} came after ${highest}.`);
    arrived.add(id);
    highest = Math.max(highest, id);
  }
  for (const id of exist) if (!arrived.has(id)) failures.push(`${name}: event ${id} never came.`);
}
