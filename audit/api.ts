import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { addAccount, type BenchAccount, openForFilling } from '../bench/data.ts';
import { type Running, startService } from '../bench/processes.ts';
import { issueApiKey } from '../src/api-keys/issue-api-key.ts';
import type { Db } from '../src/db/database.ts';
import { resolveRef, schemaChecker } from '../test/openapi-answers.ts';
import { type Ids, requestsOf, type Sent } from './api-requests.ts';
import { type AuditedDatabase, onEachDatabase } from './on-each-database.ts';

/*
 * Sends random requests that the OpenAPI document describes, or nearly does: `npm run audit:api -- 100000 1`, with the number for each
 * database and the seed. No answer may have a status of 500 or more, or deviate from the document.
 */

const COUNT = Number(process.argv[2] ?? 10_000);
const SEED = Number(process.argv[3] ?? 1);
const CLIENTS = 16;
/** The number of requests after which the ids of existing objects are looked up again. */
const LOOKUP_INTERVAL = 200;

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;

interface Target {
  readonly service: Running;
  readonly db: Db;
  readonly account: BenchAccount;
  readonly document: Json;
  readonly check: ReturnType<typeof schemaChecker>;
  readonly ids: Ids;
  readonly statuses: Map<number, number>;
}

const failures: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
await onEachDatabase(auditOn);
agent.destroy();
for (const failure of failures.slice(0, 20)) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

async function auditOn(name: string, database: AuditedDatabase): Promise<void> {
  const db = await openForFilling({ ...database, databasePool: 2 });
  const account = await addAccount(db, 'agency');
  const env = {
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    RATE_LIMIT: '0',
    FAILED_KEY_LIMIT: '0',
    CUSTOMERS_PER_ADDRESS: '0',
    DNS_SERVERS: '127.0.0.1:9',
    LOG_LEVEL: 'error',
  };
  const service = await startService(env);
  const document = await (await fetch(`${service.url}/api/openapi.json`)).json();
  const check = schemaChecker(document);
  const target: Target = { service, db, account, document, check, ids: new Map(), statuses: new Map() };
  const started = performance.now();
  const requests = requestsOf(document, target.ids);
  let next = 0;
  let lookup: Promise<void> = Promise.resolve();
  const client = async () => {
    for (; next < COUNT; ) {
      const index = next++;
      if (index % LOOKUP_INTERVAL === 0) lookup = lookup.then(() => lookUpIds(target));
      await lookup;
      const [sent] = fc.sample(requests, { numRuns: 1, seed: SEED * COUNT + index });
      await sendAndCheck(target, sent!, `${name}, seed ${SEED}, request ${index}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = Math.round((performance.now() - started) / 1000);
  const counts = [...target.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`${name}: ${COUNT} requests in ${seconds} s: ${counts.join(', ')}; ${failures.length} failures`);
  await service.stop();
  await db.destroy();
}

async function sendAndCheck(target: Target, sent: Sent, what: string): Promise<void> {
  const { method, template, path } = sent;
  const { status, json, isJson } = await send(target, sent);
  target.statuses.set(status, (target.statuses.get(status) ?? 0) + 1);
  const shown = `${what}: ${method} ${path.slice(0, 300)} ${sent.body?.toString('latin1').slice(0, 300) ?? ''}`;
  // The key has revoked itself, or has removed its user's right.
  if (status === 401) return renewKey(target);
  try {
    assert.ok(status < 500, `answered with ${status}`);
    // Refusals of URLs and headers as a whole are not part of an operation.
    if (status === 304 || status === 431) return;
    const response = target.document.paths[template][method.toLowerCase()].responses[status];
    assert.ok(response, `${status} is not described: ${JSON.stringify(json)}`);
    const [[type, { schema }]] = Object.entries<Json>(resolveRef(target.document, response).content) as [
      [string, Json],
    ];
    assert.equal(isJson, type === 'application/json', `the answer is no ${type}`);
    target.check(schema, json, String(status));
  } catch (error) {
    failures.push(`${shown}\n  ${(error as Error).message}`);
  }
}

async function send({ service, account }: Target, { method, path, headers, body }: Sent) {
  const { hostname, port } = new URL(service.url);
  const all = { Authorization: `Bearer ${account.key}`, ...headers, ...(body && { 'Content-Length': body.length }) };
  const sent = request({ agent, hostname, port, method, path, headers: all }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const status = response.statusCode!;
  try {
    return { status, json: JSON.parse(answer), isJson: true };
  } catch {
    return { status, json: answer, isJson: false };
  }
}

async function renewKey({ db, account }: Target): Promise<void> {
  const { id, userId } = account;
  account.key = await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('users')
      .set({ role: 'owner', removed_at: null })
      .where('account_id', '=', id)
      .where('id', '=', userId)
      .execute();
    return (await issueApiKey(trx, id, { userId, name: 'Audit', expiresAt: null })).key;
  });
}

async function lookUpIds(target: Target): Promise<void> {
  for (const list of ['customers', 'users', 'domains', 'webhooks', 'keys', 'images', 'plans', 'price-changes']) {
    const { json } = await send(target, {
      method: 'GET',
      path: `/api/${list}.json`,
      template: '',
      headers: {},
      body: undefined,
    });
    const rows: { id: string }[] = json?.[list.replace('-', '_')] ?? [];
    target.ids.set(
      list,
      rows.slice(0, 20).map(({ id }) => id),
    );
  }
  for (const [table, prefix] of [
    ['pages', 'page_'],
    ['revisions', 'revision_'],
  ] as const) {
    const rows = await target.db
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', target.account.id)
      .orderBy('id', 'desc')
      .limit(20)
      .execute();
    target.ids.set(
      table,
      rows.map(({ id }) => `${prefix}${id}`),
    );
  }
}
