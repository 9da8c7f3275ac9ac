import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { tokenFor } from '../test/person.ts';
import { addAccount, openForFilling } from './data.ts';
import type { Running } from './processes.ts';
import { quietly } from './quiet-client.ts';
import { note, only, round } from './report.ts';

const COUNT = 10_000;
const WORK = 'many customers: 10,000 imported, with links instead of passwords';
/** The number of customers that the app sends in one request. */
const BATCH_SIZE = 50;

/** Imports customers and changes all of them, while another account's summary is requested. */
export async function measureManyCustomers(
  service: Running,
  database: { dataDir: string; databaseUrl: string },
  on = '',
): Promise<void> {
  if (!`${on}${WORK}`.includes(only)) return;
  const { agency, other, sessions } = await fillAccounts(database);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const origin = service.url.replace('127.0.0.1', 'localhost');
  const send = async (method: string, path: string, session: string, body?: string, type = 'application/json') => {
    const headers = { Host: new URL(origin).host, Origin: origin, Cookie: `session=${session}`, 'Content-Type': type };
    const sent = request(new URL(`/admin/${path}`, service.url), { agent, method, headers }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    if (Number(response.statusCode) >= 300) throw new Error(`${method} ${path}: ${answer}`);
    return JSON.parse(answer);
  };
  const measure = async (work: string, target: number, doing: () => Promise<void>) => {
    const started = performance.now();
    const done = doing();
    const others = await quietly(`${service.url}/api/account.json?api_key=${other.key}`, 0, done);
    await done;
    const seconds = (performance.now() - started) / 1000;
    const perSecond = `${round(COUNT / seconds)} a second`;
    note(`${on}${work}`, `${round(seconds, 1)} s, ${perSecond}`, `under ${target} s`, seconds < target);
    note('… meanwhile account.json of another account, p99', `${round(others, 1)} ms`, 'under 50 ms', others < 50);
  };

  const [first, ...rest] = sessions;
  await measure(WORK, COUNT / 2000, async () => {
    const { id } = await send('POST', 'imports?name=customers.csv', first!, listOfCustomers(), 'text/csv');
    for (let state = 'running'; state === 'running'; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      ({ state } = await send('GET', `imports/${id}`, first!));
    }
  });
  const customers = await idsOf(database, agency.id);
  const planId = (
    await send('POST', 'plans', first!, JSON.stringify({ name: 'Business', price: '49', interval: 'month' }))
  ).id;
  const changes = {
    'put on another plan': { kind: 'plan', planId },
    suspended: { kind: 'suspend', reason: 'The invoice of May is open.' },
    restored: { kind: 'restore', seenReason: 'The invoice of May is open.' },
    deleted: { kind: 'delete' },
  };
  for (const [index, [done, change]] of Object.entries(changes).entries()) {
    await measure(`many customers: 10,000 ${done}`, 20, async () => {
      for (let at = 0; at < customers.length; at += BATCH_SIZE) {
        const some = customers.slice(at, at + BATCH_SIZE);
        const body = { changes: some.map(({ id, plan }) => ({ ...change, id, seenPlanId: plan })) };
        const { results } = await send('POST', 'customers/changes', rest[index]!, JSON.stringify(body));
        const isDone = results.length === some.length && results.every((one: object) => 'now' in one);
        if (!isDone) throw new Error(`Not all are ${done}: ${JSON.stringify(results.at(-1))}`);
      }
    });
  }
  agent.destroy();
}

/** Prepares the accounts. Each kind of work gets its own session, since a session may make only 1,200 requests a minute. */
async function fillAccounts(database: { dataDir: string; databaseUrl: string }) {
  const db = await openForFilling({ ...database, databasePool: 2 });
  try {
    const agency = await addAccount(db, 'importing');
    const other = await addAccount(db, 'beside-import');
    const sessions: string[] = [];
    for (let count = 0; count < 5; count++) sessions.push(await tokenFor(db, agency.id, agency.userId));
    return { agency, other, sessions };
  } finally {
    await db.destroy();
  }
}

async function idsOf(database: { dataDir: string; databaseUrl: string }, accountId: number) {
  const db = await openForFilling({ ...database, databasePool: 2 });
  try {
    const customers = db.selectFrom('accounts').select(['id', 'plan_id as plan']).where('parent_id', '=', accountId);
    return await customers.orderBy('id').execute();
  } finally {
    await db.destroy();
  }
}

function listOfCustomers(): string {
  const lines = Array.from({ length: COUNT }, (_, at) => `Shop ${at},imported-${at},Sam Keeper,sam@shop-${at}.example`);
  return ['name,subdomain,person,mail', ...lines].join('\n');
}
