import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRunTimeLock } from './run-time-lock.ts';

/*
 * `npm run --silent sbom` prints all packages that the service loads, for all systems that it runs on, as a CycloneDX document.
 */

const parent = mkdtempSync(join(tmpdir(), 'freehold-sbom-'));
try {
  // npm names the document after the folder.
  const folder = join(parent, 'freehold');
  mkdirSync(folder);
  writeRunTimeLock(folder);
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  execFileSync('npm', ['sbom', '--package-lock-only', ...format], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(parent, { recursive: true });
}
