import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { databases, environmentOf, makeEmptyDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { Program } from './program.ts';

/*
 * Starts the image that packaging/image.sh has built, without a container engine: from its unpacked, read-only files, as its
 * user. `npm run test:image` builds the image first, which needs root, umoci and the network.
 */

const root = join(import.meta.dirname, '..');
const layout = process.env.FREEHOLD_IMAGE && resolve(root, process.env.FREEHOLD_IMAGE);
const skip = layout ? false : 'no image has been built: npm run test:image does that';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const arch = process.arch === 'x64' ? 'amd64' : process.arch;

/** A script that mounts what a container engine mounts, and runs a command in the image as its user. */
const RUN = `
  set -eu
  image=$1 data=$2 user=$3; shift 3
  mount --bind "$image" "$image"
  mount --bind "$data" "$image/data"
  mount -t tmpfs tmpfs "$image/tmp"
  mount -t proc proc "$image/proc"
  mount --rbind /dev "$image/dev"
  mount -o remount,bind,ro "$image"
  exec chroot --userspec="$user" "$image" /bin/sh -c 'cd /data && exec "$@"' sh "$@"
`;

interface Bundle {
  process: { args: string[]; env: string[]; cwd: string; user: { uid: number; gid: number } };
}

test('the image has at most 80 MB for each architecture', { skip }, (t) => {
  const { manifests } = JSON.parse(readFileSync(join(layout!, 'index.json'), 'utf8')) as {
    manifests: { digest: string; annotations: Record<string, string> }[];
  };
  for (const { digest, annotations } of manifests) {
    const blob = (name: string) => join(layout!, 'blobs', name.replace(':', '/'));
    const { layers } = JSON.parse(readFileSync(blob(digest), 'utf8')) as { layers: { digest: string }[] };
    const bytes = layers.reduce((sum, layer) => sum + statSync(blob(layer.digest)).size, 0);
    t.diagnostic(`${annotations['org.opencontainers.image.ref.name']}: ${(bytes / 1e6).toFixed(1)} MB`);
    assert.ok(bytes <= 80e6, `${bytes} bytes`);
  }
});

for (const kind of databases) {
  test(`the image runs as its user on a read-only root (${kind})`, { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'freehold-image-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const bundle = join(folder, 'bundle');
    execFileSync('umoci', ['unpack', '--image', `${layout}:${version}-${arch}`, bundle]);
    const { process: config }: Bundle = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
    assert.deepEqual([config.args, config.cwd], [['freehold', 'start'], '/data']);
    assert.ok(config.user.uid > 0);
    assert.ok(config.env.includes('IN_CONTAINER=true'));

    const database = await makeEmptyDatabase(t, kind);
    chownSync(database.dataDir, config.user.uid, config.user.gid);
    const user = `${config.user.uid}:${config.user.gid}`;
    const run = ['unshare', '-m', 'sh', '-c', RUN, 'sh', join(bundle, 'rootfs'), database.dataDir, user];
    const port = await freePort();
    const environment = {
      ...Object.fromEntries(config.env.map((line) => line.split(/=(.*)/s).slice(0, 2))),
      ...environmentOf({ ...database, dataDir: '/data' }),
      PORT: String(port),
      // Finds the programs of the image, and those of this machine, which mount it.
      PATH: `/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      TMPDIR: '/tmp',
    };
    const command = (...args: string[]) => {
      const [file = '', ...rest] = [...run, ...args];
      return execFileSync(file, rest, { encoding: 'utf8', env: environment });
    };
    const account = [
      '--account-name',
      'Acme',
      '--subdomain',
      'acme',
      '--user-name',
      'O',
      '--user-email',
      'o@acme.example',
    ];
    const { api_key: key } = JSON.parse(command('freehold', 'setup', ...account, '--json'));
    assert.throws(() => command('freehold-health'));

    const program = new Program([...run, ...config.args], environment, port, folder);
    t.after(() => program.kill());
    await program.serving();
    command('freehold-health');
    assert.equal((await program.service.createPage(key, { name: 'Home', body: '<p>Hello</p>' })).status, 200);
    const site = await program.service.request('GET', '/', { headers: { Host: `acme.localhost:${port}` } });
    assert.match(site.text, /<p>Hello<\/p>/);
    assert.throws(() => command('sh', '-c', 'echo > /usr/local/x'), /Read-only file system/);

    // Images are decoded by a child process with native libraries.
    const decode = `
      import { mkdirSync, writeFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const home = '/usr/local/lib/node_modules/freehold/';
      const { ImageDecoder } = await import(home + 'lib/media/image-decoder.js');
      const sharp = createRequire(home)('sharp');
      await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } }).png().toFile('/tmp/a.png');
      mkdirSync('/tmp/made');
      const decoder = new ImageDecoder();
      const job = { path: '/tmp/a.png', kind: 'png', hash: 'a', folder: '/tmp/made' };
      console.log(JSON.stringify(await decoder.make(job, { maxCpuMs: 60_000, maxWallMs: 60_000 })));
      decoder.close();`;
    const made = JSON.parse(command('node', '--input-type=module', '-e', decode));
    assert.deepEqual([made.width, made.height], [40, 30]);

    assert.deepEqual(JSON.parse(command('freehold', 'doctor', '--json')).problems, []);
    assert.deepEqual(await program.stop(), { code: 0, signal: null });
  });
}
