import { once } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { faultsOf } from '../src/db/faults.ts';
import { AccessLog } from '../src/http/access-log.ts';
import { MemoryCounter } from '../src/http/limits.ts';
import { Agent, request as httpRequest } from '../src/http/node-http.ts';
import { beforeClosing, environmentOf, type TestDatabase } from './databases.ts';
import { makeAccount } from './factories.ts';

export interface RequestOptions {
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
}

/** An answer of the service, read to its end. */
export class Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString();
  }

  get json() {
    return JSON.parse(this.text);
  }

  /** Status and body in one, to be compared with what is expected of both. */
  get outcome(): [number, unknown] {
    return [this.status, this.json];
  }
}

/** The real service on a port of its own, and a client that sends what it is given and nothing else. */
export class Service {
  readonly port: number;
  /** Every line it has logged so far. */
  readonly log: string[];
  readonly stop: () => Promise<void>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 60 });

  constructor(port: number, log: string[], stop: () => Promise<void>) {
    this.port = port;
    this.log = log;
    this.stop = async () => {
      this.#agent.destroy();
      await stop();
    };
  }

  /** Sends a request with the target as it is, one byte a character. */
  async request(method: string, target: string, { headers = {}, body }: RequestOptions = {}): Promise<Reply> {
    const request = httpRequest({
      port: this.port,
      host: '127.0.0.1',
      agent: this.#agent,
      method,
      path: target,
      headers:
        body === undefined || 'Transfer-Encoding' in headers
          ? headers
          : { 'Content-Length': Buffer.byteLength(body), ...headers },
    });
    request.end(body);
    const [response] = await once(request, 'response');
    return new Reply(response.statusCode, response.headers, await buffer(response));
  }

  /** Sends the bytes on a connection of their own and returns the bytes that come back until it is closed. */
  async sendRaw(bytes: string | Uint8Array): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    socket.write(bytes);
    const answer = await buffer(socket);
    return answer.toString();
  }

  get(path: string, key: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.request('GET', `${path}?api_key=${key}`, { headers });
  }

  /** As the interface has it: every parameter in the query. */
  post(path: string, key: string, fields: Readonly<Record<string, string>>, headers: OutgoingHttpHeaders = {}) {
    const query = new URLSearchParams({ api_key: key, ...fields });
    return this.request('POST', `${path}?${query}`, { headers });
  }

  /** Creates a page from its fields' own names: `{ name: 'Home' }`. */
  createPage(key: string, page: Readonly<Record<string, string>>, headers: OutgoingHttpHeaders = {}) {
    return this.post('/api/pages.json', key, bracketed('page', page), headers);
  }

  /** Creates a customer from its fields' own names, the required ones filled in. */
  createCustomer(key: string, customer: Readonly<Record<string, string>>, headers: OutgoingHttpHeaders = {}) {
    return this.post('/api/customers.json', key, bracketed('customer', customerFields(customer)), headers);
  }

  /** The tree of pages. */
  async pages(key: string): Promise<PageJson[]> {
    return (await this.get('/api/pages.json', key)).json.pages;
  }

  async account(key: string) {
    return (await this.get('/api/account.json', key)).json.account;
  }
}

export interface PageJson {
  id: string;
  name: string;
  urlname: string;
  body: string;
  created_at: string;
  created_by: string;
  updated_at: string;
  updated_by: string;
  parent_id: string;
  position: string;
  url: string;
  is_hidden: boolean;
  description: string | null;
  body_format: string;
  custom_date: string;
  children: PageJson[];
}

/** `{ name: 'x' }` → `{ 'page[name]': 'x' }` */
export function bracketed(object: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${object}[${name}]`, value]));
}

/** Customer fields that break no rule, but for those given. */
export function customerFields(fields: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    account_name: 'Acme Bakery',
    account_subdomain: 'acme-bakery',
    user_name: 'Ann Baker',
    user_email: 'ann@example.com',
    user_password: 'rise early 4 bread',
    user_password_confirmation: fields.user_password ?? 'rise early 4 bread',
    ...fields,
  };
}

/** The pages of a tree in the order of the list. */
export function* flatten(pages: readonly PageJson[]): Generator<PageJson> {
  for (const page of pages) {
    yield page;
    yield* flatten(page.children);
  }
}

/** Starts the service on the database; it is stopped before the database goes. */
export async function startService(
  t: TestContext,
  { db, config: database }: TestDatabase,
  options: Readonly<Record<string, string>> = {},
  onMailQueued: () => void = () => {},
): Promise<Service> {
  const config = readConfig({
    ...environmentOf(database),
    RATE_LIMIT: '0',
    FAILED_KEY_LIMIT: '0',
    ...options,
  });
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const accessLog = new AccessLog(destination);
  const app = buildApp({
    config,
    db,
    log: pino({ level: 'trace', base: null }, destination),
    counter: new MemoryCounter(),
    metrics: async () => '',
    damage: async () => faultsOf(db).damage,
    onMailQueued,
    onImportStarted: () => {},
    onAnswered: (ctx, response, milliseconds) => accessLog.log(ctx, response, milliseconds),
    onRefused: (refusal) => accessLog.logRejected(refusal),
  });
  app.startServing();
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      const closed = once(app.server, 'close');
      app.server.close();
      app.server.closeAllConnections();
      await closed;
      await app.close();
      accessLog.flush();
    })();
    return stopped;
  };
  const service = new Service((app.server.address() as AddressInfo).port, lines, stop);
  beforeClosing(t, () => service.stop());
  return service;
}

/** The service on a database of its own with one top-level account and its key: where most tests begin. */
export async function startWithAccount(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  options: Readonly<Record<string, string>> = {},
) {
  const database = await open(t);
  const service = await startService(t, database, options);
  return { service, database, db: database.db, ...(await makeAccount(database.db)) };
}
