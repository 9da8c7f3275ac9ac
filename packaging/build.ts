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
await compileSources();

async function compileSources(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const target = mkdtempSync(join(cache, 'lib-'));
  try {
    // `npm run check` has checked the types.
    const options = ['-p', join(root, 'packaging'), '--outDir', target, '--noCheck'];
    execFileSync(join(root, 'node_modules/.bin/tsc'), options, { stdio: 'inherit' });
    // Files that the compiler ignores: style sheets, pictures, and the script of the API's page, which is for browsers.
    for (const file of globSync('**/*.{css,json,svg}', { cwd: join(root, 'src') }).concat('http/api/docs/docs.js')) {
      cpSync(join(root, 'src', file), join(target, file));
    }
    const bundled = await bundleLibraries(target);
    writeFileSync(join(target, 'third-party-notices.md'), notices(bundled));
    // Temporary folders are readable by their owner only.
    chmodSync(target, 0o755);
    const lib = join(root, 'lib');
    rmSync(lib, { recursive: true, force: true });
    renameSync(target, lib);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/**
 * Bundles libraries into the files that import them, and returns their licences. These files use little of their libraries, which
 * as installed packages would be several times as large.
 */
async function bundleLibraries(lib: string): Promise<string> {
  const { build } = await import('vite');
  const output = mkdtempSync(join(lib, 'bundle-'));
  const files = ['http/api/mcp/library', 'page-archives/library'];
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      build: {
        ssr: true,
        outDir: output,
        target: 'node26',
        license: true,
        minify: true,
        rolldownOptions: { input: Object.fromEntries(files.map((file) => [file, join(lib, `${file}.js`)])) },
      },
      ssr: { noExternal: true },
    });
    cpSync(output, lib, { recursive: true, filter: (path) => !path.includes('.vite') });
    return readFileSync(join(output, '.vite/license.md'), 'utf8');
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Returns the licences of the packages that Vite has bundled. Other packages are installed with their own licences. */
function notices(bundled: string): string {
  const licenses = readFileSync(join(root, 'admin/dist/.vite/license.md'), 'utf8');
  const withoutTitle = (text: string) => text.replace(/^# .*\n\n.*\n/, '');
  return `# Third-party software in this package\n\nThe packages that the service loads are installed beside it, each with its own licence.\n${withoutTitle(licenses)}${withoutTitle(bundled)}`;
}
