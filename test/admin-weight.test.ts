import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Manifest } from 'vite';
import { buildAdminApp } from '../admin/build.ts';
import { EDITOR, MAX_SCRIPT_BYTES, readAdminRoutes } from './admin-routes.ts';

/*
 * The JavaScript that each screen of the admin app loads, compressed as the service sends it. Chunks that a screen may import
 * later are included, since its content may need them.
 */

const dist = join(import.meta.dirname, '..', 'admin', 'dist');

test('every screen but the editors takes less than 300 KB of compressed JavaScript', async (t) => {
  await buildAdminApp();
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const routes = readAdminRoutes();
  const screens = new Set(routes.map(({ module }) => module));
  const heavy = routes.filter(({ path, module }) => {
    const chunks = reach(manifest, 'index.html', screens);
    if (module) reach(manifest, module, new Set(), chunks);
    const bytes = [...chunks].reduce((sum, name) => sum + sizeOf(manifest[name]!.file), 0);
    t.diagnostic(`${path}: ${bytes} bytes`);
    return bytes >= MAX_SCRIPT_BYTES;
  });
  // Remove a screen from this list once it is light enough.
  assert.deepEqual(
    heavy.map(({ module }) => module),
    [EDITOR],
  );
});

test('every screen has a first view, which the service sends with the page', async () => {
  await buildAdminApp();
  const without = readAdminRoutes().filter(({ path }) => {
    const sections = path.endsWith('/:section?')
      ? [path.replace('/:section?', ''), path.replace(':section?', 'you')]
      : [path];
    return sections.some(
      (one) => !existsSync(join(dist, `${one.slice(1).replace(/:\w+/g, 'ID').replaceAll('/', '-')}.html`)),
    );
  });
  assert.deepEqual(
    without.map(({ path }) => path),
    // A redirect.
    ['/'],
  );
});

test('an admin route that cannot be read fails the check of sizes', () => {
  const read = (route: string) => readAdminRoutes(`const Far = screens['far/screen'];\n${route}`);
  assert.deepEqual(read('<Route path="/far/:id">{({ id }) => <Far id={id} />}</Route>'), [
    { path: '/far/:id', module: 'src/screens/far/screen.tsx' },
  ]);
  assert.throws(() => read('<Route path={far} component={Far} />'), /cannot be read/);
  assert.throws(() => read('<Route path="/far">nothing</Route>'), /cannot be read/);
  assert.throws(() => read('<Route path="/near" component={Near} />'), /no route to Far/);
  assert.throws(() => read("<Route path='/far' component={screens['far/other']} />"), /another way/);
});

/** Returns the chunk and everything that it imports, statically or later, except the chunks that are left out. */
function reach(
  manifest: Manifest,
  name: string,
  leftOut: ReadonlySet<string | undefined>,
  found = new Set<string>(),
): Set<string> {
  const chunk = manifest[name];
  assert.ok(chunk, `${name} has not been built`);
  if (found.has(name)) return found;
  found.add(name);
  for (const next of chunk.imports ?? []) reach(manifest, next, leftOut, found);
  for (const next of chunk.dynamicImports ?? []) if (!leftOut.has(next)) reach(manifest, next, leftOut, found);
  return found;
}

/** The size as it is sent: small files are not compressed. */
function sizeOf(file: string): number {
  const compressed = join(dist, `${file}.br`);
  return statSync(existsSync(compressed) ? compressed : join(dist, file)).size;
}
