import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runTimePackages } from '../packaging/run-time-lock.ts';

const root = join(import.meta.dirname, '..');

/** Runs `npm pack` and returns the path of the package. */
export function pack(folder: string): string {
  const report = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [{ filename }] = JSON.parse(report.slice(report.indexOf('[\n')));
  return join(folder, filename);
}

/**
 * Installs the package into the folder like npm, but without the network: it copies only the packages that it depends on from
 * `node_modules`.
 */
export function installCopy(tarball: string, folder: string): { folder: string; packages: number; bytes: number } {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const names = installedPackages();
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true, dereference: false });
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return { folder, packages: names.length, bytes };
}

/** Returns the paths of the packages that the service needs on this machine. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return runTimePackages(packages).filter((path) => existsSync(join(root, path)));
}
