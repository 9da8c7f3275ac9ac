import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { scratchFolder, startService } from '../bench/processes.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { themes } from '../src/sites/site.ts';
import { launchBrowser } from '../test/browser.ts';
import { freePort } from '../test/free-port.ts';
import { htmlFindings } from '../test/html-validator.ts';
import { askLighthouse, failedAudits, scoresOf } from './lighthouse.ts';
import { addSite, LONG_PAGE } from './site.ts';

/*
 * Checks the home page and a long page of every theme, as the service serves them, with Lighthouse (mobile settings), axe in light
 * and dark, html-validate and the Nu HTML checker. Exits with 1 if one finds something.
 */

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const { resolve } = createRequire(import.meta.url);
const axe = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');
const vnuJar = resolve('vnu-jar/build/dist/vnu.jar');
const run = promisify(execFile);

const folder = scratchFolder();
const config = { dataDir: folder, databaseUrl: '', databasePool: 4 };
const db = await openDatabase(config);
await migrate(db);
for (const theme of themes) await addSite(db, theme);
await db.destroy();

const debuggingPort = await freePort();
const service = await startService({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
const { port } = new URL(service.url);
const browser = await launchBrowser([`--remote-debugging-port=${debuggingPort}`]);
let wrong = 0;
try {
  for (const theme of themes) {
    for (const path of ['/', LONG_PAGE]) {
      const url = `http://${theme}.localhost:${port}${path}`;
      const html = await htmlOf(browser, url);
      const findings = [
        ...(await htmlFindings(html)).map((found) => `html-validate: ${found}`),
        ...(await nuFindings(html)).map((found) => `Nu: ${found}`),
        ...(await axeFindings(browser, url, 'light')),
        ...(await axeFindings(browser, url, 'dark')),
      ];
      const lhr = await askLighthouse(url, { port: debuggingPort, categories });
      const scores = scoresOf(lhr, categories);
      console.log(`${theme} ${path}: ${categories.map((name, index) => `${name} ${scores[index]}`).join(', ')}`);
      for (const finding of [...findings, ...failedAudits(lhr)]) console.log(`  ${finding}`);
      wrong += findings.length + scores.filter((score) => score < 100).length;
    }
  }
} finally {
  await browser.close();
  await service.stop();
}
console.log(wrong === 0 ? 'Nothing found.' : `${wrong} to mend.`);
process.exitCode = wrong === 0 ? 0 : 1;

async function htmlOf(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  const response = await page.goto(url);
  const html = await response!.text();
  await page.close();
  return html;
}

async function axeFindings(browser: Browser, url: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', bypassCSP: true });
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(axe);
  const found = await page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
  await context.close();
  return found.map((finding) => `axe, ${colorScheme}: ${finding}`);
}

/** Returns the findings of the Nu HTML checker; none if Java is not installed. */
async function nuFindings(html: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-nu-'));
  try {
    const file = join(folder, 'page.html');
    await writeFile(file, html);
    const args = ['-jar', vnuJar, '--format', 'json', '--exit-zero-always', file];
    const { stderr } = await run('java', args, { maxBuffer: 64 * 1024 * 1024 });
    const { messages } = JSON.parse(stderr) as { messages: Array<{ type: string; lastLine: number; message: string }> };
    return messages.filter(({ type }) => type === 'error').map(({ lastLine, message }) => `${lastLine}: ${message}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.log('The Nu HTML checker was left out: there is no Java here.');
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
