import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { makeCertificate } from '../test/certificate.ts';
import { beforeClosing } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';

const EMAIL = 'admin@agency.example';

interface AuthorityOptions {
  /** How many certificates the authority issues for the names under one registered domain. */
  readonly limit: number;
  /** The ports on which the requested hosts answer. */
  readonly ports: { readonly http: number; readonly https: number };
}

/**
 * Starts a certificate authority (Pebble, Let's Encrypt's test server) behind a server that limits the number of certificates
 * as Let's Encrypt does, and the authority's DNS, in which every name leads to this machine.
 */
export async function startAuthority(t: TestContext, { limit, ports }: AuthorityOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-authority-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  const [dns, dnsManagement, direct, management] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  await start(t, 'pebble-challtestsrv', [
    ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManagement}`, '-defaultIPv6', ''],
    ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
  ]);
  const own = makeCertificate();
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), config: join(folder, 'config.json') };
  await writeFile(paths.cert, own.cert);
  await writeFile(paths.key, own.key);
  const pebble = {
    listenAddress: `127.0.0.1:${direct}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: paths.cert,
    privateKey: paths.key,
    httpPort: ports.http,
    tlsPort: ports.https,
  };
  await writeFile(paths.config, JSON.stringify({ pebble }));
  const noWaiting = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' };
  await start(t, 'pebble', ['-config', paths.config, '-dnsserver', `127.0.0.1:${dns}`], noWaiting);
  await answers(() => ask(`https://127.0.0.1:${management}/roots/0`, own.cert));
  await answers(() => setText(dnsManagement, 'ready.example.', 'yes'));

  const issued = new Map<string, number>();
  const refused = new Map<string, number>();
  const port = await freePort();
  const server = createServer({ cert: own.cert, key: own.key }, (incoming, response) => {
    void forward({ incoming, response, direct, ca: own.cert, limit, issued, refused }).catch(() => response.destroy());
  }).listen(port, '127.0.0.1');
  beforeClosing(t, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server, 'listening');

  const directory = `https://127.0.0.1:${port}/dir`;
  const setTxt = (name: string, value: string) => setText(dnsManagement, `${name}.`, value);
  return {
    directory,
    /** The path of the certificate of the authority's own server. */
    serverCert: paths.cert,
    /** The root of the issued certificates, as PEM. */
    root: await ask(`https://127.0.0.1:${management}/roots/0`, own.cert),
    dnsServer: `127.0.0.1:${dns}`,
    setTxt,
    /** Returns how many certificates of a registered domain were ordered and not refused. */
    issued: (domain: string) => issued.get(domain) ?? 0,
    /** Returns how many orders for a registered domain were refused. */
    refused: (domain: string) => refused.get(domain) ?? 0,
    /** Obtains or renews a certificate with lego and a DNS record. Returns the files with the certificate and its key. */
    runLego: async (domain: string, ...command: readonly string[]) => {
      const script = join(folder, 'set-record');
      await writeFile(script, recordScript(dnsManagement));
      await chmod(script, 0o700);
      const path = join(folder, 'lego');
      const options = [
        ...['--accept-tos', '--email', EMAIL, '--server', directory, '--path', path, '--domains', domain],
        ...['--dns', 'exec', '--dns.disable-cp', '--dns.resolvers', `127.0.0.1:${dns}`],
      ];
      const env = { PATH: process.env.PATH, LEGO_CA_CERTIFICATES: paths.cert, EXEC_PATH: script };
      await promisify(execFile)('lego', [...options, ...command], { env });
      const file = join(path, 'certificates', domain.replace('*', '_'));
      return { cert: `${file}.crt`, key: `${file}.key` };
    },
  };
}

/** The program that lego calls to set a record: `set-record present NAME VALUE`. */
const recordScript = (management: number) => `#!${process.execPath}
const [action, host, value] = process.argv.slice(2);
const set = action === 'present';
await fetch('http://127.0.0.1:${management}/' + (set ? 'set-txt' : 'clear-txt'), { method: 'POST', body: JSON.stringify({ host, value }) });
`;

async function setText(management: number, host: string, value: string): Promise<void> {
  const body = JSON.stringify({ host, value });
  const response = await fetch(`http://127.0.0.1:${management}/set-txt`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** The port of the authority. */
  readonly direct: number;
  readonly ca: string;
  readonly limit: number;
  readonly issued: Map<string, number>;
  readonly refused: Map<string, number>;
}

/** Forwards a request to the authority, unless it orders more certificates than the limit allows. */
async function forward({ incoming, response, direct, ca, limit, issued, refused }: Forwarding): Promise<void> {
  const body = await buffer(incoming);
  const path = incoming.url!;
  const options = { host: '127.0.0.1', port: direct, ca, method: incoming.method!, path, headers: incoming.headers };
  if (path === '/order-plz') {
    for (const domain of registeredDomains(body)) {
      const count = (issued.get(domain) ?? 0) + 1;
      if (count > limit) {
        refused.set(domain, (refused.get(domain) ?? 0) + 1);
        return refuse(response, domain, { ...options, method: 'HEAD', path: '/nonce-plz' });
      }
      issued.set(domain, count);
    }
  }
  const [answer] = (await once(request(options).end(body), 'response')) as [IncomingMessage];
  response.writeHead(answer.statusCode!, answer.headers);
  answer.pipe(response);
}

/** Answers as Let's Encrypt does above its limit: https://letsencrypt.org/docs/rate-limits */
async function refuse(response: ServerResponse, domain: string, nonce: RequestOptions): Promise<void> {
  const [{ headers }] = (await once(request(nonce).end(), 'response')) as [IncomingMessage];
  const problem = {
    type: 'urn:ietf:params:acme:error:rateLimited',
    detail: `too many certificates already issued for "${domain}"`,
    status: 429,
  };
  response.writeHead(429, {
    'Content-Type': 'application/problem+json',
    'Replay-Nonce': headers['replay-nonce'],
    'Retry-After': '86400',
  });
  response.end(JSON.stringify(problem));
}

/** Returns the last two labels of each name that the order, a signed JSON document, is for. */
function registeredDomains(body: Buffer): Set<string> {
  const { payload } = JSON.parse(body.toString()) as { payload: string };
  const order = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { identifiers: Array<{ value: string }> };
  return new Set(order.identifiers.map(({ value }) => value.split('.').slice(-2).join('.')));
}

async function ask(url: string, ca: string): Promise<string> {
  const [answer] = (await once(request(url, { ca, agent: false }).end(), 'response')) as [IncomingMessage];
  return text(answer);
}

/** Repeats a request until it is answered: the server may not listen yet. */
async function answers(asking: () => Promise<unknown>): Promise<void> {
  for (let isThere = false; !isThere; ) {
    isThere = await asking().then(
      () => true,
      () => false,
    );
  }
}

async function start(
  t: TestContext,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  const closed = once(child, 'close');
  beforeClosing(t, async () => {
    process.off('exit', abandon);
    child.kill();
    await closed;
  });
  await once(child, 'spawn');
}
