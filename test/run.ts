import { hash, randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';

/*
 * All tests, in random order, as `node --test --test-randomize` runs them, but that files with a browser come first. They
 * take longest: one of them that began last would be waited for while every other processor has nothing to do.
 */

const { values } = parseArgs({ options: { 'test-random-seed': { type: 'string' } } });
const seed = Number(values['test-random-seed'] ?? randomInt(2 ** 32));

const root = join(import.meta.dirname, '..');
const places = globSync('{src,test,e2e}/**/*.test.ts', { cwd: root })
  .map((file) => ({ file, place: `${hasBrowser(file) ? 1 : 2} ${hash('sha1', `${seed} ${file}`)}` }))
  .sort((one, other) => (one.place < other.place ? -1 : 1));

// The types do not know of the set-up yet.
const options: RunOptions & { globalSetupPath: string } = {
  cwd: root,
  files: places.map(({ file }) => join(root, file)),
  concurrency: 3,
  timeout: 240_000,
  globalSetupPath: join(import.meta.dirname, 'global-setup.ts'),
  // Of the tests within each file.
  execArgv: ['--test-randomize', `--test-random-seed=${seed}`],
};
run(options)
  .on('test:summary', ({ file, success }) => {
    if (file === undefined && !success) process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
process.stdout.write(`Random order: --test-random-seed=${seed}\n`);

function hasBrowser(file: string): boolean {
  return /(?:browser|house|writing)\.ts'/.test(readFileSync(join(root, file), 'utf8'));
}
