import type { Result } from 'lighthouse';
import { leadsTo, MAX_SCRIPT_BYTES, readAdminRoutes } from '../test/admin-routes.ts';
import { launchBrowser } from '../test/browser.ts';
import { freePort } from '../test/free-port.ts';
import { startAdminApp } from './admin-app.ts';
import { askLighthouse, failedAudits, scoresOf } from './lighthouse.ts';
import { measureTyping } from './typing.ts';

/*
 * Runs Lighthouse with its mobile settings on every screen of the admin app as the service serves it, and measures typing in long
 * pages. Exits with 1 if a screen is slower or heavier than allowed, or if any score other than performance is not perfect.
 */

const categories = ['performance', 'accessibility', 'best-practices'] as const;

/** The limit for both the first and the largest contentful paint. */
const MAX_PAINT_MS = 1500;

/** The highest cumulative layout shift: half of what browsers' vendors call good. */
const MAX_LAYOUT_SHIFT = 0.05;

const app = await startAdminApp();

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly isSignedOut?: boolean;
  readonly isEditor?: boolean;
}

const screens: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', isSignedOut: true },
  { name: 'pages', path: '/pages' },
  { name: 'visual editor', path: `/pages/${app.firstPageId}`, isEditor: true },
  { name: 'Markdown editor', path: `/pages/${app.longPageId}`, isEditor: true },
  { name: 'earlier versions', path: `/pages/${app.longPageId}/revisions` },
  { name: 'import of pages', path: '/pages/import' },
  { name: 'images', path: '/images' },
  { name: 'trash', path: '/trash' },
  { name: 'trash: images', path: '/trash/images' },
  { name: 'agency: overview', path: '/overview' },
  { name: 'agency: customers', path: '/customers' },
  { name: 'agency: new customer', path: '/customers/new' },
  { name: 'agency: import of customers', path: '/customers/import' },
  { name: 'agency: plans', path: '/plans' },
  { name: 'agency: templates', path: '/templates' },
  { name: 'agency: brand', path: '/brand' },
  { name: 'agency: address', path: '/brand/address' },
  { name: 'agency: messages', path: '/brand/messages' },
  { name: 'agency: revenue', path: '/revenue' },
  { name: 'agency: behind a figure', path: '/revenue/customers' },
  { name: 'settings: site', path: '/settings/site' },
  { name: 'settings: look', path: '/settings/look' },
  { name: 'settings: domains', path: '/settings/domains' },
  { name: 'settings: people', path: '/settings/people' },
  { name: 'settings: keys', path: '/settings/keys' },
  { name: 'settings: webhooks', path: '/settings/webhooks' },
  { name: 'settings: archive', path: '/settings/archive' },
  { name: 'settings: log', path: '/settings/log' },
  { name: 'settings: you', path: '/settings/you' },
  { name: 'front door', path: '/', isSignedOut: true },
  { name: 'forgotten password', path: '/forgotten-password', isSignedOut: true },
  { name: 'new password', path: `/reset-password#token=${app.linkToken}`, isSignedOut: true },
  { name: 'new mail address', path: `/confirm-email#token=${app.emailToken}`, isSignedOut: true },
];

/** Screens that need a particular object, a client that asks for access, or a first start. Browser tests cover them instead. */
const OF_ONE_THING = [
  '/customers/:id',
  '/customers/import/:id',
  '/templates/:id',
  '/templates/:id/pushes/:push',
  '/welcome',
  '/authorize',
];

const only = process.argv[2];
const port = await freePort();
const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
let wrong = 0;
try {
  for (const route of readAdminRoutes()) {
    if (OF_ONE_THING.includes(route.path)) continue;
    if (!screens.some(({ path }) => leadsTo(route, path))) throw new Error(`Nothing of ${route.path} is looked at`);
  }
  for (const screen of screens.filter(({ name }) => !only || name.includes(only))) {
    const cookie = screen.isSignedOut ? undefined : `session=${app.token}`;
    const lhr = await askLighthouse(app.url + screen.path, { port, categories, cookie });
    const { line, findings } = judge(screen, lhr);
    console.log(line);
    for (const finding of findings) console.log(`  ${finding}`);
    wrong += findings.length;
  }
  if (!only || 'typing'.includes(only)) wrong += await measureTyping(browser, app);
} finally {
  await browser.close();
  await app.stop();
}
console.log(wrong === 0 ? 'Nothing found.' : `${wrong} to mend.`);
process.exitCode = wrong === 0 ? 0 : 1;

function judge(screen: Screen, lhr: Result): { line: string; findings: string[] } {
  const of = (id: string) => lhr.audits[id]?.numericValue ?? Number.NaN;
  const seconds = (id: string) => `${(of(id) / 1000).toFixed(2)} s`;
  const script = scriptBytes(lhr);
  const scores = scoresOf(lhr, categories);
  const findings = failedAudits(lhr);
  for (const id of ['first-contentful-paint', 'largest-contentful-paint']) {
    if (!(of(id) < MAX_PAINT_MS)) findings.push(`${id} after ${seconds(id)}`);
  }
  if (!(of('cumulative-layout-shift') < MAX_LAYOUT_SHIFT))
    findings.push(`it moves by ${of('cumulative-layout-shift')}`);
  if (!screen.isEditor && script >= MAX_SCRIPT_BYTES) findings.push(`${script} bytes of JavaScript`);
  for (const [index, name] of categories.entries()) {
    if (name !== 'performance' && scores[index]! < 100) findings.push(`${name} is ${scores[index]}`);
  }
  const line = [
    `${screen.name}: FCP ${seconds('first-contentful-paint')}`,
    `LCP ${seconds('largest-contentful-paint')}`,
    `speed index ${seconds('speed-index')}`,
    `TBT ${Math.round(of('total-blocking-time'))} ms`,
    `CLS ${of('cumulative-layout-shift').toFixed(3)}`,
    `${(script / 1000).toFixed(0)} KB of JavaScript`,
    ...categories.map((name, index) => `${name} ${scores[index]}`),
  ];
  return { line: line.join(', '), findings };
}

function scriptBytes(lhr: Result): number {
  const { details } = lhr.audits['network-requests']!;
  if (details?.type !== 'table') throw new Error('Lighthouse told nothing of requests');
  return details.items
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + Number(transferSize), 0);
}
