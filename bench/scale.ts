import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { createAccounts } from '../src/accounts/create-account.ts';
import { issueApiKey } from '../src/api-keys/issue-api-key.ts';
import { operator } from '../src/audit/record-audit-event.ts';
import type { Db, Trx } from '../src/db/database.ts';
import { refreshSearch } from '../src/pages/search-index.ts';
import { recordPlanChanges } from '../src/plans/plan-changes.ts';
import { countCustomer, listPlans } from '../src/plans/plans.ts';
import { hashPassword } from '../src/users/password.ts';
import { startPostgres } from '../test/global-setup.ts';
import { tokenFor } from '../test/person.ts';
import { addAccount, openForFilling, series } from './data.ts';
import { type Running, scratchFolder, startService } from './processes.ts';
import { median, round, writeSection } from './report.ts';

/*
 * Compares a large installation with a small one, operation by operation and in turns. Both have agencies of 1,000 customers with
 * ten pages each, and differ only in the number of agencies. Every request is for a different account, so that the database
 * answers and not a cache of the service.
 */

const CUSTOMERS_PER_AGENCY = 1000;
const PAGES_PER_ACCOUNT = 10;
const SMALL_ACCOUNTS = 5000;
const DEFAULT_ACCOUNTS = 200_000;
/** The number of accounts that are requested of each installation. */
const ASKED = 4000;
/** One account in this many has been searched before, and has a search index. */
const SEARCHED_EVERY = 10;
const PASSWORD = 'rise early 4 bread';

/** The highest permitted ratio of the large installation's times to the small one's. */
const MAX_RATIO = { SQLite: 1.3, PostgreSQL: 2 } as const;
type Dialect = keyof typeof MAX_RATIO;

/** An account that is requested. */
interface Asked {
  readonly subdomain: string;
  readonly email: string;
  readonly key: string;
  readonly session: string;
}

interface Installation {
  readonly asked: readonly Asked[];
  readonly agencyKeys: readonly string[];
}

interface Ask {
  readonly path: string;
  readonly method?: 'POST';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

interface Operation {
  readonly name: string;
  readonly ask: (account: Asked, number: number, installation: Installation, service: Running) => Ask;
  /** The number of measured requests. A fifth as many warm up before. */
  readonly requests: number;
}

const appHost = (service: Running) => new URL(service.url.replace('127.0.0.1', 'localhost'));

const operations: readonly Operation[] = [
  { name: 'pages.json', requests: 400, ask: ({ key }) => ({ path: `/api/pages.json?api_key=${key}` }) },
  {
    name: 'account.json of a customer',
    requests: 400,
    ask: ({ key }) => ({ path: `/api/account.json?api_key=${key}` }),
  },
  {
    name: 'a page created',
    requests: 400,
    ask: ({ key }) => ({
      method: 'POST',
      path: `/api/pages.json?api_key=${key}&page%5Bname%5D=New&page%5Bbody%5D=%3Cp%3EHello%3C%2Fp%3E`,
    }),
  },
  {
    name: 'a customer created (with the hash of its password)',
    requests: 100,
    ask: (_, number, { agencyKeys }) => {
      const fields = {
        'customer[account_name]': 'New Shop',
        'customer[account_subdomain]': `new-${number}`,
        'customer[user_name]': 'Ann Baker',
        'customer[user_email]': `ann@new-${number}.example`,
        'customer[user_password]': PASSWORD,
        'customer[user_password_confirmation]': PASSWORD,
      };
      const key = agencyKeys[number % agencyKeys.length]!;
      return { method: 'POST', path: `/api/customers.json?api_key=${key}&${new URLSearchParams(fields)}` };
    },
  },
  {
    name: 'customers.json of an agency, 50 of 1,000',
    requests: 100,
    ask: (_, number, { agencyKeys }) => {
      const key = agencyKeys[number % agencyKeys.length]!;
      return { path: `/api/customers.json?limit=50&q=shop+${number % 10}&api_key=${key}` };
    },
  },
  {
    name: 'a page of a site',
    requests: 400,
    ask: ({ subdomain }) => ({ path: '/page-2', headers: { Host: `${subdomain}.localhost` } }),
  },
  {
    name: 'a search in the admin app',
    requests: 400,
    ask: ({ session }, _, __, service) => ({
      path: '/admin/pages/search?q=bread+morning',
      headers: { Host: appHost(service).host, Cookie: `session=${session}` },
    }),
  },
  {
    name: 'a sign-in (with the check of the password)',
    requests: 100,
    ask: ({ email }, number, _, service) => ({
      method: 'POST',
      path: '/admin/sign-in',
      headers: {
        Host: appHost(service).host,
        Origin: appHost(service).origin,
        'Content-Type': 'application/json',
        // Each attempt comes from its own network, since attempts from one network are throttled.
        'X-Forwarded-For': `2001:db8:${number.toString(16)}::1`,
      },
      body: JSON.stringify({ email, password: PASSWORD }),
    }),
  },
];

const rows: string[] = [];

/** Measures on both databases. `count` is the number of customers of the large installation; empty for 200,000. */
export async function measureScale(count: string): Promise<void> {
  const accounts = count === '' ? DEFAULT_ACCOUNTS : Number(count);
  if (!Number.isInteger(accounts / CUSTOMERS_PER_AGENCY) || accounts <= SMALL_ACCOUNTS)
    throw new Error(`${count} is not a multiple of ${CUSTOMERS_PER_AGENCY} above ${SMALL_ACCOUNTS}.`);
  const folder = scratchFolder();
  const places = ['small', 'large'].map((name) => ({ dataDir: join(folder, name), databaseUrl: '' }));
  await compare('SQLite', places, accounts);
  for (const { dataDir } of places) rmSync(dataDir, { recursive: true });

  const { postgres, folder: postgresFolder, socketUrl } = await startPostgres([]);
  try {
    for (const name of ['small', 'large']) await postgres.createDatabase(name);
    const onPostgres = ['small', 'large'].map((name) => ({
      dataDir: join(folder, name),
      databaseUrl: socketUrl.replace(/postgres$/, name),
    }));
    await compare('PostgreSQL', onPostgres, accounts);
  } finally {
    await postgres.stop();
    rmSync(postgresFolder, { recursive: true, force: true });
  }
  if (count === '') writeSection(`${heading(accounts)}\n${rows.join('\n')}`);
}

const heading = (accounts: number) => `## Scale

Made by \`npm run bench -- scale\`: an installation of ${round(accounts)} customers with ${PAGES_PER_ACCOUNT} pages each, in agencies of
${round(CUSTOMERS_PER_AGENCY)}, against one of ${round(SMALL_ACCOUNTS)}, in turns. One client asks each time for an account that nobody asked for before; the times
are medians of what it waits.

| operation | database | large | small | times as long | at most | met |
|---|---|--:|--:|--:|--:|---|`;

async function compare(
  dialect: Dialect,
  places: ReadonlyArray<{ dataDir: string; databaseUrl: string }>,
  accounts: number,
): Promise<void> {
  const both = [];
  for (const [index, place] of places.entries()) {
    const started = performance.now();
    const installation = await fill(place, index === 0 ? SMALL_ACCOUNTS : accounts);
    console.log(`${dialect}: filled in ${round((performance.now() - started) / 1000)} s`);
    const service = await startService({
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      TRUST_PROXY: '127.0.0.1',
    });
    both.push({ client: new Client(service, installation), times: [] as number[] });
  }
  const [small, large] = both as [(typeof both)[0], (typeof both)[0]];
  let from = 0;
  for (const operation of operations) {
    const turn = operation.requests / 5;
    for (let number = 0; number < operation.requests + turn; number += turn) {
      // The first turn warms up.
      if (number <= turn) for (const one of both) one.times = [];
      for (const { client, times } of both) times.push(...(await client.time(operation, from + number, turn)));
    }
    from += operation.requests + turn;
    report(dialect, operation.name, median(large.times), median(small.times));
  }
  for (const { client } of both) await client.stop();
}

function report(dialect: Dialect, name: string, large: number, small: number): void {
  const ratio = large / small;
  const isMet = ratio <= MAX_RATIO[dialect];
  const [mine, theirs] = [`${round(large, 2)} ms`, `${round(small, 2)} ms`];
  const verdict = isMet ? 'yes' : '**no**';
  rows.push(`| ${name} | ${dialect} | ${mine} | ${theirs} | ${round(ratio, 2)} | ${MAX_RATIO[dialect]} | ${verdict} |`);
  console.log(rows.at(-1));
}

/** Sends requests about accounts one after another, on one connection. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #service: Running;
  readonly #installation: Installation;

  constructor(service: Running, installation: Installation) {
    this.#service = service;
    this.#installation = installation;
  }

  /** Returns the time of each answer in milliseconds. */
  async time({ name, ask }: Operation, from: number, count: number): Promise<number[]> {
    const times: number[] = [];
    for (let number = from; number < from + count; number++) {
      const account = this.#installation.asked[number]!;
      const { path, method = 'GET', headers, body } = ask(account, number, this.#installation, this.#service);
      const started = performance.now();
      const options = { agent: this.#agent, method, ...(headers && { headers }) };
      const sent = request(new URL(path, this.#service.url), options).end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const answer = await text(response);
      if (response.statusCode !== 200) throw new Error(`${name}: ${response.statusCode} ${answer}`);
      times.push(performance.now() - started);
    }
    return times;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#service.stop();
  }
}

async function fill(place: { dataDir: string; databaseUrl: string }, accounts: number): Promise<Installation> {
  const db = await openForFilling({ ...place, databasePool: 4 });
  try {
    const passwordHash = await hashPassword(PASSWORD, 0);
    const agencyKeys: string[] = [];
    const asked: Asked[] = [];
    for (let number = 0; number < accounts / CUSTOMERS_PER_AGENCY; number++) {
      const agency = await addAccount(db, `agency-${number}`);
      agencyKeys.push(agency.key);
      const every = accounts / ASKED;
      const wanted = (at: number) => Math.floor((number * CUSTOMERS_PER_AGENCY + at) % every) === 0;
      asked.push(...(await addCustomers(db, agency.id, { number, passwordHash, wanted })));
    }
    if (place.databaseUrl !== '') await sql`vacuum analyze`.execute(db);
    // A fixed order that differs from the order of creation.
    const order = asked.map((account, index) => ({ account, rank: (index * 2_654_435_761) % 4_294_967_296 }));
    order.sort((a, b) => a.rank - b.rank);
    return { agencyKeys, asked: order.map(({ account }) => account) };
  } finally {
    await db.destroy();
  }
}

/** Adds the customers of one agency, with an owner and ten pages each. Returns the customers that will be requested. */
async function addCustomers(
  db: Db,
  agencyId: number,
  { number, passwordHash, wanted }: { number: number; passwordHash: string; wanted: (at: number) => boolean },
): Promise<Asked[]> {
  const customers = Array.from({ length: CUSTOMERS_PER_AGENCY }, (_, at) => {
    const subdomain = `shop-${number}-${at}`;
    return { accountName: `Shop ${at}`, subdomain, userName: 'Sam Keeper', userEmail: `sam@${subdomain}.example` };
  });
  const asked: Asked[] = [];
  const ids = await db.transaction().execute(async (trx) => {
    const plan = (await listPlans(trx, agencyId))[0]!;
    const same = {
      parentId: agencyId,
      planId: plan.id,
      editor: 'wysiwyg_format',
      language: 'en',
      passwordHash,
    } as const;
    const created = await createAccounts(
      trx,
      customers.map((customer) => ({ ...customer, ...same, pageBytes: PAGES_PER_ACCOUNT * PAGE_BYTES })),
    );
    await countCustomer(trx, agencyId, plan.id, created.length);
    const line = { kind: 'created', from: null, to: plan, isTrial: false, by: operator } as const;
    await recordPlanChanges(
      trx,
      agencyId,
      created.map(({ id }) => ({ ...line, customerId: id })),
    );
    await addPages(trx, db, agencyId);
    for (const [at, { id, userId }] of created.entries()) {
      if (!wanted(at)) continue;
      const { subdomain, userEmail: email } = customers[at]!;
      const { key } = await issueApiKey(trx, id, { userId, name: 'Key', expiresAt: null });
      asked.push({ subdomain, email, key, session: await tokenFor(trx, id, userId) });
    }
    return created.map(({ id }) => id);
  });
  for (const [at, id] of ids.entries())
    if (wanted(at) || at % SEARCHED_EVERY === 0) await refreshSearch(db, id, Number.POSITIVE_INFINITY);
  return asked;
}

const SENTENCE = '<p>Fresh bread and rolls from our oven, baked every morning and brought to your door.</p>';
const BODY = SENTENCE.repeat(10);
const PAGE_BYTES = BODY.length;

/** Adds the pages of all customers of an agency, by SQL that generates the rows. */
async function addPages(trx: Trx, db: Db, agencyId: number): Promise<void> {
  await sql`
    insert into pages (account_id, name, urlname, position, is_hidden, body_format, custom_date, created_at, created_by,
      updated_at, updated_by, version, body)
    select accounts.id, 'Page ' || n, 'page-' || n, n, 0, 'wysiwyg_format', accounts.created_at, accounts.created_at, users.id,
      accounts.created_at, users.id, accounts.content_version, ${BODY}
    from accounts join users on users.account_id = accounts.id
    cross join (${series(db, 1, PAGES_PER_ACCOUNT)}) as numbers
    where accounts.parent_id = ${agencyId}
    order by accounts.id, n`.execute(trx);
}
