import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { runCli } from '../test/cli.ts';
import { environmentOf, makeEmptyDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { Program, startProgram } from './program.ts';

const root = join(import.meta.dirname, '..');
const documents = globSync('*.md', { cwd: root }).map((name) => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}));
const readme = documents.find(({ name }) => name === 'README.md')!.text;

test("the README's requests, one after another, get the answers that it shows", async (t) => {
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
  if (!curl) return t.skip('there is no curl here');
  const program = await startProgram(t, await makeEmptyDatabase(t, 'sqlite'));
  const env = { ...process.env, BASE: program.url, KEY: program.key, no_proxy: '*' };
  const examples = [...readme.matchAll(/^```sh\n(curl [^`]*)^```\n\n```json\n([^`]*)^```/gm)];
  assert.ok(examples.length >= 11, `only ${examples.length} examples were found`);
  for (const [, commands = '', shown = ''] of examples) {
    // Each command's answer on a line of its own.
    const script = commands.replace(/\bcurl (-s )?/g, "curl -s -w '\\n' ");
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
    const port = String(program.port);
    assert.deepEqual(answers(stdout.replaceAll(`localhost:${port}`, 'localhost:8080')), answers(shown), commands);
  }
});

test('npm start stops when npm is told to, as the README says', async (t) => {
  const database = await makeEmptyDatabase(t, 'sqlite');
  const program = new Program(['npm', 'start'], environmentOf(database), await freePort(), database.dataDir);
  await program.serving();
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  assert.match(program.out, /"msg":"stopped"/);
});

test('the systemd unit starts the service as npm start does', () => {
  const unit = readFileSync(join(root, 'deploy/freehold.service'), 'utf8');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(
    /^ExecStart=\/opt\/freehold\/node_modules\/\.bin\/(.*)$/m.exec(unit)?.[1],
    scripts.start.replace(/^exec /, ''),
  );
});

test('the systemd unit goes on trying where the database comes up later than the service', () => {
  const unit = readFileSync(join(root, 'deploy/freehold.service'), 'utf8');
  assert.match(unit, /^Restart=on-failure$/m);
  // Fewer than systemd's five starts in ten seconds, after which it gives up.
  assert.ok(Number(/^RestartSec=(\d+)$/m.exec(unit)?.[1]) > 10 / 5);
});

test('the README lists every command', async (t) => {
  const { out } = await runCli(await makeEmptyDatabase(t, 'sqlite'), '--help');
  const commands = /^Commands:\n((?: {2}.*\n)+)/m.exec(out)?.[1];
  assert.ok(commands && readme.includes(commands), `README.md must have these commands:\n${commands}`);
});

for (const { name, text } of documents) {
  test(`what ${name} names is there`, async (t) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = [...text.matchAll(/npm (?:run )?(?:--silent )?(start|test|(?<=run (?:--silent )?)[\w:]*\w)/g)];
    assert.deepEqual(
      named.map(([, script]) => script!).filter((script) => !Object.hasOwn(scripts, script)),
      [],
    );

    const links = [...text.matchAll(/\]\(([^)#:]*)(#[^)]*)?\)/g)];
    for (const [link, file, anchor] of links) {
      assert.ok(!file || existsSync(join(root, file)), `${link}: there is no such file`);
      const target = file ? readFileSync(join(root, file), 'utf8') : text;
      assert.ok(!anchor || anchors(target).includes(anchor), `${link}: there is no such heading`);
    }

    // The commands' own options: one that is unknown is refused before anything is done.
    const lines = [...text.replaceAll('\\\n', '').matchAll(/^(?:\w+=\S+ )*npm run --silent freehold -- ([a-z].*)$/gm)];
    for (const [line, args = ''] of lines) {
      const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
      const { code, error } = await runCli(await makeEmptyDatabase(t, 'sqlite'), ...words);
      assert.notEqual(code, 2, `${line}: ${error}`);
    }
  });
}

/** The values that stand one after another, with their times left out. */
function answers(text: string): unknown[] {
  const values = text.trim().split(/\n(?=[{\d])/);
  const untimed = (name: string, value: unknown) => (/_at$|_date$/.test(name) ? 'some time' : value);
  return values.map((value) => JSON.parse(value, untimed));
}

/** As GitHub makes them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')}`,
  );
}
