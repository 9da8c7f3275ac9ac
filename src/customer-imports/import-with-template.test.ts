import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, makePage, quota, settings } from '../../test/factories.ts';
import { makeImage, ownerOf } from '../../test/template-site.ts';
import { operator } from '../audit/record-audit-event.ts';
import { readConfig } from '../config.ts';
import type { Trx } from '../db/database.ts';
import { changeAgencyAccess } from '../impersonations/agency-access.ts';
import { openMediaStore } from '../media/open-store.ts';
import { createPlan } from '../plans/plans.ts';
import { offerTemplate, retireTemplate } from '../templates/change-template.ts';
import { checkCopies } from './check-copies.ts';
import { checkLines } from './check-lines.ts';
import { claimImport } from './claim-import.ts';
import { recognizeColumns } from './columns.ts';
import { importPart } from './import-part.ts';
import { getImport, listSkippedLines } from './imports.ts';
import { readCsv } from './read-csv.ts';
import { runImports } from './run-imports.ts';
import { startImport } from './start-import.ts';
import { stopImport } from './stop-import.ts';

const HEADER = 'name,subdomain,person,mail,plan,template';

onEachDatabase('customer imports with templates', (open) => {
  /** Makes an agency that offers the site of its customer "bakery", which has three pages and an image. */
  const start = async (t: TestContext) => {
    const database = await open(t);
    const { db } = database;
    const { accountId, userId } = await makeAccount(db, 'acme');
    const siteId = await makeCustomer(db, accountId, 'bakery');
    const owner = await ownerOf(db, siteId);
    const src = await makeImage(database, siteId, owner);
    await makePage(db, siteId, { userId: owner, name: 'Home', body: `<img src="${src}">` });
    await makePage(db, siteId, { userId: owner, name: 'Bread', body: 'Fresh bread' });
    await makePage(db, siteId, { userId: owner, name: 'Imprint', body: 'Us' });
    const write = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const offer = (name: string, site = siteId) => {
      return write((trx) => offerTemplate(trx, accountId, { siteId: site, name }, operator));
    };
    const template = await offer('Bakery');
    const store = openMediaStore(readConfig({ DATA_DIR: database.config.dataDir }));
    const dependencies = { db, store, config: { ...settings, pageQuota: quota, mediaQuota: quota } };
    const read = async (...lines: string[]) => {
      const { header, lines: all } = await readCsv(Buffer.from([HEADER, ...lines].join('\n')));
      return { lines: all, columns: recognizeColumns(header) };
    };
    const begin = async (...lines: string[]) => {
      const input = { fileName: 'customers.csv', fileHash: 'hash', ...(await read(...lines)) };
      return write((trx) => startImport(trx, accountId, input, actor(userId)));
    };
    const run = ({ onProgress = (_: unknown) => {}, worker = 'worker', importing = dependencies } = {}) =>
      runImports(importing, { worker, signal: new AbortController().signal, onProgress });
    const filesOf = async () => {
      const keys: string[] = [];
      for await (const { key } of store.list()) keys.push(key);
      return keys;
    };
    const customers = async () => {
      const rows = db.selectFrom('accounts').select(['id', 'subdomain']).where('parent_id', '=', accountId);
      return (await rows.where('id', '!=', siteId).orderBy('id').execute()).map(({ id, subdomain }) => ({
        id,
        subdomain,
      }));
    };
    const pagesOf = async (id: number) => {
      const rows = db.selectFrom('pages').select('name').where('account_id', '=', id).orderBy('position');
      return (await rows.execute()).map(({ name }) => name);
    };
    return {
      db,
      accountId,
      siteId,
      userId,
      template,
      write,
      offer,
      dependencies,
      read,
      begin,
      run,
      filesOf,
      customers,
      pagesOf,
    };
  };
  const failuresIn = (lines: ReadonlyArray<{ number: number; failures: readonly { field: string; code: string }[] }>) =>
    lines.map(({ number, failures }) => [number, ...failures.map(({ field, code }) => `${field} ${code}`)]);

  test('a line is skipped if its template belongs to a customer that forbids agency access', async (t) => {
    const { db, accountId, siteId, write, begin, run, customers } = await start(t);
    await write((trx) => changeAgencyAccess(trx, siteId, { isAllowed: false }, operator));
    const id = await begin('One,one,Ann,ann@one.example,,Bakery', 'Two,two,Bob,bob@two.example,,');
    await run();
    const skipped = await listSkippedLines(db, accountId, { importId: id, limit: 10 });
    assert.deepEqual(failuresIn(skipped), [[2, 'template not_included']]);
    assert.deepEqual(
      (await customers()).map(({ subdomain }) => subdomain),
      ['two'],
    );
  });

  test('lines that name a template get its pages and images, and other lines default pages', async (t) => {
    const { db, accountId, template, begin, run, filesOf, customers, pagesOf } = await start(t);
    const [before] = [await filesOf()];
    const id = await begin(
      'One,one,Ann,ann@one.example,,',
      'Two,two,Bob,bob@two.example,,bakery',
      `Three,three,Cem,cem@three.example,,template_${template}`,
      'Four,four,Dora,dora@four.example,, ',
    );
    await run();
    const { state, created_count: created, skipped_count: skipped } = await getImport(db, accountId, id);
    assert.deepEqual([state, created, skipped], ['done', 4, 0]);
    const made = await customers();
    assert.deepEqual(
      made.map(({ subdomain }) => subdomain),
      ['one', 'two', 'three', 'four'],
    );
    const pages = await Promise.all(made.map((each) => pagesOf(each.id)));
    assert.deepEqual(
      [pages[1], pages[2]],
      [
        ['Home', 'Bread', 'Imprint'],
        ['Home', 'Bread', 'Imprint'],
      ],
    );
    assert.ok(!pages[0]!.includes('Bread') && pages[0]!.length > 0 && pages[3]!.length > 0);
    const notes = await db
      .selectFrom('template_sites')
      .select(['account_id', 'template_id'])
      .orderBy('account_id')
      .execute();
    assert.deepEqual(
      notes.map((note) => ({ ...note })),
      [made[1]!, made[2]!].map((each) => ({ account_id: each.id, template_id: template })),
    );
    const added = (await filesOf()).filter((key) => !before!.includes(key));
    assert.deepEqual(
      added.map((key) => Number(key.split('/')[0])).sort((a, b) => a - b),
      [made[1]!.id, made[2]!.id],
    );
    const mail = await db.selectFrom('outbox').select('to_email').orderBy('id').execute();
    assert.deepEqual(
      mail.map(({ to_email }) => to_email).filter((email) => email !== 'carl@example.com'),
      ['ann@one.example', 'bob@two.example', 'cem@three.example', 'dora@four.example'],
    );
  });

  test('unknown, ambiguous and retired templates are reported both by the check and by the import', async (t) => {
    const { db, accountId, write, offer, read, begin, run, customers } = await start(t);
    const other = await makeCustomer(db, accountId, 'other');
    const old = await offer('Old', other);
    await write((trx) => retireTemplate(trx, accountId, old, operator));
    await offer('BAKERY', await makeCustomer(db, accountId, 'another'));
    const gone = await makeCustomer(db, accountId, 'gone');
    await offer('Gone', gone);
    await write((trx) =>
      trx
        .updateTable('accounts')
        .set({ deletes_at: 1, status_before_deletion: 'active' })
        .where('id', '=', gone)
        .execute(),
    );
    const count = (await customers()).length;
    const lines = [
      'One,one,Ann,ann@one.example,,Shop',
      'Two,two,Ann,ann@two.example,,bakery',
      'Three,three,Ann,ann@three.example,,Old',
      'Four,four,Ann,ann@four.example,Gold,Gone',
      'Five,five,Ann,ann@five.example,,Bakery',
      'Six,other,Ann,ann@six.example,,Bakery',
    ];
    const wrong = [
      [2, 'template not_one_of'],
      [3, 'template ambiguous'],
      [4, 'template not_included'],
      [5, 'plan not_one_of', 'template not_included'],
      [7, 'account_subdomain taken'],
    ];
    assert.deepEqual(failuresIn(await checkLines(db, accountId, await read(...lines), settings)), wrong);
    const id = await begin(...lines);
    await run();
    assert.deepEqual(failuresIn(await listSkippedLines(db, accountId, { importId: id, limit: 9 })), wrong);
    assert.equal((await getImport(db, accountId, id)).created_count, 1);
    assert.equal((await customers()).length, count + 1);
  });

  test('a file that would copy too much in total is refused', async (t) => {
    const { db, accountId, siteId, write, read } = await start(t);
    const GB = 1024 ** 3;
    await write((trx) => sql`update media set bytes = ${8 * GB} where account_id = ${siteId}`.execute(trx));
    const line = (name: string, template: string) => `${name},${name},Ann,ann@${name}.example,,${template}`;
    const few = [line('one', 'Bakery'), line('two', 'bakery'), line('three', ''), line('four', 'Unknown')];
    await checkCopies(db, accountId, await read(...few));
    const error = await checkCopies(db, accountId, await read(...few, line('five', 'Bakery'))).catch((error) => error);
    const texts = (bytes: number) => bytes - 3 * 8 * GB;
    const [{ field, code, params }] = error.fields;
    assert.deepEqual([field, code, params.pages, params.maxPages], ['file', 'copies_too_large', 9, 500_000]);
    assert.ok(texts(params.bytes) > 0 && texts(params.bytes) < 1000);
  });

  test('a line whose plan has no room for its template is skipped, and no image files are left', async (t) => {
    const { db, accountId, write, begin, run, filesOf } = await start(t);
    const plan = { name: 'Small', price: '5', interval: 'month', isDefault: false, pages: 2 };
    await write((trx) => createPlan(trx, accountId, plan, operator));
    const before = await filesOf();
    const id = await begin('One,one,Ann,ann@one.example,Small,Bakery', 'Two,two,Bob,bob@two.example,Small,');
    await run();
    assert.deepEqual(failuresIn(await listSkippedLines(db, accountId, { importId: id, limit: 9 })), [
      [2, 'plan plan_limit'],
    ]);
    assert.equal((await getImport(db, accountId, id)).created_count, 1);
    assert.deepEqual(await filesOf(), before);
  });

  test('a line whose template lacks an image file is skipped, and the import goes on', async (t) => {
    const { db, accountId, begin, run, filesOf, dependencies } = await start(t);
    await dependencies.store.remove(await filesOf());
    const id = await begin('One,one,Ann,ann@one.example,,Bakery', 'Two,two,Bob,bob@two.example,,');
    await run();
    assert.deepEqual(failuresIn(await listSkippedLines(db, accountId, { importId: id, limit: 9 })), [
      [2, 'template file_missing'],
    ]);
    assert.equal((await getImport(db, accountId, id)).state, 'done');
  });

  test('each customer is created once if a worker crashes, and none after the import is stopped', async (t) => {
    const { db, accountId, userId, write, begin, run, dependencies, filesOf, customers } = await start(t);
    const lines = Array.from({ length: 5 }, (_, at) => `Shop ${at},shop-${at},Ann,a${at}@b.example,,Bakery`);
    const id = await begin(...lines);
    let asked = 0;
    const crashing = {
      ...dependencies.config,
      get mailFrom(): string {
        asked += 1;
        if (asked > 2) throw new Error('crashed');
        return settings.mailFrom;
      },
    };
    await assert.rejects(run({ worker: 'crashing', importing: { ...dependencies, config: crashing } }), /crashed/);
    assert.equal((await getImport(db, accountId, id)).created_count, 2);
    const stopped = await claimImport(db, 'crashing');
    await write((trx) => stopImport(trx, accountId, id, actor(userId)));
    assert.equal(await importPart(dependencies, stopped!), undefined);
    assert.equal((await customers()).length, 2);
    await write((trx) => trx.updateTable('customer_imports').set({ state: 'running', claimed_until: 0 }).execute());
    await Promise.all(['a', 'b'].map((worker) => run({ worker })));
    const { state, created_count: created } = await getImport(db, accountId, id);
    assert.deepEqual([state, created], ['done', 5]);
    const owners = new Set((await filesOf()).map((key) => Number(key.split('/')[0])));
    assert.deepEqual(
      (await customers()).filter((each) => !owners.has(each.id)),
      [],
    );
    assert.equal((await filesOf()).length, 6);
  });

  test('an import takes turns with those of other accounts', async (t) => {
    const { db, begin, run } = await start(t);
    const lines = Array.from({ length: 25 }, (_, at) => `Shop ${at},shop-${at},Ann,a${at}@b.example,,Unknown`);
    const first = await begin(...lines);
    const { accountId: other } = await makeAccount(db, 'other');
    const { header, lines: few } = await readCsv(
      Buffer.from('name,subdomain,person,mail\nOne,one,Ann,ann@one.example'),
    );
    const input = { fileName: 'a.csv', fileHash: 'b', lines: few, columns: recognizeColumns(header) };
    const second = await db.transaction().execute((trx) => startImport(trx, other, input, operator));
    const ended: number[] = [];
    await run({
      onProgress: (progress) => {
        const { id, state } = progress as { id: number; state: string };
        if (state === 'done') ended.push(id);
      },
    });
    assert.deepEqual(ended, [second, first]);
  });
});
