import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openTestDatabase } from '../../../../test/databases.ts';
import { photo } from '../../../../test/images.ts';
import { type Outcome, startInterpreter } from '../../../../test/interpreter.ts';
import { type Service, startWithAccount } from '../../../../test/service.ts';
import { exampleIds } from '../openapi.ts';
import { operations } from '../operations.ts';
import { example, FILE, languages, PLACEHOLDER_KEY } from './examples.ts';

const run = promisify(execFile);

const programs = (name: string) => join(import.meta.dirname, '../../../../test', name);

/**
 * How to check that a language is installed, and how to run its programs. Each runs in its own process, or all in one
 * interpreter that is slow to start.
 */
const runners: Record<string, { check: string[]; command?: string; interpreter?: string[] }> = {
  curl: { check: ['curl', '--version'], command: 'sh' },
  // The Node.js of the tests: every version in use has `fetch` and modules.
  javascript: { check: [process.execPath, '--version'], interpreter: [process.execPath, programs('programs.js')] },
  python: { check: ['python3', '-c', 'import requests'], interpreter: ['python3', programs('programs.py')] },
  php: { check: ['php', '--version'], command: 'php' },
  ruby: { check: ['ruby', '-rnet/http', '-e', ''], command: 'ruby' },
};

/** Patterns for the output of examples that read. */
const shown: Record<string, RegExp> = {
  getAccount: /annual_revenue/,
  listCustomers: /Acme Bakery/,
  listEvents: /page.created/,
  listWebhooks: /shop.example.com/,
  getWebhook: /shop.example.com/,
  listDeliveries: /delivery_/,
  listKeys: /Online shop/,
  listDomains: /www.example.com/,
  getDomain: /www.example.com/,
  listUsers: /Ben Miller/,
  getSettings: /Acme Bakery/,
  getCustomer: /Acme Bakery/,
  listPlans: /Standard/,
  getRevenue: /reactivation/,
  exportRevenue: /A year at the end/,
  exportRevenueCustomers: /Change a year/,
  exportForecast: /Change a year/,
  listPlanRevenue: /plan_/,
  listCohorts: /active_customers_count/,
  listRevenueCustomers: /customers/,
  getForecast: /months/,
  listForecastChanges: /changes/,
  getPlan: /Standard/,
  previewPrice: /new_monthly_revenue/,
  listPriceChanges: /2099-01-01/,
  listScheduledChanges: /scheduled_changes/,
  listPages: /pages/,
  getPage: /Opening hours/,
  getDraft: /is_outdated/,
  listRevisions: /revision_/,
  getRevision: /Opening hours/,
  listRedirects: /redirect_/,
  listImages: /media_/,
  getImage: /media_/,
};

/** Settings with an unreachable DNS server, so that the host of a webhook's address does not resolve. */
const offline = { DNS_SERVERS: '127.0.0.1:9' };

const endings: Record<string, string> = { javascript: 'mjs' };

describe('examples of the documentation', async () => {
  for (const language of languages) {
    const { check } = runners[language.id]!;
    const missing = await run(check[0]!, check.slice(1)).then(
      () => false as const,
      () => `\`${check.join(' ')}\` does not run here`,
    );
    test(`the examples in ${language.label} do what they say`, { skip: missing }, async (t) => {
      const { service, key } = await startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'), offline);
      const runExample = prepareExamples(t, language.id);
      const images = async () =>
        (await service.get('/api/images.json', key)).json.images as { id: string; name: string; alt: string | null }[];
      const customers = async () =>
        (await service.get('/api/customers.json', key)).json.customers as { id: string; name: string; state: string }[];
      /** The ids to put into the examples, by the tags of operations. */
      const ids: Record<string, string> = {};
      for (const operation of operations) {
        const id = exampleIds[operation.tag];
        const written = example(operation, `http://127.0.0.1:${service.port}`, language);
        const text = written
          .replaceAll(PLACEHOLDER_KEY, key)
          .replaceAll(id ?? PLACEHOLDER_KEY, ids[operation.tag] ?? '')
          // Fields may contain the id of a page, too.
          .replaceAll(exampleIds.Pages!, ids.Pages ?? '');
        const { failed, output } = await runExample(text);
        assert.ok(!failed, `${operation.id}: ${output}`);
        const isRead = operation.method === 'GET';
        if (isRead) assert.match(output, shown[operation.id]!, operation.id);
        if (operation.id === 'createCustomer') ids.Customers = (await customers())[0]!.id;
        if (operation.id === 'uploadImage') ids.Images = (await images())[0]!.id;
        if (operation.id === 'issueKey') ids.Keys = await firstOf(service, key, 'keys');
        if (operation.id === 'addRedirect') ids.Redirects = await firstOf(service, key, 'redirects');
        if (operation.id === 'addDomain') ids.Domains = await firstOf(service, key, 'domains');
        if (operation.id === 'createPlan') ids.Plans = (await service.get('/api/plans.json', key)).json.plans.at(-1).id;
        if (operation.id === 'changePrice') ids['Price changes'] = await firstOf(service, key, 'price-changes');
        if (operation.id === 'addWebhook') ids.Webhooks = await firstOf(service, key, 'webhooks');
        if (operation.id === 'inviteUser') ids.Users = (await users(service, key)).at(-1)!.id;
        if (operation.id === 'deleteImage') assert.deepEqual(await images(), []);
        if (operation.id === 'createPage') ids.Pages = (await service.pages(key))[0]!.id;
        if (operation.id === 'changePage') ids.Revisions = await lastRevision(service, key, ids.Pages!);
        // Write a new draft, so that there is something to publish.
        if (operation.id === 'discardDraft') {
          const draft = `/api/pages/${ids.Pages}/draft.json?api_key=${key}&page%5Bdescription%5D=Draft`;
          await service.request('PATCH', draft);
        }
        // The page is deleted here, and restored by the next example.
        if (operation.id === 'deletePage') assert.deepEqual(await service.pages(key), []);
      }
      assert.deepEqual(
        (await service.pages(key)).map(({ name, body }) => [name, body]),
        // The first page was changed, and then restored from its revision.
        [
          ['Opening hours', '<p>Tuesday to Sunday, 7 to 18 h.</p>'],
          ['Services', '<p>All we do.</p>'],
        ],
      );
      const [customer] = await customers();
      assert.deepEqual([customer?.name, customer?.state], ['Acme Bakery', 'suspended']);
      const [image] = await images();
      assert.deepEqual([image?.name, image?.alt], ['photo.jpg', 'A loaf of rye bread']);
    });

    test(`the examples in ${language.label} report a failure`, { skip: missing }, async (t) => {
      const { service } = await startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'));
      const runExample = prepareExamples(t, language.id);
      for (const operation of operations.filter(({ method }) => method !== 'GET')) {
        const text = example(operation, `http://127.0.0.1:${service.port}`, language);
        const { failed, output } = await runExample(text);
        // curl prints the answer, but exits without an error.
        assert.equal(failed, language.id !== 'curl', operation.id);
        assert.match(output, /Invalid API key/, operation.id);
      }
    });
  }
});

async function lastRevision(service: Service, key: string, pageId: string): Promise<string> {
  return (await service.get(`/api/pages/${pageId}/revisions.json`, key)).json.revisions[0].id;
}

async function firstOf(
  service: Service,
  key: string,
  list: 'keys' | 'domains' | 'webhooks' | 'price-changes' | 'redirects',
): Promise<string> {
  return (await service.get(`/api/${list}.json`, key)).json[list.replace('-', '_')][0].id;
}

async function users(service: Service, key: string): Promise<{ id: string }[]> {
  return (await service.get('/api/users.json', key)).json.users;
}

/** Returns a function that runs an example as a program in its own folder. */
function prepareExamples(t: TestContext, language: string): (text: string) => Promise<Outcome> {
  const { command, interpreter } = runners[language]!;
  // A proxy must not be used for the local service.
  const env = { ...process.env, no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1' };
  const running = interpreter && startInterpreter(t, interpreter, env);
  return async (text) => {
    const file = await write(t, `example.${endings[language] ?? 'txt'}`, text);
    if (running) return running.run(file);
    return run(command!, [file], { cwd: dirname(file), env }).then(
      ({ stdout }) => ({ failed: false, output: stdout }),
      ({ stdout, stderr }) => ({ failed: true, output: stdout + stderr }),
    );
  };
}

async function write(t: TestContext, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-example-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  await writeFile(join(folder, FILE), await photo(80, 60));
  return file;
}
