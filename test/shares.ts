import { globSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { before } from 'node:test';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');

/** Patterns of the test files that run together, by the folder of their shares. */
const filesOfShares: Readonly<Record<string, string>> = {
  'test/together': '{src,admin,test}/**/*.test.ts',
  'e2e/together': 'e2e/*.test.ts',
};

/**
 * Loads a share of the test files, which then run in one process: with a process for each file, loading the modules would take
 * longer than the tests. The folder of `file` has one file for each share; `file` selects the share.
 */
export async function loadShare(file: string): Promise<void> {
  // No test starts before all files are loaded. Then all tests are shuffled together, and none runs while modules load.
  const loading = Promise.withResolvers<void>();
  before(() => loading.promise);
  const imports = shareOf(file).map((each) => `import ${JSON.stringify(pathToFileURL(join(root, each)).href)};`);
  try {
    await import(`data:text/javascript,${encodeURIComponent(imports.join('\n'))}`);
  } catch (error) {
    // Otherwise the first test would wait until its timeout, and nothing would say which file failed.
    console.error(error);
    process.exit(1);
  }
  loading.resolve();
}

/** Returns the test files of the share that `file` selects. */
export function shareOf(file: string): string[] {
  const folder = dirname(resolve(root, file));
  const shares = globSync('*.test.ts', { cwd: folder }).sort();
  const pattern = filesOfShares[relative(root, folder).replaceAll(sep, '/')];
  if (pattern === undefined) throw new Error(`No test files run together in ${folder}.`);
  const exclude = ['**/node_modules/**', '**/*.alone.test.ts', '**/together/**'];
  const files = globSync(pattern, { cwd: root, exclude }).sort();
  return files.filter((_, index) => shares[index % shares.length] === basename(file));
}
