import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { beforeClosing } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import type { Program } from './program.ts';

const run = promisify(execFile);
const deploy = join(import.meta.dirname, '../deploy');

/** Returns true if all programs are installed. */
export async function areInstalled(...programs: readonly string[]): Promise<boolean> {
  const found = programs.map((program) =>
    run('which', [program]).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).every(Boolean);
}

interface CaddyOptions {
  readonly apiHost: string;
  /** Returns lines of Caddy's global options, for the folder where Caddy keeps its files. */
  readonly options: (folder: string) => readonly string[];
  /** Further variables of the Caddyfile. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: { readonly http: number; readonly https: number };
}

/** Starts Caddy in front of the program, with the shipped Caddyfile. Caddy is stopped when the test ends. */
export async function startCaddy(t: TestContext, program: Program, settings: CaddyOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-caddy-'));
  const ports = settings.ports ?? { http: await freePort(), https: await freePort() };
  const storage = join(folder, 'storage');
  await mkdir(storage);
  // Unprivileged ports, and no file outside of the folder.
  const options = [
    ...['skip_install_trust', 'default_bind 127.0.0.1'],
    ...[`http_port ${ports.http}`, `https_port ${ports.https}`, `storage file_system ${storage}`],
    ...settings.options(folder),
  ];
  const upstream = `127.0.0.1:${program.port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CADDY_OPTIONS: options.join('\n'),
    FREEHOLD_UPSTREAM: upstream,
    FREEHOLD_ASK: upstream,
    FREEHOLD_API_HOST: settings.apiHost,
    ...settings.environment,
  };
  const config = ['--config', join(deploy, 'Caddyfile')];
  const caddy = spawn('caddy', ['run', ...config], { env, cwd: deploy, stdio: ['ignore', 'ignore', 'pipe'] });
  const abandon = () => caddy.kill('SIGKILL');
  process.once('exit', abandon);
  const closed = once(caddy, 'close');
  beforeClosing(t, async () => {
    process.off('exit', abandon);
    caddy.kill();
    await closed;
    await rm(folder, { recursive: true, force: true });
  });
  await serving(caddy.stderr);
  return {
    storage,
    kill: abandon,
    /** Sends a request as a browser that trusts the certificate authority `ca`, a PEM. */
    https: (ca: string, host: string, path: string, { method = 'GET', headers = {} }: RequestOptions = {}) =>
      answer(
        httpsRequest({
          host: '127.0.0.1',
          port: ports.https,
          servername: host,
          ca,
          agent: false,
          method,
          path,
          headers: { Host: host, ...headers },
        }),
      ),
    /** Returns the protocol that Caddy chooses for a client that supports HTTP/1.1 and HTTP/2. */
    protocolOf: async (ca: string, host: string) => {
      const ALPNProtocols = ['h2', 'http/1.1'];
      const socket = connect({ host: '127.0.0.1', port: ports.https, servername: host, ca, ALPNProtocols });
      await once(socket, 'secureConnect');
      socket.destroy();
      return socket.alpnProtocol;
    },
    http: (host: string, path: string) =>
      answer(httpRequest({ host: '127.0.0.1', port: ports.http, path, agent: false, headers: { Host: host } })),
    /** Reloads the certificates, as Debian's unit does on a reload. `admin` is the address of Caddy's option of that name. */
    reload: (admin: string) => run('caddy', ['reload', '--force', '--address', admin, ...config], { env, cwd: deploy }),
  };
}

export type Caddy = Awaited<ReturnType<typeof startCaddy>>;

interface RequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
}

/** Resolves once Caddy reports that it serves. Later output is read and discarded. */
async function serving(output: NodeJS.ReadableStream): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    output.on('data', (piece) => {
      said += piece;
      if (said.includes('serving initial configuration')) resolve();
    });
    output.on('end', () => reject(new Error(`Caddy does not start:\n${said}`)));
  });
}

async function answer(request: ReturnType<typeof httpRequest>) {
  request.end();
  const [response] = await once(request, 'response');
  const { socket } = request;
  const certificate = socket && 'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate() : undefined;
  return {
    status: response.statusCode,
    headers: response.headers,
    names: certificate?.subjectaltname ?? '',
    serial: certificate?.serialNumber ?? '',
    body: await text(response),
  };
}
