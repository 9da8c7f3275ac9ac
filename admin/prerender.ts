import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Manifest, Rolldown } from 'vite';
import { criticalCss } from './critical-css.ts';

/*
 * Prerenders the first view of the main addresses as HTML pages, with its styles. So users see the screen with the first
 * answer, while the scripts still load. The scripts then hydrate it.
 */

/** The exports of src/prerender.tsx. */
interface Renderer {
  prerender(path: string, screen: string | undefined): Promise<string>;
  readonly titles: Readonly<Record<Title | Section, string>>;
}

type Title =
  | 'signIn'
  | 'forgottenPassword'
  | 'newPassword'
  | 'confirmEmail'
  | 'welcome'
  | 'pages'
  | 'revisions'
  | 'images'
  | 'trash'
  | 'overview'
  | 'customers'
  | 'newCustomer'
  | 'plans'
  | 'templates'
  | 'revenue'
  | 'brand'
  | 'messages'
  | 'address'
  | 'authorize'
  | 'settings';
type Section = 'site' | 'look' | 'domains' | 'people' | 'keys' | 'webhooks' | 'log' | 'archive' | 'you';

interface Shell {
  readonly path: string;
  readonly title: Title | Section | undefined;
  /** The screen's first requests. The service replaces ID by the last number in the address. */
  readonly requests?: readonly string[];
  /** The screen's name in src/screens.tsx, if the first script does not contain it. */
  readonly screen?: string;
  /** The name of the page's inline script in src/before-app. */
  readonly script?: string;
  /** The file name of a font that is needed at once. */
  readonly font?: string;
}

const shells: readonly Shell[] = [
  { path: '/sign-in', title: 'signIn' },
  { path: '/forgotten-password', title: 'forgottenPassword' },
  { path: '/reset-password', title: 'newPassword' },
  { path: '/confirm-email', title: 'confirmEmail', screen: 'sign-in/confirm-email', script: 'confirm-email' },
  { path: '/welcome', title: 'welcome', requests: ['session'], screen: 'sign-in/welcome' },
  { path: '/pages', title: 'pages', requests: ['session', 'pages?parent=0&after=0&limit=200'] },
  {
    path: '/pages/ID',
    title: undefined,
    requests: ['session', 'pages/ID'],
    screen: 'editor/editor-screen',
    script: 'editor',
    font: 'inter-latin-wght-normal',
  },
  {
    path: '/pages/ID/revisions',
    title: 'revisions',
    requests: ['session', 'pages/ID', 'pages/ID/revisions'],
    screen: 'editor/history/revisions-screen',
  },
  { path: '/pages/import', title: undefined, requests: ['session'], screen: 'pages/import/page-import-screen' },
  { path: '/images', title: 'images', requests: ['session', 'media'], screen: 'images/images-screen' },
  { path: '/trash', title: 'trash', requests: ['session', 'trash/pages'], screen: 'trash/trash-screen' },
  { path: '/trash/images', title: 'trash', requests: ['session', 'trash/images'], screen: 'trash/trash-screen' },
  { path: '/overview', title: 'overview', requests: ['session', 'overview'], screen: 'overview/overview-screen' },
  { path: '/customers', title: 'customers', requests: ['session', 'customers'], screen: 'customers/customers-screen' },
  {
    path: '/customers/new',
    title: 'newCustomer',
    requests: ['session', 'plans', 'templates'],
    screen: 'customers/new-customer-screen',
  },
  {
    path: '/customers/ID',
    title: 'customers',
    requests: ['session', 'customers/ID', 'customers/ID/notes', 'customers/ID/log'],
    screen: 'customers/customer-screen',
  },
  {
    path: '/customers/import',
    title: undefined,
    requests: ['session', 'imports'],
    screen: 'customers/import/import-screen',
  },
  {
    path: '/customers/import/ID',
    title: undefined,
    requests: ['session', 'imports/ID'],
    screen: 'customers/import/import-details-screen',
  },
  { path: '/plans', title: 'plans', requests: ['session', 'plans'], screen: 'plans/plans-screen' },
  {
    path: '/templates',
    title: 'templates',
    requests: ['session', 'templates'],
    screen: 'templates/templates-screen',
  },
  {
    path: '/templates/ID',
    title: 'templates',
    requests: ['session', 'templates', 'templates/ID/pushes'],
    screen: 'templates/template-screen',
  },
  {
    path: '/templates/ID/pushes/ID',
    title: 'templates',
    requests: ['session', 'template-pushes/ID'],
    screen: 'templates/push-screen',
  },
  { path: '/revenue', title: 'revenue', requests: ['session', 'revenue'], screen: 'revenue/revenue-screen' },
  { path: '/revenue/customers', title: 'revenue', requests: ['session'], screen: 'revenue/figure-screen' },
  { path: '/brand', title: 'brand', requests: ['session', 'brand'], screen: 'brand/brand-screen' },
  { path: '/brand/address', title: 'address', requests: ['session', 'domains'], screen: 'brand/address-screen' },
  { path: '/brand/messages', title: 'messages', requests: ['session', 'mail-words'], screen: 'brand/messages-screen' },
  { path: '/authorize', title: 'authorize', requests: ['session'], screen: 'authorize/authorize-screen' },
  settings(undefined),
  settings('site'),
  settings('look'),
  settings('people', 'users'),
  settings('keys', 'keys'),
  settings('domains', 'domains'),
  settings('webhooks', 'webhooks'),
  settings('log', 'log'),
  settings('archive', 'archive'),
  {
    path: '/settings/agency',
    title: 'settings',
    requests: ['session', 'agency-access'],
    screen: 'settings/settings-screen',
  },
  settings('you', 'passkeys', 'sessions'),
];

function settings(section: Section | undefined, ...requests: string[]): Shell {
  return {
    path: section ? `/settings/${section}` : '/settings',
    title: section ?? 'settings',
    requests: ['session', ...requests],
    screen: 'settings/settings-screen',
  };
}

/** Writes a page for each shell beside the `index.html` of the build. */
export async function writeShells(root: string, target: string): Promise<void> {
  const folder = `${target}-renderer`;
  try {
    await fillShells(root, target, await buildRenderer(root, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fillShells(root: string, target: string, { prerender, titles }: Renderer): Promise<void> {
  const index = readFileSync(join(target, 'index.html'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(target, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const [sheet, sheetPath] = /<link rel="stylesheet"[^>]* href="([^"]+)"[^>]*>/.exec(index)!;
  const css = readFileSync(join(target, sheetPath!), 'utf8');
  const scripts = index.match(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g)!;
  const withoutScripts = scripts.reduce((html, tag) => html.replace(tag, ''), index).replace(/^\s+\n/gm, '');
  const everyScreen = await buildScript(root, 'every-screen');
  for (const { path, title, requests = [], screen, script, font } of shells) {
    const { body, styles } = withoutStyleAttributes(await prerender(path.replaceAll('ID', '1'), screen));
    const files = filesOf(manifest, screen);
    const sheets = files.filter(isSheet).map((file) => readFileSync(join(target, file), 'utf8'));
    const face = font && new RegExp(`@font-face\\{[^}]*url\\(([^)]*${font}[^)]*)\\)[^}]*\\}`).exec(css);
    if (font && !face) throw new Error(`There is no ${font}`);
    const head = [
      `<style nonce="NONCE">${face ? face[0] : ''}${criticalCss([css, ...sheets].join(''), body)}${styles}</style>`,
      ...(face ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="${face[1]}">`] : []),
      ...requests.map(
        (request) => `<link rel="preload" as="fetch" crossorigin href="/admin/${request.replaceAll('&', '&amp;')}">`,
      ),
    ];
    const rest = [
      sheet.replace('rel="stylesheet"', 'rel="preload" as="style"'),
      ...scripts,
      ...files.map((file) =>
        isSheet(file)
          ? `<link rel="preload" as="style" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}" nonce="NONCE">`,
      ),
    ];
    const first = script ? await buildScript(root, script) : everyScreen;
    const html = withoutScripts
      .replace(sheet, () => head.join('\n    '))
      .replace('<div id="root"></div>', () => `<div id="root"${screen ? ` data-screen="${screen}"` : ''}>${body}</div>`)
      .replace(
        '</body>',
        () => `  <template id="rest">${rest.join('')}</template>\n    <script>${first}</script>\n  </body>`,
      )
      .replace(/<title>(.*)<\/title>/, (all, product) =>
        title ? `<title>${titles[title]} · ${product}</title>` : all,
      );
    // The service derives the file name from the address: see src/http/admin-app/index-page.ts.
    writeFileSync(join(target, `${path.slice(1).replaceAll('/', '-')}.html`), html);
  }
}

/**
 * Moves style attributes into rules, because the content security policy refuses the attributes. src/main.tsx turns the
 * rules into the elements' own styles before React hydrates them.
 */
function withoutStyleAttributes(html: string): { body: string; styles: string } {
  const rules = new Set<string>();
  const body = html.replace(/(<[^>]*?) style="([^"]*)"/g, (_, before: string, style: string) => {
    const text = style.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
    rules.add(`[data-style="${text.replaceAll('"', '\\"')}"]{${text}}`);
    return `${before} data-style="${style}"`;
  });
  return { body, styles: [...rules].join('') };
}

/** Builds a script to inline in a page: without imports, and with a scope of its own. */
async function buildScript(root: string, name: string): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: `src/before-app/${name}.ts`, formats: ['iife'], name: 'beforeApp' },
    },
  });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  const { code } = output[0];
  // The content security policy allows the script by its hash, so the service must find no placeholder in it to replace.
  if (/<\/script|<!--|NONCE|\/ID\b/.test(code)) throw new Error(`${name} cannot stand in a page`);
  return code.trim();
}

/** Builds the app as a module for this process. */
async function buildRenderer(root: string, folder: string): Promise<Renderer> {
  const { build } = await import('vite');
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    // Node cannot resolve this package's files without a bundler.
    ssr: { noExternal: [/^@atlaskit\//] },
    build: { ssr: 'src/prerender.tsx', outDir: folder, emptyOutDir: true, manifest: false, copyPublicDir: false },
  });
  return import(pathToFileURL(join(folder, 'prerender.js')).href);
}

/** Returns the scripts and style sheets that a lazy screen needs in addition to the first script's. */
function filesOf(manifest: Manifest, screen: string | undefined): string[] {
  if (!screen) return [];
  const first = collectChunks(manifest, 'index.html');
  const more = [...collectChunks(manifest, `src/screens/${screen}.tsx`)]
    .filter((name) => !first.has(name))
    .map((name) => manifest[name]!);
  return more.flatMap(({ file, css = [] }) => [file, ...css]);
}

const isSheet = (file: string) => file.endsWith('.css');

function collectChunks(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of manifest[name]?.imports ?? []) collectChunks(manifest, next, found);
  return found;
}
