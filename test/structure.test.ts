import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';

/*
 * The table of permitted imports. A name stands for one file, or for a folder and everything in it. Each place may import what
 * its list names, and lists name only places above theirs, so that there are no circles between places. A test below finds
 * circles between files. ARCHITECTURE.md describes the table in words.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  // Small tools that belong to no feature.
  'addresses.ts': [],
  'field-error.ts': [],
  'errors.ts': ['field-error.ts'],
  'refusal.ts': ['errors.ts'],
  'html.ts': [],
  'oklch.ts': [],
  'colour.ts': [],
  'accent-tokens.ts': ['oklch.ts'],
  'normal-form.ts': [],
  'fold.ts': ['normal-form.ts'],
  'megabytes.ts': [],
  'english.ts': ['field-error.ts', 'megabytes.ts'],
  'refusal-words.ts': ['errors.ts', 'refusal.ts', 'megabytes.ts'],
  'public-address.ts': [],
  'name.ts': ['field-error.ts'],
  'csv.ts': [],
  'query.ts': [],
  'parse-id.ts': [],
  'parse-time.ts': [],
  'closest-language.ts': [],
  'make-folder.ts': [],
  'json-lines.ts': [],
  'file-problem.ts': ['errors.ts'],
  'replace-file.ts': ['errors.ts', 'file-problem.ts'],
  'time-buckets.ts': [],
  'counts.ts': ['time-buckets.ts'],
  'fair-semaphore.ts': [],
  'trace.ts': [],
  'spans.ts': ['trace.ts'],
  'text-growth.ts': [],
  'worker-thread.ts': [],
  'collect-garbage.js': [],
  'thread-heap.js': ['collect-garbage.js'],
  'serve-worker.js': ['thread-heap.js'],
  'program.js': [],
  'compile-cache.js': ['program.js'],
  'config-values.ts': [],
  'config-options.ts': ['config-values.ts'],
  'config.ts': ['config-options.ts', 'config-values.ts', 'errors.ts', 'program.js'],
  'environment.ts': ['config-values.ts', 'config.ts', 'errors.ts', 'file-problem.ts'],
  db: [
    'errors.ts',
    'file-problem.ts',
    'normal-form.ts',
    'make-folder.ts',
    'counts.ts',
    'fair-semaphore.ts',
    'worker-thread.ts',
    'serve-worker.js',
    'trace.ts',
    'spans.ts',
  ],

  // Features: the domain, and nothing of HTTP.
  tenancy: ['counts.ts', 'fair-semaphore.ts', 'field-error.ts', 'errors.ts', 'db'],
  audit: ['db', 'tenancy', 'trace.ts'],
  removals: ['errors.ts', 'refusal.ts', 'db'],
  'api-keys': ['db', 'errors.ts', 'name.ts', 'removals'],
  'brands/brand-of.ts': [],
  'brands/brand-image.ts': [],
  mail: [
    ...['audit', 'tenancy'],
    'accent-tokens.ts',
    'addresses.ts',
    'brands/brand-of.ts',
    'brands/brand-image.ts',
    'db',
    'errors.ts',
    'html.ts',
    'make-folder.ts',
    'megabytes.ts',
    'trace.ts',
    'spans.ts',
  ],
  'media/media-name.ts': [],
  'revenue/days.ts': [],
  'revenue/get-time-zone.ts': ['db'],
  plans: ['field-error.ts', 'errors.ts', 'refusal.ts', 'name.ts', 'db', 'tenancy', 'audit'],
  'api-keys/admit-key.ts': ['db', 'tenancy', 'audit', 'api-keys'],
  pages: [
    'parse-id.ts',
    'closest-language.ts',
    'normal-form.ts',
    'fold.ts',
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'html.ts',
    'name.ts',
    'parse-time.ts',
    'db',
    'tenancy',
    'audit',
    'api-keys',
    'media/media-name.ts',
    'spans.ts',
  ],
  users: [
    'normal-form.ts',
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'name.ts',
    'fair-semaphore.ts',
    'worker-thread.ts',
    'serve-worker.js',
    'db',
    'tenancy',
    'audit',
    'removals',
    'mail',
  ],
  media: [
    'public-address.ts',
    'media/media-name.ts',
    'fold.ts',
    'errors.ts',
    'refusal.ts',
    'make-folder.ts',
    'compile-cache.js',
    'config.ts',
    'db',
    'tenancy',
    'audit',
  ],
  'page-archives': [
    'text-growth.ts',
    'normal-form.ts',
    'field-error.ts',
    'errors.ts',
    'refusal-words.ts',
    'db',
    'audit',
    'pages',
    'media',
  ],
  sites: [
    'colour.ts',
    'field-error.ts',
    'errors.ts',
    'normal-form.ts',
    'html.ts',
    'worker-thread.ts',
    'serve-worker.js',
    'compile-cache.js',
    'db',
    'tenancy',
    'pages',
    'media/media-name.ts',
  ],
  brands: [
    ...[
      'accent-tokens.ts',
      'colour.ts',
      'field-error.ts',
      'errors.ts',
      'refusal.ts',
      'name.ts',
      'db',
      'tenancy',
      'audit',
    ],
    ...[
      'mail/plain-address.ts',
      'mail/mail-words.ts',
      'users/create-user.ts',
      'users/token.ts',
      'media',
      'brands/brand-of.ts',
      'brands/brand-image.ts',
    ],
  ],
  domains: [
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'fair-semaphore.ts',
    'db',
    'tenancy',
    'audit',
    'removals',
    'mail',
    'users',
  ],
  templates: [
    ...['addresses.ts', 'field-error.ts', 'errors.ts', 'refusal.ts', 'name.ts', 'db', 'tenancy', 'audit'],
    ...['pages', 'media', 'sites'],
  ],
  'site-imports': [
    ...['errors.ts', 'refusal-words.ts', 'html.ts', 'name.ts', 'text-growth.ts', 'config.ts'],
    ...['db', 'tenancy', 'audit', 'pages', 'media', 'sites', 'page-archives'],
  ],
  accounts: [
    'addresses.ts',
    'fold.ts',
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'name.ts',
    'db',
    'tenancy',
    'audit',
    'api-keys',
    'mail',
    'revenue/days.ts',
    'revenue/get-time-zone.ts',
    'plans',
    'pages',
    'users',
    'media/media.ts',
    'media/copy-images.ts',
    'media/store.ts',
    'sites',
    'templates',
  ],
  revenue: ['db', 'csv.ts', 'errors.ts', 'revenue/days.ts', 'revenue/get-time-zone.ts', 'plans'],
  'scheduled-changes': [
    ...['errors.ts', 'refusal.ts', 'db', 'tenancy', 'audit', 'removals', 'plans', 'accounts'],
    ...['revenue/days.ts', 'revenue/get-time-zone.ts'],
  ],
  impersonations: ['errors.ts', 'refusal.ts', 'db', 'tenancy', 'audit', 'mail', 'users', 'accounts'],
  customers: [
    ...['csv.ts', 'errors.ts', 'refusal.ts', 'db', 'tenancy', 'audit', 'removals', 'plans', 'users', 'domains'],
    ...['sites/primary-host.ts', 'sites/navigation.ts', 'addresses.ts', 'mail', 'accounts'],
    ...['scheduled-changes', 'impersonations'],
  ],
  'customer-imports': [
    'addresses.ts',
    'csv.ts',
    'normal-form.ts',
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'db',
    'tenancy',
    'audit',
    'media',
    'plans',
    'sites',
    'templates',
    'accounts',
  ],
  overview: ['db', 'plans', 'revenue/days.ts', 'revenue', 'accounts/unindexed-seller.ts', 'customers', 'users'],
  webhooks: [
    ...['public-address.ts', 'fair-semaphore.ts', 'field-error.ts', 'errors.ts', 'refusal.ts'],
    ...['db', 'tenancy', 'audit', 'mail', 'users'],
    ...['trace.ts', 'spans.ts', 'worker-thread.ts', 'serve-worker.js', 'compile-cache.js'],
  ],
  membership: [
    ...['errors.ts', 'refusal.ts', 'db', 'tenancy', 'audit', 'api-keys', 'users', 'accounts', 'impersonations'],
    ...['customer-imports', 'templates'],
  ],
  oauth: ['errors.ts', 'name.ts', 'db', 'tenancy', 'audit', 'api-keys', 'users', 'membership'],
  idempotency: ['db', 'errors.ts', 'tenancy', 'api-keys'],
  operations: [
    'db',
    'tenancy',
    'plans',
    'english.ts',
    'errors.ts',
    'name.ts',
    'media',
    'media/media-name.ts',
    'pages/page.ts',
    'pages/page-bytes.ts',
    'pages/page-images.ts',
    'pages/positions.ts',
    'megabytes.ts',
    'make-folder.ts',
    'json-lines.ts',
    'file-problem.ts',
    'replace-file.ts',
  ],
  'continuous-backup': [
    ...[
      'errors.ts',
      'file-problem.ts',
      'make-folder.ts',
      'replace-file.ts',
      'worker-thread.ts',
      'serve-worker.js',
      'compile-cache.js',
    ],
    ...['db', 'media', 'operations'],
  ],
  'account-archives': [
    ...[
      'colour.ts',
      'config.ts',
      'english.ts',
      'errors.ts',
      'refusal.ts',
      'field-error.ts',
      'name.ts',
      'json-lines.ts',
    ],
    ...[
      'file-problem.ts',
      'replace-file.ts',
      'make-folder.ts',
      'worker-thread.ts',
      'serve-worker.js',
      'compile-cache.js',
      'db',
      'tenancy',
    ],
    ...['audit', 'plans', 'pages', 'users', 'media', 'media/media-name.ts', 'sites', 'mail', 'brands'],
    ...['brands/brand-image.ts', 'domains', 'accounts', 'page-archives/library.ts', 'operations/tables.ts'],
  ],

  // Surfaces: they never import each other. What they share of HTTP lies in the files of http itself.
  http: [
    'db',
    'config.ts',
    'errors.ts',
    'file-problem.ts',
    'worker-thread.ts',
    'fair-semaphore.ts',
    'api-keys/find-api-key.ts',
    'users/sessions.ts',
    'media/image-maker.ts',
    'trace.ts',
    'tenancy/account-semaphore.ts',
    'tenancy/account-shares.ts',
    'tenancy/find-upper-accounts.ts',
    'tenancy/holder.ts',
  ],
  'http/health': ['http', 'db'],
  'http/internal': ['http', 'query.ts'],
  'http/admin-app': ['http', 'config.ts', 'query.ts', 'html.ts', 'db', 'brands', 'brands/brand-image.ts', 'overview'],
  'http/api': [
    'parse-id.ts',
    'counts.ts',
    'tenancy/content-version.ts',
    'tenancy/account-semaphore.ts',
    'tenancy/find-upper-accounts.ts',
    'tenancy/holder.ts',
    'tenancy/recent-snapshot.ts',
    'refusal-words.ts',
    'field-error.ts',
    'errors.ts',
    'html.ts',
    'english.ts',
    'query.ts',
    'parse-time.ts',
    'config.ts',
    'db',
    'api-keys',
    'api-keys/admit-key.ts',
    'addresses.ts',
    'audit/record-audit-event.ts',
    'audit/read-events.ts',
    'audit/event-json.ts',
    'tenancy/plan-limits.ts',
    'plans',
    'customers',
    'membership',
    'oauth',
    'domains',
    'users',
    'tenancy/lock-account.ts',
    'scheduled-changes',
    'webhooks',
    'media',
    'pages',
    'site-imports',
    'sites/body/markdown.ts',
    'sites/redirect-path.ts',
    'revenue/days.ts',
    'revenue/get-time-zone.ts',
    'revenue',
    'accounts',
    'idempotency',
    'http',
  ],
  'http/admin': [
    'site-imports',
    'webhooks',
    'account-archives',
    'addresses.ts',
    'english.ts',
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'query.ts',
    'html.ts',
    'colour.ts',
    'fair-semaphore.ts',
    'config.ts',
    'db',
    'tenancy',
    'audit/list-audit-events.ts',
    'api-keys/list-api-keys.ts',
    'api-keys/scopes.ts',
    'pages',
    'mail',
    'users',
    'media',
    'sites',
    'domains',
    'plans',
    'brands',
    'brands/brand-image.ts',
    'brands/brand-of.ts',
    'revenue/days.ts',
    'revenue/get-time-zone.ts',
    'revenue',
    'templates',
    'accounts',
    'scheduled-changes',
    'customers',
    'impersonations',
    'customer-imports',
    'overview',
    'membership',
    'oauth',
    'http',
  ],
  'http/site': [
    'counts.ts',
    'tenancy/account-semaphore.ts',
    'tenancy/find-upper-accounts.ts',
    'tenancy/holder.ts',
    'tenancy/recent-snapshot.ts',
    'http',
    'accent-tokens.ts',
    'addresses.ts',
    'closest-language.ts',
    'config.ts',
    'db',
    'normal-form.ts',
    'html.ts',
    'fair-semaphore.ts',
    'pages',
    'media',
    'media/media-name.ts',
    'query.ts',
    'sites',
  ],
  cli: [
    'parse-id.ts',
    'refusal-words.ts',
    'webhooks',
    'site-imports',
    'addresses.ts',
    'field-error.ts',
    'errors.ts',
    'refusal.ts',
    'megabytes.ts',
    'english.ts',
    'program.js',
    'compile-cache.js',
    'config.ts',
    'environment.ts',
    'db',
    'tenancy',
    'audit/record-audit-event.ts',
    'api-keys/list-api-keys.ts',
    'api-keys/scopes.ts',
    'mail',
    'pages',
    'users',
    'media',
    'sites',
    'domains',
    'plans',
    'brands',
    'revenue/days.ts',
    'revenue/get-time-zone.ts',
    'brands/brand-image.ts',
    'revenue',
    'templates',
    'accounts',
    'scheduled-changes',
    'customers',
    'impersonations',
    'customer-imports',
    'membership',
    'operations',
    'continuous-backup',
    'file-problem.ts',
    'parse-time.ts',
    'account-archives',
  ],

  // The files that assemble the program.
  'answer-large.ts': ['config.ts', 'db', 'errors.ts', 'http', 'http/api', 'http/admin', 'tenancy', 'trace.ts'],
  'answer-large-thread.js': ['serve-worker.js', 'compile-cache.js', 'answer-large.ts'],
  'app.ts': [
    ...['config.ts', 'counts.ts', 'db', 'api-keys', 'brands', 'media', 'overview', 'sites', 'tenancy'],
    ...['http', 'http/health', 'http/internal', 'http/api', 'http/admin', 'http/admin-app', 'http/site'],
  ],
  service: [
    'counts.ts',
    'fair-semaphore.ts',
    'tenancy',
    'webhooks',
    'account-archives',
    'addresses.ts',
    'collect-garbage.js',
    'config-values.ts',
    'config.ts',
    'environment.ts',
    'db',
    'errors.ts',
    'program.js',
    'audit',
    'mail',
    'media',
    'pages',
    'removals',
    'users',
    'domains',
    'accounts',
    'scheduled-changes',
    'customers',
    'impersonations',
    'templates',
    'customer-imports',
    'idempotency',
    'continuous-backup',
    'http',
    'app.ts',
    'time-buckets.ts',
    'spans.ts',
  ],
  'server.js': ['compile-cache.js', 'service'],
  'warm-up.ts': [
    'compile-cache.js',
    'answer-large.ts',
    'db',
    'media',
    'users',
    'http/api',
    'http/admin',
    'http/site',
    'service',
  ],
};

/** The places that may import each package. Other places may import its types only. */
const homes: Readonly<Record<string, string | readonly string[]>> = {
  pg: 'db',
  'node:sqlite': 'db',
  '@node-rs/argon2': 'users',
  '@simplewebauthn/server': 'users',
  '@simplewebauthn/server/helpers': 'users',
  transliteration: 'pages',
  yauzl: 'page-archives/library.ts',
  nodemailer: 'mail',
  'markdown-it': 'sites',
  htmlparser2: ['sites', 'site-imports'],
  'sanitize-html': 'sites',
  sharp: 'media',
  aws4fetch: 'media',
  '@fastify/busboy': 'http',
  '@modelcontextprotocol/server': 'http/api/mcp/library.ts',
  valibot: 'http',
  'node:https': 'http',
  pino: 'service',
  'prom-client': 'service',
  'node:cluster': 'service',
};

/** Verbs that record no event: drafts are saved at every pause in typing, and mail is no act of an account. */
const unrecordedVerbs = [
  'pages/drafts.ts: saveDraft',
  'pages/drafts.ts: updateDraft',
  'pages/drafts.ts: discardDraft',
  'mail/retry-mail.ts: retryMail',
];

const root = join(import.meta.dirname, '..');
const src = join(root, 'src');
const files = globSync('**/*.{ts,js}', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
const adminImports = globSync('**/*.{ts,tsx}', {
  cwd: join(root, 'admin'),
  exclude: ['dist/**', '**/*.test.ts'],
}).flatMap((file) => {
  const text = readFileSync(join(root, 'admin', file), 'utf8');
  const found = text.matchAll(/^((?:import|export)(?: type)?)\b(?:[^;'"]*? from)? ?'([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...found].map(([, statement, name, call]) => ({ file, specifier: (name ?? call)!, statement }));
});
const imports = files.flatMap((file) => importsOf(file).map((found) => ({ file, ...found })));

test('every file of src has a place in the table of permitted imports', () => {
  assert.deepEqual(
    files.filter((file) => placeOf(file) === undefined),
    [],
  );
});

test('files import only what the table of permitted imports allows', () => {
  const wrong = imports
    .filter(({ file, path }) => path !== undefined && !isAllowed(file, path))
    .map(({ file, path }) => `${file} imports ${path}`);
  assert.deepEqual(wrong, []);
});

test('the table of permitted imports allows nothing unneeded, and its lists name only places above', () => {
  const places = Object.keys(arrows);
  const importsByPlace = Map.groupBy(imports, ({ file }) => placeOf(file));
  for (const [place, allowed] of Object.entries(arrows)) {
    for (const other of allowed) {
      const isUsed = importsByPlace.get(place)?.some(({ path }) => path && isIn(path, other));
      assert.ok(isUsed, `${place} does not import ${other} any more`);
      assert.ok(places.indexOf(placeOf(other)!) < places.indexOf(place), `${other} must stand above ${place}`);
    }
  }
});

test('no files of src or of the admin app import each other in a circle, even for types', () => {
  const circles = circlesIn(importGraph());
  assert.equal(
    circles.length,
    0,
    ['Files import each other in a circle:', ...circles.map((circle) => circle.join('\n  → '))].join('\n'),
  );
});

test('the check of imports finds a circle from any start and reports its path', () => {
  const graph = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['d', 'b']],
    ['d', []],
    ['e', ['e']],
  ]);
  assert.deepEqual(circlesIn(graph), [
    ['b', 'c', 'b'],
    ['e', 'e'],
  ]);
});

test('packages are imported only in the places that may use them', () => {
  const wrong = imports
    .filter(({ specifier, typeOnly }) => !typeOnly && Object.hasOwn(homes, specifier))
    .filter(({ file, specifier }) => ![homes[specifier]!].flat().some((home) => isIn(file, home)))
    .map(({ file, specifier }) => `${file} imports ${specifier}`);
  assert.deepEqual(wrong, []);
});

test('the library for assistants, which takes 31 MB, is loaded only with their first message', () => {
  const eager = files.filter((file) => /^import (?!type )[^;]*\/answer-message\.ts';/m.test(sources.get(file)!));
  assert.deepEqual(eager, []);
});

test('the code that serves requests, which takes 25 MB, is loaded only by processes that serve', () => {
  const eager = files.filter((file) => /^import (?!type )[^;]*'[^']*\/serve\.ts';/m.test(sources.get(file)!));
  assert.deepEqual(eager, []);
});

test('node:http is imported only for its types', () => {
  // See http/node-http.ts.
  const importers = imports.filter(({ specifier, typeOnly }) => specifier === 'node:http' && !typeOnly);
  assert.deepEqual(importers, []);
});

test('only the service and the command line read the environment and the arguments', () => {
  const readers = files.filter((file) => /process\s*\.\s*(env|argv)\b/.test(sources.get(file)!));
  assert.deepEqual(
    readers.filter((file) => !isIn(file, 'service') && file !== 'cli/main.js'),
    [],
  );
});

test('the dependencies are exactly the packages that src imports, and all others are for development', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // These are bundled into the package: see packaging/build.ts.
  const bundled = ['@modelcontextprotocol/server', 'yauzl'];
  const installed = [...packagesOf(imports)].filter((name) => !bundled.includes(name));
  assert.deepEqual(installed.sort(), Object.keys(dependencies).sort());
  // The app is built before the package is made, so its packages are for development.
  const missing = [...packagesOf(adminImports)].filter((name) => !dependencies[name] && !devDependencies[name]);
  assert.deepEqual(missing, []);
});

test('the admin app imports from the service only the types of the contract and three rules of the sites', () => {
  const foreign = adminImports.filter(({ file, specifier }) => !isWithin(file, specifier));
  assert.deepEqual(foreign, [
    { file: 'src/body-vocabulary.ts', specifier: '../../src/sites/body/vocabulary.ts', statement: 'export' },
    { file: 'src/contract.ts', specifier: '../../src/http/admin/contract.ts', statement: 'export type' },
    { file: 'src/embeds.ts', specifier: '../../src/sites/body/embed-address.ts', statement: 'export' },
    { file: 'src/page-title.ts', specifier: '../../src/sites/page-title.ts', statement: 'export' },
  ]);
  const build = readFileSync(join(root, 'admin/build.ts'), 'utf8');
  for (const file of ['sites/body/embed-address.ts', 'sites/body/vocabulary.ts', 'sites/page-title.ts']) {
    // The file brings nothing else to the browser.
    assert.deepEqual(importsOf(file), []);
    assert.ok(build.includes(`'../src/${file}'`), file);
  }
});

test('screens of the admin app do not import each other, and only the app itself imports screens', () => {
  const screenOf = (path: string) => /^src\/screens\/([^/]+)\//.exec(path)?.[1];
  const wrong = adminImports
    .map(({ file, specifier }) => ({ file, path: join(dirname(file), specifier) }))
    .filter(({ file, path }) => screenOf(path) !== undefined && screenOf(path) !== screenOf(file))
    .filter(({ file }) => !['src/app.tsx', 'src/screens.tsx'].includes(file))
    .map(({ file, path }) => `admin/${file} imports admin/${path}`);
  assert.deepEqual(wrong, []);
});

test('the admin surface begins transactions only where it checks the caller again', () => {
  const writers = files.filter((file) => isIn(file, 'http/admin') && /\.transaction\(/.test(sources.get(file)!));
  assert.deepEqual(writers, ['http/admin/signed-in.ts']);
});

test('only verbs record audit events, never the surfaces that call them', () => {
  const surfaces = files.filter((file) => isIn(file, 'http') || isIn(file, 'cli'));
  const recorders = surfaces.filter((file) => /\brecord(AuditEvent|Creations)\b/.test(sources.get(file)!));
  assert.deepEqual(recorders, [], 'Give the verb the actor, and record the event there, in its transaction.');
});

test('every verb that a surface calls records its audit event', () => {
  const records = (file: string) => /\brecord(\w*Event|Creations)\(/.test(sources.get(file) ?? '');
  const writes = /\b(insertInto|updateTable|deleteFrom|preparedInsert)\(|\b(insert into|delete from|update \w+ set) /;
  const ofSurfaces = imports.filter(({ file }) => ['http', 'cli', 'service'].some((place) => isIn(file, place)));
  const silent = ofSurfaces.flatMap(({ file, path }) => {
    if (path === undefined || ['http', 'db', 'idempotency', 'operations'].some((place) => isIn(path, place))) return [];
    const text = sources.get(path)!;
    const isVerb = (name: string) =>
      !/^(find|get|list|assert|lock|count|prune|purge|rebuild|refresh|record)/.test(name) &&
      new RegExp(`^export (async )?function ${name}\\(\\s*(db|trx): (Db|Trx),`, 'm').test(text);
    if (!writes.test(text) || records(path) || importsOf(path).some((other) => records(other.path ?? ''))) return [];
    const names = new RegExp(`^import \\{([^}]*)\\} from '[^']*/${basename(path)}'`, 'm').exec(sources.get(file)!);
    return (names?.[1]?.match(/\w+/g) ?? []).filter(isVerb).map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(new Set(silent), new Set(unrecordedVerbs), 'Record an event in the transaction of the change.');
});

test('ARCHITECTURE.md names every folder', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  const ignored = lines.map((line) => line.replace(/^\//, ''));
  const top = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== '.git' && !ignored.includes(`${entry.name}/`))
    .map(({ name }) => name);
  const inside = new Set(files.map((file) => `src/${dirname(file)}`).filter((folder) => folder !== 'src/.'));
  const missing = [...top, ...inside].filter((folder) => !text.includes(`\n${folder}/ `));
  assert.deepEqual(missing, []);
});

test('no source file is longer than the limit', () => {
  // Tables may be as long as their contents.
  const tables = new Set(['src/config-options.ts', 'src/db/schema.ts', 'admin/src/api.ts', 'admin/src/strings.ts']);
  const all = [...files.map((file) => `src/${file}`), ...adminImports.map(({ file }) => `admin/${file}`)];
  const long = [...new Set(all)].filter(
    (file) => !tables.has(file) && readFileSync(join(root, file), 'utf8').split('\n').length - 1 > 300,
  );
  assert.deepEqual(long, []);
});

/** Returns the imports of each file of src and of the admin app, as paths from the root. */
function importGraph(): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const paths = importsOf(file).flatMap(({ path }) => (path === undefined ? [] : [`src/${path}`]));
    graph.set(`src/${file}`, paths);
  }
  for (const { file, specifier } of adminImports.filter(({ specifier }) => specifier.startsWith('.'))) {
    const paths = graph.get(`admin/${file}`) ?? [];
    graph.set(`admin/${file}`, [...paths, join('admin', dirname(file), specifier)]);
  }
  return graph;
}

/** Returns the path around each circle that a depth-first search finds; an empty list if there is none. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file) || way.includes(file)) return;
    way.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return circles;
}

function packagesOf(statements: readonly { specifier: string }[]): Set<string> {
  const specifiers = statements.map(({ specifier }) => specifier).filter((name) => !/^(\.|node:)/.test(name));
  return new Set(specifiers.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]));
}

interface Import {
  specifier: string;
  /** The path from src; undefined for files outside it. */
  path: string | undefined;
  typeOnly: boolean;
}

function isWithin(file: string, specifier: string): boolean {
  return !specifier.startsWith('.') || !join(dirname(file), specifier).startsWith('..');
}

function importsOf(file: string): Import[] {
  const text = sources.get(file)!;
  const statements = text.matchAll(
    /^(?:import|export)(?<type> type)?\b(?:[^;'"]*? from)? '(?<name>[^']+)'|\b(?:import|require|import\.meta\.resolve)\('(?<call>[^']+)'\)/gm,
  );
  return [...statements].map(({ groups }) => {
    const specifier = groups!.name ?? groups!.call!;
    const path = specifier.startsWith('.') ? relative(src, join(src, dirname(file), specifier)) : undefined;
    // package.json lies outside src and has no place in the table.
    return { specifier, path: path?.startsWith('..') ? undefined : path, typeOnly: groups!.type !== undefined };
  });
}

/** Returns the most specific place of the table that contains the file. */
function placeOf(file: string): string | undefined {
  return Object.keys(arrows)
    .filter((place) => isIn(file, place))
    .sort((a, b) => b.length - a.length)[0];
}

function isAllowed(file: string, path: string): boolean {
  const place = placeOf(file)!;
  if (placeOf(path) === place) return true;
  // Permission for `http` covers its own files, not the surfaces below it.
  return arrows[place]!.some((allowed) => path === allowed || (isIn(path, allowed) && placeOf(path) === allowed));
}

function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}
