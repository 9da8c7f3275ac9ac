import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import PostalMime from 'postal-mime';
import { MALLOC_SETTINGS, NODE_OPTIONS } from '../src/cli/start-service.ts';
import { launchBrowser } from '../test/browser.ts';
import { runCli } from '../test/cli.ts';
import { beforeClosing, environmentOf, makeEmptyDatabase, makeMigratedDatabase } from '../test/databases.ts';
import { documents, documentText, root } from '../test/documents.ts';
import { freePort } from '../test/free-port.ts';
import { NO_SETTINGS_FILE } from '../test/start-flags.ts';
import { eventually, Program, startProgram } from './program.ts';

test('the example requests in docs/api.md, run in order, get the documented responses', async (t) => {
  if (!(await hasCurl())) return t.skip('curl is not installed');
  await sendRequests(await startProgram(t, await makeMigratedDatabase(t, 'sqlite')), 'docs/api.md');
});

test('the example requests in README.md get the documented responses, and their customer can change the site', async (t) => {
  if (!(await hasCurl())) return t.skip('curl is not installed');
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database);
  await sendRequests(program, 'README.md');

  const mailFolder = join(database.dataDir, 'mail');
  const [mail] = await eventually(
    t,
    async () => globSync('*.eml', { cwd: mailFolder }),
    (files) => files.length === 1,
  );
  const [, shownAddress] = /<(http:\S+\/sign-in\?account=acme-bakery)>/.exec(documentText('README.md'))!;
  const signInAddress = atPort(shownAddress!, program);
  const content = readFileSync(join(mailFolder, mail!), 'utf8');
  assert.ok(
    content.includes(`${signInAddress}\r\n`),
    'the mail file contains the link unbroken, so that it can be copied',
  );
  assert.ok((await PostalMime.parse(content)).text?.includes(signInAddress));

  const page = await openPage(t);
  await page.goto(signInAddress);
  const [, email, password] = /Sign in as `(.*?)` with the password\s+`(.*?)`/.exec(documentText('README.md'))!;
  await page.getByLabel('E-mail address').fill(email!);
  await page.getByRole('textbox', { name: 'Password' }).fill(password!);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('treeitem', { name: 'Home' }).dblclick();
  await page.getByRole('textbox', { name: /^Text of the page/ }).click();
  await page.keyboard.insertText('Fresh bread from six. ');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published. Visitors see it now.').waitFor();

  await page.goto(`http://acme-bakery.localhost:${program.port}`);
  await page.getByText('Fresh bread from six.').waitFor();
});

test('npm start ends when npm is told to stop, as documented', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = new Program(
    ['npm', 'start', '--', NO_SETTINGS_FILE],
    environmentOf(database),
    await freePort(),
    database.dataDir,
  );
  await program.serving();
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  assert.match(program.out, /"msg":"stopped"/);
});

test('the systemd unit starts the same script, with the same options, as the package’s command', () => {
  const unit = readFileSync(join(root, 'deploy/freehold.service'), 'utf8');
  const script = '/opt/freehold/lib/node_modules/freehold/lib/server.js';
  assert.equal(/^ExecStart=(.*)$/m.exec(unit)?.[1], ['/usr/bin/env node', ...NODE_OPTIONS, script].join(' '));
  const variables = Object.entries(MALLOC_SETTINGS).map(([name, value]) => `${name}=${value}`);
  assert.ok(unit.split('\n').includes(`Environment=${variables.join(' ')}`));
  assert.ok(
    documentText('docs/deployment.md').includes('npm install --global --prefix /opt/freehold ./freehold-*.tgz'),
  );
});

test('the systemd unit keeps restarting a service whose database starts later', () => {
  const unit = readFileSync(join(root, 'deploy/freehold.service'), 'utf8');
  assert.match(unit, /^Restart=on-failure$/m);
  // Stays below five starts in ten seconds, after which systemd gives up.
  assert.ok(Number(/^RestartSec=(\d+)$/m.exec(unit)?.[1]) > 10 / 5);
});

test('docs/cli.md lists every command', async (t) => {
  const { out } = await runCli(await makeEmptyDatabase(t, 'sqlite'), '--help');
  const commands = /^Commands:\n((?: {2}.*\n)+)/m.exec(out)?.[1];
  assert.ok(
    commands && documentText('docs/cli.md').includes(commands),
    `docs/cli.md must have these commands:\n${commands}`,
  );
});

for (const { name, lines } of documents.map(({ name, text }) => ({ name, lines: commandsIn(text) }))) {
  if (lines.length === 0) continue;
  test(`the commands in ${name} exist, with their options`, async (t) => {
    for (const { line, args } of lines) {
      // An unknown command or option is refused with exit code 2 before anything is done.
      const { code, error } = await runCli(await makeEmptyDatabase(t, 'sqlite'), ...args);
      assert.notEqual(code, 2, `${line}: ${error}`);
    }
  });
}

async function hasCurl(): Promise<boolean> {
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
  return curl !== undefined;
}

async function sendRequests(program: Program, name: string): Promise<void> {
  const env = { ...process.env, BASE: program.url, KEY: program.key, no_proxy: '*' };
  const examples = [...documentText(name).matchAll(/^```sh\n(curl [^`]*)^```\n\n```json\n([^`]*)^```/gm)];
  assert.ok(examples.length >= 4, `only ${examples.length} examples were found`);
  for (const [, commands = '', shown = ''] of examples) {
    // Prints the response to each command on its own line.
    const script = commands.replace(/\bcurl (-s )?/g, "curl -s -w '\\n' ");
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
    assert.deepEqual(answers(stdout), answers(atPort(shown, program)), commands);
  }
}

/** Returns the text with the port of the program in its addresses. */
function atPort(text: string, { port }: Program): string {
  return text.replaceAll('localhost:8080', `localhost:${port}`);
}

/** Returns the JSON values of the text, with their times, versions and API keys replaced. */
function answers(text: string): unknown[] {
  const values = text.trim().split(/\n(?=[{\d])/);
  const alike = (name: string, value: unknown) => {
    if (/_at$|_date$|^timestamp$/.test(name)) return 'some time';
    // A version may also be a bare number.
    if (/^(version)?$/.test(name) && Number(value) > 1e12) return 'some version';
    return /^key$|^last4$|^secret$/.test(name) ? 'some key' : value;
  };
  return values.map((value) => JSON.parse(value, alike));
}

async function openPage(t: TestContext) {
  const browser = await launchBrowser();
  beforeClosing(t, () => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** Returns the CLI commands in a document, with their arguments, except `start`, which runs until it is stopped. */
function commandsIn(text: string): { line: string; args: string[] }[] {
  const lines = text
    .replaceAll(/\\\n */g, '')
    .matchAll(/^ *(?:\w+=\S+ )*(?:npm run --silent freehold -- |freehold )(?!start\b)([a-z][^|#\n]*)/gm);
  return [...lines].map(([line, args = '']) => ({
    line,
    args: [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!),
  }));
}
