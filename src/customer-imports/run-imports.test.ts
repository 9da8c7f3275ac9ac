import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, quota, settings } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import { readConfig } from '../config.ts';
import { takeTurnsAs } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { inEnglish } from '../english.ts';
import { openMediaStore } from '../media/open-store.ts';
import { createPlan } from '../plans/plans.ts';
import { Refusal } from '../refusal.ts';
import { newTraceId, Trace } from '../trace.ts';
import { claimImport } from './claim-import.ts';
import { recognizeColumns } from './columns.ts';
import { importPart } from './import-part.ts';
import { importReport } from './import-report.ts';
import { getImport, listImports, listSkippedLines } from './imports.ts';
import { partSizes, readLines, writeLines } from './part.ts';
import { IMPORT_RETENTION_MS, pruneImports } from './prune-imports.ts';
import { readCsv } from './read-csv.ts';
import { runImports } from './run-imports.ts';
import { startImport } from './start-import.ts';
import { resumeImport, stopImport } from './stop-import.ts';

onEachDatabase('customer imports', (open, kind) => {
  const partSize = partSizes[kind];
  const start = async (t: TestContext) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const by = actor(userId);
    const store = openMediaStore(readConfig({ DATA_DIR: config.dataDir }));
    const dependencies = { db, store, config: { ...settings, pageQuota: quota, mediaQuota: quota } };
    const begin = async (csv: string) => {
      const { header, lines } = await readCsv(Buffer.from(csv));
      const input = { fileName: 'customers.csv', fileHash: 'hash', lines, columns: recognizeColumns(header) };
      return db.transaction().execute((trx) => startImport(trx, accountId, input, by));
    };
    const run = ({ worker = 'worker', mailFrom = () => settings.mailFrom } = {}) => {
      const config = {
        ...dependencies.config,
        get mailFrom() {
          return mailFrom();
        },
      };
      const { signal } = new AbortController();
      return runImports({ ...dependencies, config }, { worker, signal, onProgress: () => {} });
    };
    return { db, accountId, by, begin, run, dependencies };
  };
  const shops = (count: number) =>
    [
      'name,subdomain,person,mail',
      ...Array.from({ length: count }, (_, at) => `Shop ${at},shop-${at},Ann,a${at}@b.example`),
    ].join('\n');
  const countOf = async (db: Db, table: 'accounts' | 'outbox') =>
    (await db.selectFrom(table).select('id').execute()).length;

  test('an import creates a customer for each valid line, and skips the others with their failures', async (t) => {
    const { db, accountId, begin, run } = await start(t);
    await makeCustomer(db, accountId, 'taken');
    await db.transaction().execute((trx) => {
      const plan = { name: 'Business', price: '49', interval: 'month', isDefault: false };
      return createPlan(trx, accountId, plan, operator);
    });
    const id = await begin(
      [
        'Company;Subdomain;Contact;E-Mail;Plan;Language',
        'Bakery;bakery;Ann;ann@bakery.example;business;de',
        '=Shop;taken;Carl;carl@shop.example;;',
        ';www;Carl;nobody;Gold;german',
        'Café;cafe;Zoë;zoe@cafe.example',
      ].join('\n'),
    );
    await run();
    const done = await getImport(db, accountId, id);
    assert.deepEqual([done.state, done.created_count, done.skipped_count], ['done', 2, 2]);
    const customers = await db
      .selectFrom('accounts')
      .innerJoin('plans', 'plans.id', 'accounts.plan_id')
      .select(['accounts.id', 'accounts.name', 'accounts.language', 'plans.name as plan'])
      .where('accounts.parent_id', '=', accountId)
      .where('accounts.subdomain', 'in', ['bakery', 'cafe'])
      .orderBy('accounts.id')
      .execute();
    assert.deepEqual(
      customers.map(({ name, language, plan }) => [name, language, plan]),
      [
        ['Bakery', 'de', 'Business'],
        ['Café', 'en', 'Free'],
      ],
    );
    const skipped = await listSkippedLines(db, accountId, { importId: id, limit: 9 });
    assert.deepEqual(
      skipped.map(({ number, failures }) => [number, failures.map(({ field, code }) => `${field} ${code}`)]),
      [
        [3, ['account_subdomain taken']],
        [
          4,
          [
            'account_name blank',
            'account_subdomain reserved',
            'user_email not_a_mail_address',
            'plan not_one_of',
            'language not_a_language',
          ],
        ],
      ],
    );
    const report = (onlySkipped: boolean) =>
      text(Readable.from(importReport(db, accountId, { importId: id, onlySkipped, explain: inEnglish })));
    assert.deepEqual((await report(false)).slice(1).split('\r\n'), [
      'Line,Result,account_name,account_subdomain,user_name,user_email,plan,language,template,Customer,Problem',
      `2,created,Bakery,bakery,,,,,,${customers[0]!.id},`,
      "3,skipped,'=Shop,taken,Carl,carl@shop.example,,,,,account_subdomain has already been taken",
      `4,skipped,,www,Carl,nobody,Gold,german,,,"account_name can't be blank; account_subdomain is reserved; user_email is not a mail address; plan is ""Gold"", which is not one of Free, Business; language is not a language tag like en or pt-BR"`,
      `5,created,Café,cafe,,,,,,${customers[1]!.id},`,
      '',
    ]);
    // The skipped lines can be corrected and imported again.
    const again = await readCsv(Buffer.from(await report(true)));
    assert.deepEqual([again.lines.length, recognizeColumns(again.header).user_email], [2, 5]);
    const stored = await db.selectFrom('customer_import_parts').select('lines').executeTakeFirstOrThrow();
    assert.ok(!stored.lines.includes('bakery'), 'the import still contains names of created customers');
  });

  test('an import is not part of the trace of the request that runs it', async (t) => {
    const { db, accountId, begin, run } = await start(t);
    await begin(shops(2));
    await takeTurnsAs(accountId, () => run(), new Trace(newTraceId()));
    const mail = await db.selectFrom('outbox').select('traceparent').execute();
    assert.deepEqual(
      mail.map(({ traceparent }) => traceparent),
      [null, null],
    );
  });

  test('an import creates each customer once, with three workers of which one crashes', async (t) => {
    const { db, accountId, begin, run } = await start(t);
    const count = 4 * partSize + 10;
    const id = await begin(shops(count));
    let asked = 0;
    const mailFrom = () => {
      asked += 1;
      if (asked > 1) throw new Error('crashed');
      return settings.mailFrom;
    };
    await assert.rejects(run({ worker: 'crashing', mailFrom }), /crashed/);
    assert.equal((await getImport(db, accountId, id)).created_count, partSize);
    // Ends the lease.
    await db.transaction().execute((trx) => trx.updateTable('customer_imports').set({ claimed_until: 0 }).execute());
    await Promise.all(['a', 'b', 'c'].map((worker) => run({ worker })));
    const done = await getImport(db, accountId, id);
    assert.deepEqual([done.state, done.created_count, done.skipped_count], ['done', count, 0]);
    assert.deepEqual([await countOf(db, 'accounts'), await countOf(db, 'outbox')], [count + 1, count]);
  });

  test('an import from a version with smaller parts is finished', async (t) => {
    const { db, accountId, begin, run } = await start(t);
    const id = await begin(shops(3));
    const { lines } = await db.selectFrom('customer_import_parts').select('lines').executeTakeFirstOrThrow();
    const parts = readLines(lines).map((line, part) => ({
      account_id: accountId,
      import_id: id,
      part,
      lines: writeLines([line]),
    }));
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('customer_import_parts').execute();
      await trx.insertInto('customer_import_parts').values(parts).execute();
    });
    await run();
    const { state, created_count: created } = await getImport(db, accountId, id);
    assert.deepEqual([state, created], ['done', 3]);
  });

  test('an import can be stopped and resumed, and an account runs only one at a time', async (t) => {
    const { db, accountId, by, begin, dependencies, run } = await start(t);
    const count = 2 * partSize + 20;
    const id = await begin(shops(count));
    await assert.rejects(begin(shops(1)), (error) => error instanceof Refusal && error.why.reason === 'import_running');
    const progress = await importPart(dependencies, (await claimImport(db, 'worker'))!);
    await db.transaction().execute((trx) => stopImport(trx, accountId, id, by));
    assert.equal(await importPart(dependencies, progress!), undefined);
    const { state, created_count: created } = await getImport(db, accountId, id);
    assert.equal(state, 'stopped');
    assert.deepEqual([created, await countOf(db, 'accounts')], [partSize, 1 + partSize]);
    await run();
    assert.equal((await getImport(db, accountId, id)).created_count, created);
    await db.transaction().execute((trx) => resumeImport(trx, accountId, id, by));
    await run();
    assert.equal((await getImport(db, accountId, id)).created_count, count);
    const log = await db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'import.%')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      log.map(({ action }) => action),
      ['import.started', 'import.stopped', 'import.resumed'],
    );
  });

  test('a running import pauses once its account is suspended, and continues later', async (t) => {
    const { db, accountId, begin, dependencies } = await start(t);
    const id = await begin(shops(2 * partSize));
    const setStatus = (status: 'active' | 'suspended') =>
      db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ status }).where('id', '=', accountId).execute());
    const claimed = await claimImport(db, 'worker');
    const progress = await importPart(dependencies, claimed!);
    await setStatus('suspended');
    const before = await countOf(db, 'accounts');
    assert.equal(await importPart(dependencies, progress!), undefined);
    assert.equal(await countOf(db, 'accounts'), before);
    await setStatus('active');
    assert.equal((await importPart(dependencies, progress!))!.state, 'done');
    assert.equal((await getImport(db, accountId, id)).created_count, 2 * partSize);
  });

  test('an import of a suspended account waits, and is deleted after 30 days', async (t) => {
    const { db, accountId, begin, run } = await start(t);
    const id = await begin(shops(1));
    const setStatus = (status: 'active' | 'suspended') =>
      db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ status }).where('id', '=', accountId).execute());
    await setStatus('suspended');
    await run();
    assert.equal((await getImport(db, accountId, id)).state, 'running');
    await setStatus('active');
    await run();
    assert.equal(await pruneImports(db), 0);
    assert.equal((await listImports(db, accountId)).length, 1);
    assert.equal(await pruneImports(db, Date.now() + IMPORT_RETENTION_MS + 1000), 1);
    assert.deepEqual(await listImports(db, accountId), []);
  });
});
