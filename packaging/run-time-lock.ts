import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface LockedPackage {
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Record<string, LockedPackage>;

/**
 * Writes a `package.json` and a `package-lock.json` that name only the packages that the service loads, in the tested versions. The
 * flags in npm's lock file are not enough: a development dependency that is also an optional peer, such as TypeScript, looks like
 * one that the service loads.
 */
export function writeRunTimeLock(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines, bin, dependencies } = manifest;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages: LockedPackages = lock.packages;
  lock.packages = Object.fromEntries(['', ...runTimePackages(packages)].map((path) => [path, packages[path]]));
  delete lock.packages[''].devDependencies;
  const write = (file: string, value: object) =>
    writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
  write('package.json', { name, version, description, license, type, engines, bin, dependencies });
  write('package-lock.json', lock);
}

/** Returns the paths of the packages that the service loads, on any system. */
export function runTimePackages(packages: LockedPackages): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    const { dependencies, optionalDependencies } = packages[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = pathOf(packages, path, name);
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit('');
  return [...found].sort();
}

/** Returns the path at which Node finds a package for its importer: in the nearest `node_modules`. */
function pathOf(packages: LockedPackages, importer: string, name: string): string | undefined {
  const folders = importer.split('/node_modules/').map((_, index, parts) => parts.slice(0, parts.length - index));
  const paths = folders.map((parts) => `${parts.join('/node_modules/')}/node_modules/${name}`);
  return [...paths, `node_modules/${name}`].find((path) => packages[path]);
}

if (import.meta.main) writeRunTimeLock(process.argv[2]!);
