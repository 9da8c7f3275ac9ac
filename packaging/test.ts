import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../test/package.ts';

/*
 * `npm run test:package [FILE...]` makes the package, installs it with npm as a user would, and runs the tests of `src` with the
 * package's modules and server instead of those in the checkout.
 */

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'freehold-package-'));
try {
  execFileSync('npm', ['install', '--global', '--prefix', folder, '--prefer-offline', pack(folder)], {
    stdio: 'inherit',
  });
  const files = process.argv.length > 2 ? process.argv.slice(2) : ['src/**/*.test.ts'];
  const { status } = spawnSync('npm', ['run', '--silent', 'test:file', '--', '--test-concurrency=3', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FREEHOLD_PACKAGE: join(folder, 'lib/node_modules/freehold'),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'use-package.js')}`,
    },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
