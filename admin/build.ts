import { hash } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/*
 * Builds the admin app into `admin/dist`, unless the build there has the hash of the current sources. Run by `npm ci`
 * (`postprepare`) and before `npm start`, where it takes only a moment if nothing has changed.
 */

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const hashFile = join(dist, 'made-from');

/** Builds `admin/dist` if the sources have changed. Safe to run in several processes at once: the last result stays. */
export async function buildAdminApp(): Promise<void> {
  const sources = hashOfSources();
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sources) return;
  // Loaded only if needed, because Vite takes longer to load than everything else here.
  const { build } = await import('vite');
  const { writeShells } = await import('./prerender.ts');
  const target = mkdtempSync(join(folder, '.dist-'));
  try {
    await build({
      root: folder,
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: target, emptyOutDir: true },
    });
    await writeShells(folder, target);
    await compressFiles(target);
    writeFileSync(join(target, 'made-from'), sources);
    // mkdtemp allows only its owner to read the folder, but the service may run as another user.
    chmodSync(target, 0o755);
    rmSync(dist, { recursive: true, force: true });
    renameSync(target, dist);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

function hashOfSources(): string {
  const sites = ['../src/sites/body/embed-address.ts', '../src/sites/body/vocabulary.ts', '../src/sites/page-title.ts'];
  const shared = [...sites, '../package-lock.json'];
  const files = globSync(['src/**/*', 'public/**/*', 'index.html', '*.ts', ...shared], {
    cwd: folder,
    withFileTypes: true,
  });
  const contents = files
    .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
    .sort()
    .map((file) => `${file.slice(folder.length)}:${hash('sha256', readFileSync(file))}`);
  return hash('sha256', contents.join('\n'));
}

const compress = { br: promisify<Buffer, Buffer>(brotliCompress), gz: promisify<Buffer, Buffer>(gzip) };

/** Writes `.br` and `.gz` files beside each text file that becomes at least 5% smaller. */
async function compressFiles(target: string): Promise<void> {
  const files = globSync('**/*.{js,css,svg}', { cwd: target });
  await Promise.all(
    files.flatMap((file) => {
      const bytes = readFileSync(join(target, file));
      return Object.entries(compress).map(async ([ending, press]) => {
        const pressed = await press(bytes);
        if (pressed.length < bytes.length * 0.95) await writeFile(join(target, `${file}.${ending}`), pressed);
      });
    }),
  );
}

if (import.meta.main) {
  await buildAdminApp().catch((error: unknown) => {
    // The service starts without the app, so that its API and sites stay up.
    process.stderr.write(`The admin app could not be built: ${error instanceof Error ? error.message : error}\n`);
  });
}
