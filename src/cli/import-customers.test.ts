import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer, makePage } from '../../test/factories.ts';
import { ownerOf } from '../../test/template-site.ts';
import { operator } from '../audit/record-audit-event.ts';
import { recognizeColumns } from '../customer-imports/columns.ts';
import { readCsv } from '../customer-imports/read-csv.ts';
import { hashFile, startImport } from '../customer-imports/start-import.ts';
import { stopImport } from '../customer-imports/stop-import.ts';
import { offerTemplate } from '../templates/change-template.ts';

onEachDatabase('customer import', (open) => {
  const start = async (t: TestContext) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const price = ['--price', '49', '--interval', 'month'];
    await runCliJson(config, 'plan', 'create', '--account', 'acme', '--name', 'Business', ...price);
    const path = join(config.dataDir, 'customers.csv');
    const run = async (text: string, ...options: string[]) => {
      await writeFile(path, text);
      return runCli(config, 'customer', 'import', path, '--account', 'acme', ...options);
    };
    return { db, config, accountId, run };
  };

  test('customer import checks the whole file, reports each wrong line, and creates nothing', async (t) => {
    const { db, config, accountId, run } = await start(t);
    await makeCustomer(db, accountId, 'taken');
    await runCliJson(
      config,
      'plan',
      'create',
      '--account',
      'acme',
      '--name',
      'Old',
      '--price',
      '1',
      '--interval',
      'year',
    );
    await runCliJson(config, 'plan', 'retire', 'Old', '--account', 'acme');
    const [count, log] = await Promise.all([countRows('accounts'), countRows('audit_log')]);
    const result = await run(
      [
        'Company,Subdomain,Contact,E-mail,Plan,Language',
        'Bakery,bakery,Ann Baker,ann@bakery.example,business,de',
        'Taken,Taken,Carl,carl@taken.example,,',
        ' ,www,,nobody,Gold,german',
        'Bakery,BAKERY,Ann Baker,ann@bakery.example,Old,',
        'Shop,shop,Sam,sam@shop.example',
      ].join('\n'),
      '--check',
    );
    assert.equal(result.code, 1);
    assert.deepEqual(result.out.trimEnd().split('\n'), [
      'Line 3: account_subdomain has already been taken.',
      "Line 4: account_name can't be blank.",
      'Line 4: account_subdomain is reserved.',
      "Line 4: user_name can't be blank.",
      'Line 4: user_email is not a mail address.',
      'Line 4: plan is "Gold", which is not one of Free, Business.',
      'Line 4: language is not a language tag like en or pt-BR.',
      'Line 5: account_subdomain is the same as in line 2.',
      'Line 5: plan is not included in the list.',
      '5 lines checked: 3 wrong.',
    ]);
    assert.deepEqual([await countRows('accounts'), await countRows('audit_log')], [count, log]);

    async function countRows(table: 'accounts' | 'audit_log') {
      return (await db.selectFrom(table).select('id').execute()).length;
    }
  });

  test('customer import uses the columns of --columns, and asks for missing ones', async (t) => {
    const { run } = await start(t);
    const text = 'Shop;Subdomain;Chef;E-Mail\nBakery;bakery;Ann;ann@bakery.example\n';
    const unknown = await run(text, '--check');
    assert.deepEqual(unknown, {
      code: 2,
      out: '',
      error: ['Account name', 'User name']
        .map((name) => `${name} is in no column: the first line of the file must name it.\n`)
        .join(''),
    });
    const named = await run(text, '--check', '--columns', 'account_name=Shop,user_name=Chef', '--json');
    assert.deepEqual([named.code, JSON.parse(named.out)], [0, { import: { lines: 1, right: 1, wrong: [] } }]);
    for (const [columns, message] of [
      ['shop=Shop', /^--columns has "shop", which is not one of account_name, /],
      ['account_name=Laden', /^--columns has "Laden", but no column of the file has this name\.\n$/],
    ] as const) {
      assert.match((await run(text, '--check', '--columns', columns)).error, message);
    }
  });

  test('customer import checks more lines than one batch', async (t) => {
    const { db, accountId, run } = await start(t);
    await makeCustomer(db, accountId, 'shop-1100');
    const lines = Array.from({ length: 1200 }, (_, at) => `Shop ${at},shop-${at},Ann,ann@shop.example`);
    const { out } = await run(['name,subdomain,person,mail', ...lines].join('\r\n'), '--check');
    assert.equal(out, 'Line 1102: account_subdomain has already been taken.\n1200 lines checked: 1 wrong.\n');
  });

  test('customer import creates nothing if lines are wrong, unless told to skip them', async (t) => {
    const { db, accountId, run } = await start(t);
    const customers = async () => {
      const rows = await db.selectFrom('accounts').select('subdomain').where('parent_id', '=', accountId).execute();
      return rows.map(({ subdomain }) => subdomain);
    };
    const text = 'name,subdomain,person,mail\nBakery,bakery,Ann,ann@bakery.example\nShop,www,Sam,sam@shop.example\n';
    const refused = await run(text);
    assert.equal(refused.code, 1);
    assert.deepEqual(refused.out.trimEnd().split('\n').slice(-2), [
      '2 lines checked: 1 wrong.',
      'No customer was created. Correct the file, or use --skip-wrong.',
    ]);
    assert.deepEqual(await customers(), []);
    const done = await run(text, '--skip-wrong');
    assert.deepEqual(
      [done.code, done.out],
      [0, 'Line 3: account_subdomain is reserved.\n1 customer is created. 1 line skipped.\n'],
    );
    assert.deepEqual(await customers(), ['bakery']);
  });

  test('customer import starts customers from the templates named in their lines', async (t) => {
    const { db, accountId, run } = await start(t);
    const siteId = await makeCustomer(db, accountId, 'model');
    await makePage(db, siteId, { userId: await ownerOf(db, siteId), name: 'Bread' });
    await db.transaction().execute((trx) => offerTemplate(trx, accountId, { siteId, name: 'Bakery' }, operator));
    const text =
      'name,subdomain,person,mail,Vorlage\nBakery,bakery,Ann,ann@bakery.example,bakery\nShop,shop,Sam,sam@shop.example,Shop\n';
    const refused = await run(text, '--check');
    assert.deepEqual(
      [refused.code, refused.out],
      [1, 'Line 3: template is "Shop", which is not one of Bakery.\n2 lines checked: 1 wrong.\n'],
    );
    const done = await run(text, '--skip-wrong');
    assert.match(done.out, /1 customer is created\. 1 line skipped\.\n$/);
    const made = await db
      .selectFrom('pages')
      .innerJoin('accounts', 'accounts.id', 'pages.account_id')
      .select('pages.name')
      .where('accounts.subdomain', '=', 'bakery')
      .execute();
    assert.deepEqual(
      made.map(({ name }) => name),
      ['Bread'],
    );
  });

  test('customer import continues a stopped import of the same file', async (t) => {
    const { db, accountId, run } = await start(t);
    const lines = Array.from({ length: 60 }, (_, at) => `Shop ${at},shop-${at},Ann,ann${at}@shop.example`);
    const text = ['name,subdomain,person,mail', ...lines].join('\n');
    const { header, lines: read } = await readCsv(Buffer.from(text));
    const fileHash = hashFile(Buffer.from(text));
    await db.transaction().execute(async (trx) => {
      const input = { fileName: 'a.csv', fileHash, lines: read, columns: recognizeColumns(header) };
      const id = await startImport(trx, accountId, input, operator);
      await stopImport(trx, accountId, id, operator);
    });
    const done = await run(text, '--json');
    assert.deepEqual(JSON.parse(done.out), { import: { lines: 60, created: 60, skipped: 0, left: 0, wrong: [] } });
    assert.equal((await db.selectFrom('customer_imports').select('id').execute()).length, 1);
  });
});
