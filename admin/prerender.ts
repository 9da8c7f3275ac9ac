import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Manifest, Rolldown } from 'vite';
import { criticalCss } from './critical-css.ts';

/*
 * Writes what the main addresses show before anything is known into pages of their own, with the styles that takes. So
 * there is something to see with the first answer, while the scripts are still on their way; they then take it over.
 * src/http/admin-app/index-page.ts says which address gets which.
 */

/** What src/prerender.tsx exports. */
interface Renderer {
  prerender(path: string, screen: string | undefined): Promise<string>;
  readonly titles: Readonly<Record<Title | Section, string>>;
}

type Title =
  | 'signIn'
  | 'forgottenPassword'
  | 'newPassword'
  | 'confirmEmail'
  | 'pages'
  | 'revisions'
  | 'images'
  | 'settings';
type Section = 'site' | 'look' | 'domains' | 'people' | 'keys' | 'log' | 'you';

interface Shell {
  readonly name: string;
  readonly path: string;
  readonly title: Title | Section | undefined;
  /** What the screen asks the service for first. */
  readonly requests: readonly string[];
  /** Where it is not part of the first script: its name in src/screens.tsx. */
  readonly screen?: string;
  /** The script that stands in it: its name in src/before-app. */
  readonly script?: string;
  /** What is read there at once is set in it from the start: how its file is called. */
  readonly font?: string;
}

const shells: readonly Shell[] = [
  { name: 'sign-in', path: '/sign-in', title: 'signIn', requests: [] },
  { name: 'forgotten-password', path: '/forgotten-password', title: 'forgottenPassword', requests: [] },
  { name: 'reset-password', path: '/reset-password', title: 'newPassword', requests: [] },
  {
    name: 'confirm-email',
    path: '/confirm-email',
    title: 'confirmEmail',
    requests: [],
    screen: 'sign-in/confirm-email',
    script: 'confirm-email',
  },
  {
    name: 'pages',
    path: '/pages',
    title: 'pages',
    requests: ['/admin/session', '/admin/pages?parent=0&after=0&limit=200'],
  },
  {
    name: 'editor',
    path: '/pages/1',
    title: undefined,
    // The service puts the page's number there.
    requests: ['/admin/session', '/admin/pages/PAGE'],
    screen: 'editor/editor-screen',
    script: 'editor',
    font: 'inter-latin-wght-normal',
  },
  {
    name: 'revisions',
    path: '/pages/1/revisions',
    title: 'revisions',
    requests: ['/admin/session', '/admin/pages/PAGE', '/admin/pages/PAGE/revisions'],
    screen: 'editor/history/revisions-screen',
  },
  {
    name: 'images',
    path: '/images',
    title: 'images',
    requests: ['/admin/session', '/admin/media'],
    screen: 'images/images-screen',
  },
  settings(undefined, []),
  settings('site', []),
  settings('look', []),
  settings('people', ['/admin/users']),
  settings('keys', ['/admin/keys']),
  settings('domains', ['/admin/domains']),
  settings('log', ['/admin/log']),
  settings('you', ['/admin/passkeys', '/admin/sessions']),
];

function settings(section: Section | undefined, requests: readonly string[]): Shell {
  return {
    name: section ? `settings-${section}` : 'settings',
    path: section ? `/settings/${section}` : '/settings',
    title: section ?? 'settings',
    requests: ['/admin/session', ...requests],
    screen: 'settings/settings-screen',
  };
}

/** Puts a page for each of them beside the `index.html` of the folder, which has been built. */
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
  const sheet = /<link rel="stylesheet"[^>]* href="([^"]+)"[^>]*>/.exec(index)!;
  const css = readFileSync(join(target, sheet[1]!), 'utf8');
  const scripts = index.match(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g)!;
  const without = scripts.reduce((html, tag) => html.replace(tag, ''), index).replace(/^\s+\n/gm, '');
  const everyScreen = await buildScript(root, 'every-screen');
  for (const { name, path, title, requests, screen, script, font } of shells) {
    const { body, styles } = withoutStyleAttributes(await prerender(path, screen));
    const files = filesOf(manifest, screen);
    const sheets = files.filter(isSheet).map((file) => readFileSync(join(target, file), 'utf8'));
    const face = font && new RegExp(`@font-face\\{[^}]*url\\(([^)]*${font}[^)]*)\\)[^}]*\\}`).exec(css);
    if (font && !face) throw new Error(`There is no ${font}`);
    const head = [
      `<style nonce="NONCE">${face ? face[0] : ''}${criticalCss([css, ...sheets].join(''), body)}${styles}</style>`,
      ...(face ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="${face[1]}">`] : []),
      ...requests.map(
        (request) => `<link rel="preload" as="fetch" crossorigin href="${request.replaceAll('&', '&amp;')}">`,
      ),
    ];
    const rest = [
      sheet[0].replace('rel="stylesheet"', 'rel="preload" as="style"'),
      ...scripts,
      ...files.map((file) =>
        isSheet(file)
          ? `<link rel="preload" as="style" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}" nonce="NONCE">`,
      ),
    ];
    const first = script ? await buildScript(root, script) : everyScreen;
    const html = without
      .replace(sheet[0], () => head.join('\n    '))
      .replace('<div id="root"></div>', () => `<div id="root"${screen ? ` data-screen="${screen}"` : ''}>${body}</div>`)
      .replace(
        '</body>',
        () => `  <template id="rest">${rest.join('')}</template>\n    <script>${first}</script>\n  </body>`,
      )
      .replace(/<title>(.*)<\/title>/, (all, product) =>
        title ? `<title>${titles[title]} · ${product}</title>` : all,
      );
    writeFileSync(join(target, `${name}.html`), html);
  }
}

/**
 * The policy refuses attributes with styles, so they come as rules; src/main.tsx makes them the elements' own before the
 * app looks at these.
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

/** A script as it stands in a page: whole, and in a scope of its own. */
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
  // The policy knows it by its hash, and the service fills in what is in capitals.
  if (/<\/script|<!--|NONCE|PAGE/.test(code)) throw new Error(`${name} cannot stand in a page`);
  return code.trim();
}

/** The app as a module for this process. */
async function buildRenderer(root: string, folder: string): Promise<Renderer> {
  const { build } = await import('vite');
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    // Made for bundlers: Node does not find its files.
    ssr: { noExternal: [/^@atlaskit\//] },
    build: { ssr: 'src/prerender.tsx', outDir: folder, emptyOutDir: true, manifest: false, copyPublicDir: false },
  });
  return import(pathToFileURL(join(folder, 'prerender.js')).href);
}

/** The scripts and style sheets that a lazy screen needs besides those of the first: it is shown when it has them all. */
function filesOf(manifest: Manifest, screen: string | undefined): string[] {
  if (!screen) return [];
  const first = reach(manifest, 'index.html');
  const more = [...reach(manifest, `src/screens/${screen}.tsx`)]
    .filter((name) => !first.has(name))
    .map((name) => manifest[name]!);
  return more.flatMap(({ file, css = [] }) => [file, ...css]);
}

const isSheet = (file: string) => file.endsWith('.css');

function reach(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of manifest[name]?.imports ?? []) reach(manifest, next, found);
  return found;
}
