import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCliJson } from '../../../test/cli.ts';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeCustomer, makePage, quota, unique } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { makeImage, ownerOf } from '../../../test/template-site.ts';
import { visit } from '../../../test/visit.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { readConfig } from '../../config.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { changeAgencyAccess } from '../../impersonations/agency-access.ts';
import { openMediaStore } from '../../media/open-store.ts';
import { saveDraft } from '../../pages/drafts.ts';
import { updatePage } from '../../pages/update-page.ts';
import { updatePlan } from '../../plans/change-plan.ts';
import { listPlans } from '../../plans/plans.ts';
import { changeSite } from '../../sites/change-site.ts';

onEachDatabase('templates', (open) => {
  /** Creates an agency with a customer, "bakery", whose site has pages of all kinds. */
  async function start(t: TestContext) {
    const started = await startWithAccount(t, open);
    const { service, db, database, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'admin');
    const siteId = await makeCustomer(db, accountId, 'bakery');
    const userId = await ownerOf(db, siteId);
    const by = actor(userId);
    const src = await makeImage(database, siteId, userId);
    const page = (input: object) => makePage(db, siteId, { userId, ...input });
    const home = await page({
      name: 'Home',
      body: `<img src="http://bakery.localhost:8080${src}">`,
      description: 'Us',
    });
    const bread = await page({ name: 'Bread', parentId: String(home), bodyFormat: 'markdown_format', body: '# Rye' });
    const hidden = await page({ name: 'Imprint', isHidden: 'true' });
    await page({ name: 'Plans', isPublished: 'false' });
    const contact = await page({ name: 'Contact' });
    const isDefault = { status: 'default' } as const;
    await db
      .transaction()
      .execute((trx) => trx.updateTable('pages').set(isDefault).where('id', '=', contact).execute());
    const fields = { customDate: Date.UTC(2020, 1, 2), body: '# Rye bread', urlname: 'our-bread' };
    await db.transaction().execute(async (trx) => {
      await updatePage(trx, siteId, { id: bread, basedOn: undefined, fields, quota }, by);
      await saveDraft(trx, siteId, { id: home, userId, fields: { name: 'Begin' }, basedOn: 1, draftAt: null, quota });
      await addDomain(trx, siteId, 'www.bakery.example', operator);
      await changeSite(trx, siteId, { theme: 'business', accent: '#aa0055', language: 'de', secondButton: hidden });
    });
    const create = async (input: object) => {
      const values = { name: 'Copy', subdomain: unique('copy'), userName: 'Cora', email: 'cora@example.com' };
      return person.post('customers', { ...values, ...input });
    };
    const offer = async () => {
      const { status, json } = await person.post('templates', { siteId, name: 'Bakery', description: 'Sells bread' });
      assert.equal(status, 201, JSON.stringify(json));
      return json.templates[0].id as number;
    };
    return { ...started, person, siteId, src, create, offer };
  }

  test('templates can be offered, changed, moved, retired and offered again', async (t) => {
    const { person, siteId, db, accountId, offer } = await start(t);
    assert.deepEqual((await person.get('templates')).json, { templates: [] });
    const id = await offer();
    assert.deepEqual((await person.get('templates')).json.templates, [
      {
        id,
        name: 'Bakery',
        description: 'Sells bread',
        siteId,
        siteName: 'Customer bakery',
        address: 'http://bakery.localhost:8080',
        isGone: false,
        retiredAt: null,
        sites: 0,
      },
    ]);
    const own = await person.post('templates', { siteId: accountId, name: 'Own' });
    const names = ({ json }: typeof own) => json.templates.map(({ name }: { name: string }) => name);
    assert.deepEqual(names(own), ['Bakery', 'Own']);
    const taken = await person.patch(`templates/${id}`, { name: ' Own ' });
    assert.deepEqual([taken.status, taken.json.error.fields], [422, [{ field: 'name', code: 'taken' }]]);
    assert.deepEqual(names(await person.patch(`templates/${id}`, { name: 'Bread' })), ['Bread', 'Own']);
    assert.deepEqual(names(await person.post(`templates/${id}/move`, { position: 2 })), ['Own', 'Bread']);
    const retired = (await person.post(`templates/${id}/retire`)).json.templates[1];
    assert.ok(retired.retiredAt <= Date.now());
    // Offering the site again restores its template.
    const again = (await person.post('templates', { siteId, name: 'Again' })).json.templates[1];
    assert.deepEqual([again.id, again.name, again.retiredAt], [id, 'Again', null]);
    await person.post('customers/changes', { changes: [{ kind: 'delete', id: siteId }] });
    assert.equal((await person.get('templates')).json.templates[1].isGone, true);
    const stranger = await makeCustomer(db, siteId);
    for (const other of [stranger, 999_999]) {
      assert.equal((await person.post('templates', { siteId: other, name: 'Theirs' })).status, 404);
    }
  });

  test('templates are not read from a customer that forbids the agency to sign in', async (t) => {
    const { db, person, siteId, create, offer } = await start(t);
    const templateId = await offer();
    const { id: copyId } = (await create({ templateId })).json as { id: number };
    const { id: source } = await db
      .selectFrom('pages')
      .select('id')
      .where('account_id', '=', siteId)
      .where('name', '=', 'Plans')
      .executeTakeFirstOrThrow();
    const compare = () => person.get(`template-sites/${copyId}/page?source=${source}`);
    assert.deepEqual([(await compare()).json.template.name, (await compare()).json.site.name], ['Plans', 'Plans']);
    const requests = () => [
      create({ templateId }),
      create({ siteId }),
      person.post('templates', { siteId, name: 'Again' }),
      person.get(`templates/${templateId}/preview`),
      compare(),
    ];
    const outcomes = async () => (await Promise.all(requests())).map(({ json }) => json.error?.why?.reason);
    const forbid = (id: number, isAllowed: boolean) =>
      db.transaction().execute((trx) => changeAgencyAccess(trx, id, { isAllowed }, operator));
    await forbid(siteId, false);
    assert.deepEqual(await outcomes(), Array(5).fill('impersonation_forbidden'));
    await forbid(siteId, true);
    assert.deepEqual(await outcomes(), Array(5).fill(undefined));
    // Nor may a comparison show a page of a site that was created from the template, if that customer forbids it.
    await forbid(copyId, false);
    assert.equal((await compare()).json.error.why.reason, 'impersonation_forbidden');
  });

  test('an account can offer its own site even if it forbids its own agency to sign in', async (t) => {
    const { db, person, accountId, create } = await start(t);
    await db.transaction().execute((trx) => changeAgencyAccess(trx, accountId, { isAllowed: false }, operator));
    assert.equal((await person.post('templates', { siteId: accountId, name: 'Own' })).status, 201);
    assert.equal((await create({ siteId: accountId })).status, 201);
  });

  test("a new customer gets a template's pages, images and look, and nothing else", async (t) => {
    const { service, db, database, person, siteId, src, create, offer } = await start(t);
    const templateId = await offer();
    const { status, json } = await create({ templateId, subdomain: 'copy' });
    assert.equal(status, 201, JSON.stringify(json));
    const { id } = json as { id: number };
    const pagesOf = async (account: number) => {
      const rows = await db.selectFrom('pages').selectAll().where('account_id', '=', account).orderBy('id').execute();
      const names = new Map(rows.map((row) => [row.id, row.name]));
      return rows
        .filter((row) => row.status !== 'default')
        .map((row) => ({
          name: row.name,
          urlname: row.urlname,
          parent: names.get(row.parent_id!),
          position: row.position,
          hidden: row.is_hidden,
          status: row.status,
          format: row.body_format,
          description: row.description,
          date: row.name === 'Bread' && row.custom_date,
          body: row.body.replace('http://bakery.localhost:8080', ''),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    };
    assert.deepEqual(await pagesOf(id), await pagesOf(siteId));
    const look = ['theme', 'accent', 'language', 'editor'] as const;
    const accounts = db.selectFrom('accounts').select(look);
    const lookOf = (account: number) => accounts.where('id', '=', account).executeTakeFirstOrThrow();
    assert.deepEqual(await lookOf(id), await lookOf(siteId));
    const { name } = await db
      .selectFrom('pages')
      .innerJoin('accounts', 'accounts.second_button_page_id', 'pages.id')
      .select('pages.name')
      .where('accounts.id', '=', id)
      .where('pages.account_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(name, 'Imprint');
    for (const table of ['drafts', 'revisions', 'domains', 'api_keys', 'redirects'] as const) {
      const rows = await db.selectFrom(table).select('account_id').where('account_id', '=', id).execute();
      assert.deepEqual(rows, [], table);
    }
    assert.deepEqual((await person.get('templates')).json.templates[0].sites, 1);
    const { customers } = (await person.get(`customers?template=${templateId}`)).json;
    assert.deepEqual(
      customers.map((customer: { id: number }) => customer.id),
      [id],
    );
    assert.deepEqual((await person.get('customers?template=999')).json.customers, []);

    const home = await visit(service, 'copy.localhost', '/');
    assert.match(home.text, /src="\/media\/a+-2x1\.webp"/);
    // The copied image stays when the original is deleted for good.
    await runCliJson(database.config, 'account', 'delete', 'bakery', '--yes', 'bakery');
    const image = await service.request('GET', src, { headers: { Host: 'copy.localhost' } });
    assert.deepEqual([image.status, image.text], [200, 'a']);
    assert.deepEqual(await runCliJson(database.config, 'doctor'), { ok: true, problems: [], notes: [] });
    const log = await db.selectFrom('audit_log').selectAll().where('account_id', '=', id).execute();
    assert.deepEqual(
      log.map(({ action, details }) => [action, JSON.parse(details).template]),
      [['account.created', 'Bakery']],
    );
  });

  test('a customer cannot be created from a retired template, or from a site of another account', async (t) => {
    const { db, accountId, person, siteId, create, offer } = await start(t);
    const templateId = await offer();
    await person.post(`templates/${templateId}/retire`);
    const other = await makeCustomer(db, siteId);
    for (const input of [{ templateId }, { templateId: 999_999 }, { siteId: other }]) {
      const { status, json } = await create(input);
      assert.deepEqual([status, json.error?.fields], [422, [{ field: 'start', code: 'not_included' }]]);
    }
    assert.equal((await create({ siteId: accountId })).status, 201);
  });

  test('if a template exceeds the limits of the plan, no customer is created and no files are left', async (t) => {
    const { db, database, accountId, create, siteId } = await start(t);
    const [plan] = await listPlans(db, accountId);
    const limits = { planId: plan!.id, pages: 3 };
    await db.transaction().execute((trx) => updatePlan(trx, accountId, limits, operator));
    const before = await readdir(join(database.config.dataDir, 'media'));
    const { status, json } = await create({ siteId });
    assert.equal(status, 422);
    assert.deepEqual(json.error.fields, [
      {
        field: 'planId',
        code: 'plan_limit',
        params: { limit: 'pages', used: 0, max: 3, seller: json.error.fields[0].params.seller },
      },
    ]);
    const keys: string[] = [];
    for await (const { key } of openMediaStore(readConfig({ DATA_DIR: database.config.dataDir })).list())
      keys.push(key);
    assert.deepEqual(
      keys.filter((key) => !before.includes(key.split('/')[0]!)),
      [],
    );
    await db.transaction().execute((trx) => updatePlan(trx, accountId, { ...limits, pages: 4, storage: 0 }, operator));
    assert.equal((await create({ siteId })).json.error.fields[0].params.limit, 'storage');
    await db.transaction().execute((trx) => updatePlan(trx, accountId, { ...limits, pages: 4, storage: 1 }, operator));
    assert.equal((await create({ siteId })).status, 201);
  });

  test('a site with more than 500 pages cannot be copied', async (t) => {
    const { db, siteId, create } = await start(t);
    const userId = await ownerOf(db, siteId);
    const row = {
      account_id: siteId,
      parent_id: null,
      is_hidden: 0,
      body: '',
      description: null,
      body_format: '',
    } as const;
    const rest = { custom_date: 1, created_at: 1, created_by: userId, updated_at: 1, updated_by: userId, version: 1 };
    const rows = Array.from({ length: 500 }, (_, index) => {
      const name = `many-${index}`;
      return { ...row, ...rest, name, urlname: name, position: 100 + index };
    });
    await db.transaction().execute((trx) => trx.insertInto('pages').values(rows).execute());
    const { status, json } = await create({ siteId });
    assert.deepEqual(
      [status, json.error.why],
      [409, { reason: 'site_too_large', params: { pages: 500, megabytes: 10 } }],
    );
  });

  test('the operator can manage templates and pushes on the command line', async (t) => {
    const { database, db, accountId, siteId } = await start(t);
    const { config } = database;
    const run = (...args: string[]) => runCliJson(config, ...args, '--account', `account_${accountId}`);
    const { template } = await run('template', 'offer', 'bakery', '--name', 'Bakery');
    assert.deepEqual([template.name, template.site_subdomain, template.sites], ['Bakery', 'bakery', 0]);
    const who = ['--account-name', 'C', '--user-name', 'Cora', '--user-email', 'cora@example.com'];
    await run('customer', 'create', ...who, '--subdomain', 'one', '--template', 'Bakery');
    await run('customer', 'create', ...who, '--subdomain', 'two', '--site', 'bakery');
    const count = async (subdomain: string) => {
      const pages = db.selectFrom('pages').innerJoin('accounts', 'accounts.id', 'pages.account_id').select('pages.id');
      return (await pages.where('accounts.subdomain', '=', subdomain).execute()).length;
    };
    assert.deepEqual([await count('one'), await count('two')], [4, 4]);
    const bread = db.selectFrom('pages').select('id').where('account_id', '=', siteId).where('name', '=', 'Imprint');
    const { id } = await bread.executeTakeFirstOrThrow();
    const change = { id, basedOn: undefined, fields: { body: 'Who we are' }, quota };
    await db
      .transaction()
      .execute(async (trx) => updatePage(trx, siteId, change, actor(await ownerOf(trx as never, siteId))));
    const { sites } = await run('template', 'push', 'Bakery', '--preview');
    assert.deepEqual([sites.length, sites[0].updated, sites[0].left], [1, 1, []]);
    const counts = { sites: 1, failed_sites: 0, pages: 1, left_pages: 0 };
    assert.deepEqual((await run('template', 'push', 'Bakery')).push, counts);
    assert.deepEqual((await run('template', 'push', 'Bakery', '--preview')).sites[0].updated, 0);
    assert.deepEqual((await run('template', 'undo', 'Bakery')).push, counts);
    await run('template', 'change', 'Bakery', '--name', 'Bread');
    await run('template', 'move', 'Bread', '3');
    assert.ok((await run('template', 'retire', 'Bread')).template.retired_at);
    assert.equal((await run('template', 'restore', 'Bread')).template.retired_at, null);
    assert.equal((await run('template', 'list')).templates[0].sites, 1);
  });
});
