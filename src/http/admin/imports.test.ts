import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage, quota, settings } from '../../../test/factories.ts';
import { type Person, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { makeImage, ownerOf } from '../../../test/template-site.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { readConfig } from '../../config.ts';
import { runImports } from '../../customer-imports/run-imports.ts';
import { queueUse } from '../../fair-semaphore.ts';
import type { FieldError } from '../../field-error.ts';
import { openMediaStore } from '../../media/open-store.ts';
import { offerTemplate } from '../../templates/change-template.ts';
import { strangerHolderFinder } from '../../tenancy/holder.ts';
import { queueLarge } from '../body.ts';

const CSV = [
  'Laden,Subdomain,Chef,E-Mail',
  'Bakery,bakery,Ann,ann@bakery.example',
  'Shop,www,Sam,sam@shop.example',
  'Café,cafe,Zoë,zoe@cafe.example',
].join('\n');

onEachDatabase('imports of customers in the admin app', (open) => {
  const start = async (t: TestContext) => {
    const started = await startWithAccount(t, open);
    const { service, db, database, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'admin');
    const store = openMediaStore(readConfig({ DATA_DIR: database.config.dataDir }));
    const dependencies = { db, store, config: { ...settings, pageQuota: quota, mediaQuota: quota } };
    const run = () =>
      runImports(dependencies, { worker: 'worker', signal: new AbortController().signal, onProgress: () => {} });
    return { ...started, person, run };
  };
  /** Sends a file as the app does. */
  const upload = (person: Person, path: string, csv = CSV, type = 'text/csv') => person.sendText(path, csv, type);
  const columns = { account_name: 0, account_subdomain: 1, user_name: 2, user_email: 3 };
  const chosen = new URLSearchParams({ columns: JSON.stringify(columns) });

  test('the check of a customer file uses the recognized or chosen columns, and writes nothing', async (t) => {
    const { db, person } = await start(t);
    const recognized = (await upload(person, 'imports/check')).json;
    assert.deepEqual(recognized.missing, ['account_name', 'user_name']);
    assert.deepEqual([recognized.columns.account_subdomain, recognized.columns.user_name], [1, null]);
    assert.deepEqual([recognized.lineCount, recognized.wrongCount], [3, 0]);
    assert.deepEqual(recognized.sample[0], { number: 2, cells: ['Bakery', 'bakery', 'Ann', 'ann@bakery.example'] });
    const { json } = await upload(person, `imports/check?${chosen}`);
    assert.deepEqual([json.missing, json.wrongCount], [[], 1]);
    assert.deepEqual(json.wrong, [
      { number: 3, name: 'Shop', failures: [{ field: 'account_subdomain', code: 'reserved' }] },
    ]);
    for (const table of ['customer_imports', 'customer_import_parts'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
    }
  });

  test('a line of a customer file that names a template of another account is reported as wrong', async (t) => {
    const { db, person, accountId } = await start(t);
    const { accountId: stranger } = await makeAccount(db);
    await db.transaction().execute(async (trx) => {
      await offerTemplate(trx, accountId, { siteId: accountId, name: 'Own' }, operator);
      await offerTemplate(trx, stranger, { siteId: stranger, name: 'Other' }, operator);
    });
    const csv = 'name,subdomain,person,mail,Template\nA,one,Ann,a@b.example,own\nB,two,Ann,a@b.example,Other';
    const { json } = await upload(person, 'imports/check', csv);
    assert.equal(json.columns.template, 4);
    const params = { values: ['Own'], more: 0, given: 'Other' };
    assert.deepEqual(json.wrong, [
      { number: 3, name: 'B', failures: [{ field: 'template', code: 'not_one_of', params }] },
    ]);
  });

  test('a customer file whose lines would copy too much from templates is refused', async (t) => {
    const { db, person, accountId, database } = await start(t);
    const owner = await ownerOf(db, accountId);
    const src = await makeImage(database, accountId, owner);
    await makePage(db, accountId, { userId: owner, name: 'Gallery', body: `<img src="${src}">` });
    await db.transaction().execute(async (trx) => {
      await offerTemplate(trx, accountId, { siteId: accountId, name: 'Own' }, operator);
      await sql`update media set bytes = ${30 * 1024 ** 3} where account_id = ${accountId}`.execute(trx);
    });
    const csv = 'name,subdomain,person,mail,Template\nA,one,Ann,a@b.example,Own';
    for (const path of ['imports/check', 'imports?name=a.csv']) {
      const { status, json } = await upload(person, path, csv);
      assert.deepEqual(
        [status, json.error.fields.map(({ field, code }: FieldError) => [field, code])],
        [422, [['file', 'copies_too_large']]],
      );
    }
    assert.deepEqual(await db.selectFrom('customer_imports').selectAll().execute(), []);
  });

  test('the check of even a small customer file waits until no other large input is processed', async (t) => {
    const { person } = await start(t);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const other = queueLarge(strangerHolderFinder('somebody'), () => over);
    let isChecked = false;
    const checked = upload(person, `imports/check?${chosen}`).finally(() => {
      isChecked = true;
    });
    while (!isChecked && queueUse().get('large requests')!.waiting === 0) await setImmediate();
    const hasWaited = !isChecked;
    end();
    await other;
    assert.deepEqual([hasWaited, (await checked).json.lineCount], [true, 3]);
  });

  test('if the session ends while a file or a preview is being sent, the answer is 401', async (t) => {
    const { service, db, person } = await start(t);
    const setEnd = (ended_at: number | null) =>
      db.transaction().execute((trx) => trx.updateTable('sessions').set({ ended_at }).execute());
    const send = async (path: string, type: string, body: string) => {
      const headers = {
        Host: 'localhost',
        Origin: 'http://localhost:8080',
        Cookie: person.cookie,
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(body),
        Expect: '100-continue',
      };
      const request = httpRequest({ port: service.port, host: '127.0.0.1', method: 'POST', path, headers });
      request.flushHeaders();
      // The server sends this once it has admitted the session.
      await once(request, 'continue');
      await setEnd(1);
      request.end(body);
      const [response] = await once(request, 'response');
      await text(response);
      await setEnd(null);
      return response.statusCode;
    };
    const look = JSON.stringify({ theme: 'business', accent: '', secondButton: null });
    assert.equal(await send(`/admin/imports/check?${chosen}`, 'text/csv', CSV), 401);
    assert.equal(await send('/admin/site-preview', 'application/json', look), 401);
  });

  test('an import can be started, watched, and downloaded as a report of skipped lines', async (t) => {
    const { person, run } = await start(t);
    const started = await upload(person, `imports?${chosen}&name=${encodeURIComponent('Kunden 2026.csv')}`);
    assert.equal(started.status, 201);
    const { id } = started.json;
    assert.deepEqual(
      [started.json.state, started.json.lineCount, started.json.fileName],
      ['running', 3, 'Kunden 2026.csv'],
    );
    const second = await upload(person, `imports?${chosen}&name=b.csv`);
    assert.deepEqual([second.status, second.json.error.why], [409, { reason: 'import_running' }]);
    await run();
    const { json } = await person.get(`imports/${id}`);
    assert.deepEqual([json.state, json.createdCount, json.skippedCount], ['done', 2, 1]);
    assert.deepEqual(json.skipped, [
      { number: 3, name: 'Shop', failures: [{ field: 'account_subdomain', code: 'reserved' }] },
    ]);
    assert.deepEqual((await person.get('imports')).json.imports[0].id, id);
    const report = await person.get(`imports/${id}/report?skipped`);
    assert.match(report.headers['content-disposition']!, /import-\d+-skipped\.csv/);
    assert.deepEqual(report.text.trimEnd().split('\r\n').slice(1), [
      '3,skipped,Shop,www,Sam,sam@shop.example,,,,,account_subdomain is reserved',
    ]);
  });

  test('empty customer files, types that a form could send, and columns outside of the file are refused', async (t) => {
    const { service, db, person } = await start(t);
    const empty = await upload(person, 'imports/check', 'a,b\n');
    assert.deepEqual([empty.status, empty.json.error.fields], [422, [{ field: 'file', code: 'no_lines' }]]);
    assert.equal((await upload(person, 'imports/check', CSV, 'text/plain')).status, 400);
    const beyond = new URLSearchParams({ columns: JSON.stringify({ ...columns, plan: 9 }), name: 'a.csv' });
    assert.deepEqual((await upload(person, `imports?${beyond}`)).json.error.fields, [
      { field: 'plan', code: 'in_no_column' },
    ]);
    for (const wrong of ['{', '[]', '{"plan":"x"}']) {
      const { status } = await upload(person, `imports?name=a.csv&columns=${encodeURIComponent(wrong)}`);
      assert.ok(status === 400 || status === 422, wrong);
    }
    const { accountId: other } = await makeAccount(db);
    const stranger = await signedInAs(service, db, other);
    const { id } = (await upload(person, `imports?${chosen}&name=a.csv`)).json;
    assert.equal((await stranger.get(`imports/${id}/report`)).status, 404);
  });
});
