import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openTestDatabase } from '../../../../test/databases.ts';
import { startWithAccount } from '../../../../test/service.ts';
import { EXAMPLE_PAGE_ID } from '../openapi.ts';
import { operations } from '../operations.ts';
import { example, languages, PLACEHOLDER_KEY } from './examples.ts';

const run = promisify(execFile);

/** How each language's programs are run, and how to find out whether they can be. */
const programs: Record<string, { check: string[]; command: (file: string) => string[] }> = {
  curl: { check: ['curl', '--version'], command: (file) => ['sh', file] },
  // Node.js itself: what `fetch` and modules need is in every one that is in use.
  javascript: { check: [process.execPath, '--version'], command: (file) => [process.execPath, file] },
  python: { check: ['python3', '-c', 'import requests'], command: (file) => ['python3', file] },
  php: { check: ['php', '--version'], command: (file) => ['php', file] },
  ruby: { check: ['ruby', '-rnet/http', '-e', ''], command: (file) => ['ruby', file] },
};

/** What the programs that read print. */
const shown: Record<string, RegExp> = { getAccount: /annual_revenue/, listPages: /pages/, getPage: /Opening hours/ };

const endings: Record<string, string> = { javascript: 'mjs' };

describe('the examples do what they say', async () => {
  for (const language of languages) {
    const { check, command } = programs[language.id]!;
    const missing = await exec(check).then(
      () => false as const,
      () => `\`${check.join(' ')}\` does not run here`,
    );
    test(`in ${language.label}`, { skip: missing }, async (t) => {
      const { service, key } = await startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'));
      let pageId = '';
      for (const operation of operations) {
        const text = example(operation, `http://127.0.0.1:${service.port}`, language)
          .replaceAll(PLACEHOLDER_KEY, key)
          .replaceAll(EXAMPLE_PAGE_ID, pageId);
        const file = await write(t, `example.${endings[language.id] ?? 'txt'}`, text);
        const { stdout } = await exec(command(file));
        const isRead = operation.method === 'GET';
        if (isRead) assert.match(stdout, shown[operation.id]!, operation.id);
        if (operation.id === 'createPage') pageId = (await service.pages(key))[0]!.id;
        // Deleted, and then restored.
        if (operation.id === 'deletePage') assert.deepEqual(await service.pages(key), []);
      }
      assert.deepEqual(
        (await service.pages(key)).map(({ name, body }) => [name, body]),
        [['Opening hours', '<p>Every day, 7 to 18 h.</p>']],
      );
      assert.equal((await service.account(key)).free_customers_count, 1);
    });

    test(`in ${language.label}, and do not pass over a failure`, { skip: missing }, async (t) => {
      const { service } = await startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'));
      for (const operation of operations.filter(({ method }) => method !== 'GET')) {
        const text = example(operation, `http://127.0.0.1:${service.port}`, language);
        const file = await write(t, `example.${endings[language.id] ?? 'txt'}`, text);
        const told = await exec(command(file)).then(
          // curl says what came back and leaves it at that.
          ({ stdout }) => (language.id === 'curl' ? stdout : ''),
          ({ stdout, stderr }) => stdout + stderr,
        );
        assert.match(told, /Invalid API key/, operation.id);
      }
    });
  }
});

function exec([file = '', ...args]: readonly string[]) {
  // A proxy is for the rest of the world.
  return run(file, args, { env: { ...process.env, no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1' } });
}

async function write(t: TestContext, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-example-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}
