import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildAdminApp } from '../admin/build.ts';

/*
 * Builds what `npm pack` puts into the package besides documents: the admin app, and the sources compiled to `lib`, since
 * Node.js strips no types below `node_modules`. Run by `npm pack` itself (`prepack`).
 */

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache');

await buildAdminApp();
compileSources();

function compileSources(): void {
  mkdirSync(cache, { recursive: true });
  const target = mkdtempSync(join(cache, 'lib-'));
  try {
    // `npm run check` has checked the types.
    const options = ['-p', join(root, 'packaging'), '--outDir', target, '--noCheck'];
    execFileSync(join(root, 'node_modules/.bin/tsc'), options, { stdio: 'inherit' });
    // What the compiler leaves alone: style sheets and pictures, and the script of the API's page, which is for browsers.
    for (const file of globSync('**/*.{css,json,svg}', { cwd: join(root, 'src') }).concat('http/api/docs/docs.js')) {
      cpSync(join(root, 'src', file), join(target, file));
    }
    writeFileSync(join(target, 'third-party-notices.md'), notices());
    // Temporary folders are for their owner alone.
    chmodSync(target, 0o755);
    const lib = join(root, 'lib');
    rmSync(lib, { recursive: true, force: true });
    renameSync(target, lib);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** The licences of what Vite has put into the admin app. What the service loads is installed with its own. */
function notices(): string {
  const licenses = readFileSync(join(root, 'admin/dist/.vite/license.md'), 'utf8');
  return licenses.replace(
    /^# .*\n\n.*\n/,
    '# Third-party software in the admin app\n\nThe packages that the service loads are installed beside it, each with its own licence.\n',
  );
}
