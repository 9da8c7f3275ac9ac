import { hash } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/*
 * Builds the admin app into `admin/dist`, unless what is there was made from these very sources. Run by `npm ci`
 * (`postprepare`) and before `npm start`, where it takes a moment if there is nothing to do.
 */

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const stamp = join(dist, 'made-from');

/** Makes `admin/dist` what the sources say. Several processes may do so at once: the last one's result stays. */
export async function buildAdminApp(): Promise<void> {
  const sources = hashOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  // Only now: Vite takes longer to load than all the rest of this.
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
    // Temporary folders are for their owner alone; the service may run as somebody else.
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

/** Puts `.br` and `.gz` beside every text that gets much smaller by it. */
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
    // The service itself does not need the app: its API and its sites must not stay down for it.
    process.stderr.write(`The admin app could not be built: ${error instanceof Error ? error.message : error}\n`);
  });
}
