import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface LockedPackage {
  dev?: true;
  devDependencies?: object;
}

/**
 * Writes a `package.json` and a `package-lock.json` that name only what the service loads, in the versions that were tested.
 * npm's own `--omit dev` is not enough for `npm sbom`: it leaves out packages that developers need as well.
 */
export function writeRunTimeLock(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines, bin, dependencies } = manifest;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = Object.entries(lock.packages as Record<string, LockedPackage>).filter(([, { dev }]) => !dev);
  lock.packages = Object.fromEntries(packages);
  delete lock.packages[''].devDependencies;
  const write = (file: string, value: object) =>
    writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
  write('package.json', { name, version, description, license, type, engines, bin, dependencies });
  write('package-lock.json', lock);
}

if (import.meta.main) writeRunTimeLock(process.argv[2]!);
