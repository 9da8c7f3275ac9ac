import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { freePort } from '../test/free-port.ts';
import { eventually } from './program.ts';

/*
 * Starts the image that packaging/image.sh has built with deploy/compose.yaml, by the commands of docs/install.md.
 * `npm run test:image` builds the image first. The test pulls no other images: they must be on the machine.
 */

const root = join(import.meta.dirname, '..');
const layout = process.env.FREEHOLD_IMAGE && resolve(root, process.env.FREEHOLD_IMAGE);
const compose = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const image = 'freehold-compose-test';
const skip = whyNot();

function whyNot(): string | false {
  if (!layout) return 'no image has been built: npm run test:image does that';
  const others = [...compose.matchAll(/image: (docker\.io\/\S+)/g)].map(([, name]) => name!);
  for (const [file = '', ...args] of [
    ['skopeo', '--version'],
    ['docker', 'compose', 'version'],
    ['docker', 'image', 'inspect', ...others],
  ]) {
    try {
      execFileSync(file, args, { stdio: 'ignore' });
    } catch {
      return `this fails: ${[file, ...args].join(' ')}`;
    }
  }
  return false;
}

test('the compose file starts the service, survives a database restart and is restored as documented', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-compose-'));
  const deploy = join(folder, 'deploy');
  const override = join(folder, 'override.yaml');
  const port = await freePort();
  cpSync(join(root, 'deploy'), deploy, { recursive: true });
  writeFileSync(
    override,
    `services:
  freehold: { image: ${image}, build: !reset null }
  caddy: { ports: !override ["127.0.0.1:${port}:443"] }
`,
  );
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: image,
    COMPOSE_FILE: `${join(deploy, 'compose.yaml')}:${override}`,
    CADDY_OPTIONS: 'local_certs\nskip_install_trust',
  };
  const run = (script: string) =>
    execFileSync('sh', ['-euc', script], { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => {
    run(`cd deploy && docker compose down --volumes --timeout 1 && docker rmi ${image}`);
    rmSync(folder, { recursive: true, force: true });
  });
  const daemon = process.env.DOCKER_HOST ? `--dest-daemon-host ${process.env.DOCKER_HOST}` : '';
  run(`skopeo copy --quiet ${daemon} oci:${layout}:${version}-${arch} docker-daemon:${image}:latest`);

  const get = async (host: string, path: string, headers = {}) => {
    const ca = run('cd deploy && docker compose exec -T caddy cat /data/caddy/pki/authorities/local/root.crt');
    const address = { host: '127.0.0.1', port, servername: host, ca, agent: false };
    const [response] = await once(request({ ...address, path, headers: { Host: host, ...headers } }).end(), 'response');
    return { status: response.statusCode as number, body: await text(response) };
  };
  const serves = async (path: string) => {
    const site = await eventually(
      t,
      () => get('acme.sites.example.com', path).catch(() => undefined),
      (answer) => answer?.status === 200,
    );
    assert.match(site!.body, /<title>Acme Agency<\/title>/);
  };

  const output = run(commandsOf('docs/install.md', 'docker compose run --rm freehold setup'));
  const [, key] = /^API key: +(\S+)$/m.exec(output)!;
  assert.match(output, /^https:\/\/api\.example\.com\/sign-in#token=\S+$/m);
  await serves('/');

  await get('api.example.com', '/asked', { 'X-Forwarded-For': '192.0.2.9' });
  // The container engine may get the log line a little later than the client gets the response.
  const logged = await eventually(
    t,
    async () => /"path":"\/asked".*"ip":"([^"]+)"/.exec(run('cd deploy && docker compose logs freehold')),
    (line) => line !== null,
  );
  const [, ip = ''] = logged!;
  assert.ok(ip !== '192.0.2.9' && !compose.includes(`_address: ${ip}`), ip);
  for (const host of ['api.example.com', 'acme.sites.example.com']) {
    for (const path of ['/metrics', '/readyz', '/internal/tls-allowed?domain=acme.sites.example.com']) {
      assert.equal((await get(host, path)).status, 404, host + path);
    }
  }
  const inside = (command: string) => run(`cd deploy && docker compose exec -T freehold ${command}`);
  inside('freehold-health');
  assert.throws(() => inside(`sh -c 'echo > /usr/local/x'`), /Read-only file system/);
  const rights = inside(`node -p 'fs.readFileSync("/proc/self/status", "utf8")'`);
  assert.match(rights, /^CapBnd:\s0+$/m);
  assert.match(rights, /^NoNewPrivs:\s1$/m);

  const account = () => get('api.example.com', '/api/account.json', { Authorization: `Bearer ${key}` });
  run('cd deploy && docker compose kill database && docker compose start database');
  await eventually(t, account, ({ status }) => status === 200);

  inside('freehold backup - >../backup.zst');
  run('cd deploy && docker compose stop');
  assert.match(run('cd deploy && docker compose ps --all --format "{{.Service}} {{.ExitCode}}"'), /^freehold 0$/m);
  run('cd deploy && docker compose down --volumes');
  const [restore = ''] = commandsOf('docs/operations.md', 'docker compose run --rm -T freehold restore').split(' <');
  run(`cd deploy && ${restore} <../backup.zst && docker compose up -d`);
  await serves('/');
  assert.equal((await account()).status, 200);
});

/** Returns the commands of the first example in the document that contains the text. */
function commandsOf(document: string, part: string): string {
  const blocks = readFileSync(join(root, document), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms);
  const found = [...blocks].map(([, block]) => block!).find((block) => block.includes(part));
  assert.ok(found, part);
  return found;
}
