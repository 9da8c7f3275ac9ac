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

/** A complete answer of the service. */
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

  /** Status and JSON body together, for one comparison. */
  get outcome(): [number, unknown] {
    return [this.status, this.json];
  }
}

/** The real service on its own port, with a client that sends requests unaltered. */
export class Service {
  readonly port: number;
  /** The lines that the service has logged so far. */
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

  /** Sends a request with the target as given, one byte per character. */
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

  /** Sends the bytes on a new connection and returns everything that comes back until it is closed. */
  async sendRaw(bytes: string | Uint8Array): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    socket.write(bytes);
    const answer = await buffer(socket);
    return answer.toString();
  }

  get(path: string, key: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.request('GET', `${path}?api_key=${key}`, { headers });
  }

  /** Sends a POST request with every parameter in the query, as in the interface specification. */
  post(path: string, key: string, fields: Readonly<Record<string, string>>, headers: OutgoingHttpHeaders = {}) {
    const query = new URLSearchParams({ api_key: key, ...fields });
    return this.request('POST', `${path}?${query}`, { headers });
  }

  /** Creates a page from fields without brackets: `{ name: 'Home' }`. */
  createPage(key: string, page: Readonly<Record<string, string>>, headers: OutgoingHttpHeaders = {}) {
    return this.post('/api/pages.json', key, bracketed('page', page), headers);
  }

  /** Creates a customer from fields without brackets. Missing required fields are filled in. */
  createCustomer(key: string, customer: Readonly<Record<string, string>>, headers: OutgoingHttpHeaders = {}) {
    return this.post('/api/customers.json', key, bracketed('customer', customerFields(customer)), headers);
  }

  /** Returns the tree of pages. */
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

/** Returns valid fields of a customer, overridden by those given. */
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

/** Yields the pages of a tree in the order of the list. */
export function* flatten(pages: readonly PageJson[]): Generator<PageJson> {
  for (const page of pages) {
    yield page;
    yield* flatten(page.children);
  }
}

/** Starts the service on the database. It stops when the test ends, before the database is deleted. */
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

/** Starts the service on a new database with one top-level account and its key. Most tests begin with this. */
export async function startWithAccount(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  options: Readonly<Record<string, string>> = {},
) {
  const database = await open(t);
  const service = await startService(t, database, options);
  return { service, database, db: database.db, ...(await makeAccount(database.db)) };
}
