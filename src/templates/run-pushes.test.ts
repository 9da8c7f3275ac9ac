import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runCliJson } from '../../test/cli.ts';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { actor, addresses, makeAccount, makePage, quota, settings, unique } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { makeImage, ownerOf } from '../../test/template-site.ts';
import { createCustomer, type PreparedCustomer } from '../accounts/create-customer.ts';
import { createCustomerFromSite } from '../accounts/create-customer-from-site.ts';
import { prepareInvitedCustomer } from '../accounts/prepare-invited-customer.ts';
import { listAuditEvents } from '../audit/list-audit-events.ts';
import { type Actor, operator, type UserActor } from '../audit/record-audit-event.ts';
import { readConfig } from '../config.ts';
import { changeAgencyAccess } from '../impersonations/agency-access.ts';
import { openMediaStore } from '../media/open-store.ts';
import { changeMember } from '../membership/change-member.ts';
import { removeMember } from '../membership/remove-member.ts';
import { deletePage } from '../pages/delete-page.ts';
import { updatePage } from '../pages/update-page.ts';
import { updatePlan } from '../plans/change-plan.ts';
import { listPlans } from '../plans/plans.ts';
import type { ActingUser } from '../users/roles.ts';
import { offerTemplate } from './change-template.ts';
import { comparePage, previewPush } from './preview-push.ts';
import { readResult } from './push-result.ts';
import { getPush, listPushSites, startPush, undoPush } from './pushes.ts';
import { readTemplate } from './read-site.ts';
import { runPushes } from './run-pushes.ts';
import { stopPush } from './stop-push.ts';

onEachDatabase('pushes of a template', (open) => {
  test('a push updates unchanged pages, leaves changed ones, and can be undone on all sites', async (t) => {
    const app = await start(t, await open(t));
    const { sites, edit, namesOf, bodyOf, preview, push, run, undo } = app;
    const [plain, edited, cut] = sites as [number, number, number];
    await edit(edited, 'Bread', { body: 'Their own bread' });
    await app.remove(cut, 'Bread');
    await makePage(app.db, edited, { userId: await ownerOf(app.db, edited), name: 'News' });
    const src = await makeImage(app, app.siteId, app.userId, 'b');
    await edit(app.siteId, 'Home', { body: `<img src="${src}">`, name: 'Start', urlname: 'start' });
    await edit(app.siteId, 'Bread', { body: 'Fresh bread' });
    const news = await app.page({ name: 'News', body: 'News' });
    await app.page({ name: 'May', parentId: String(news), body: 'In May' });
    await app.remove(app.siteId, 'Contact');
    const before = await Promise.all(sites.map((site) => app.textsOf(site)));

    const planned = await preview();
    const gone = { kind: 'left', reason: 'removed', name: 'Contact' };
    assert.deepEqual(planned[plain], [
      ...[
        { kind: 'update', name: 'Home' },
        { kind: 'update', name: 'Bread' },
        { kind: 'add', name: 'News' },
      ],
      ...[{ kind: 'add', name: 'May' }, gone],
    ]);
    assert.deepEqual(planned[edited], [
      { kind: 'update', name: 'Home' },
      { kind: 'left', reason: 'changed', name: 'Bread' },
      { kind: 'left', reason: 'name_taken', name: 'News' },
      { kind: 'left', reason: 'no_parent', name: 'May' },
      gone,
    ]);
    assert.deepEqual(planned[cut]!.slice(0, 2), [
      { kind: 'update', name: 'Home' },
      { kind: 'left', reason: 'deleted', name: 'Bread' },
    ]);

    const id = await push();
    assert.equal(await run(), 3);
    const done = await getPush(app.db, app.accountId, id);
    assert.deepEqual([done.sites.done, done.changedPages, done.leftPages], [3, 8, 7]);
    assert.ok(done.finished_at);
    assert.deepEqual(await namesOf(plain), ['Bread', 'Contact', 'May', 'News', 'Start']);
    assert.equal(await bodyOf(plain, 'Bread'), 'Fresh bread');
    assert.equal(await bodyOf(edited, 'Bread'), 'Their own bread');
    assert.equal(await bodyOf(cut, 'Start'), `<img src="${src}">`);
    for (const site of sites) {
      const images = await app.db
        .selectFrom('media')
        .select(['name', 'folder'])
        .where('account_id', '=', site)
        .execute();
      assert.deepEqual(
        images.map(({ name }) => name),
        ['b.png'],
      );
      assert.ok(images[0]!.folder.startsWith(`${site}/`));
    }
    const log = await app.db.selectFrom('audit_log').selectAll().where('account_id', '=', plain).execute();
    const last = log.filter(({ action }) => action === 'page.updated_from_template').at(-1)!;
    assert.deepEqual(
      [last.actor, last.user_id, last.ip, JSON.parse(last.details)],
      [...[`Account ${app.subdomain}`, null, null], { template: 'Bakery', name: 'Bread' }],
    );
    // The sites are in sync now.
    assert.deepEqual((await preview())[plain], [gone]);
    assert.deepEqual(await runCliJson(app.config, 'doctor'), { ok: true, problems: [], notes: [] });

    await edit(cut, 'Start', { body: 'Changed since' });
    await undo(id);
    assert.equal(await run(), 3);
    const undone = await getPush(app.db, app.accountId, id);
    assert.deepEqual([undone.sites.undone, undone.changedPages, undone.leftPages], [3, 7, 1]);
    assert.ok(undone.undone_at);
    const [, , last2] = await listPushSites(app.db, id, { after: 0, limit: 10 });
    assert.deepEqual(
      readResult(last2!.result).kept!.map(({ name }) => name),
      ['Start'],
    );
    assert.deepEqual(await app.textsOf(plain), before[0]);
    assert.deepEqual(await app.textsOf(edited), before[1]);
    assert.equal(await bodyOf(cut, 'Start'), 'Changed since');
    // A change that was undone can be pushed again.
    assert.deepEqual((await preview())[plain], planned[plain]);
    assert.deepEqual(await runCliJson(app.config, 'doctor'), { ok: true, problems: [], notes: [] });
  });

  test('a push reaches each site once, with several processes at once and after a shutdown', async (t) => {
    const app = await start(t, await open(t), 12);
    await app.edit(app.siteId, 'Home', { body: 'Once' });
    const id = await app.push();
    const stopping = new AbortController();
    stopping.abort();
    assert.equal(await app.run(stopping.signal), 0);
    await Promise.all([app.run(), app.run(), app.run()]);
    const { sites, changedPages } = await getPush(app.db, app.accountId, id);
    assert.deepEqual([sites.done, changedPages], [12, 12]);
    const revisions = await app.db
      .selectFrom('revisions')
      .select((e) => ['account_id', e.fn.countAll<number>().as('count')])
      .where('account_id', 'in', app.sites)
      .groupBy('account_id')
      .execute();
    assert.deepEqual(
      revisions.map(({ count }) => count),
      Array(12).fill(1),
    );
  });

  test('a push can be stopped, and starts only with the version that was previewed, one at a time', async (t) => {
    const app = await start(t, await open(t));
    await app.edit(app.siteId, 'Home', { body: 'Stopped' });
    const { version } = await app.previewed();
    await app.edit(app.siteId, 'Home', { body: 'Later' });
    const startAt = (seenVersion: number) =>
      app.db
        .transaction()
        .execute((trx) => startPush(trx, app.accountId, { templateId: app.template, seenVersion }, operator));
    await assert.rejects(startAt(version), /template_changed/);
    const id = await app.push();
    await assert.rejects(app.push(), /push_under_way/);
    await app.db.transaction().execute((trx) => stopPush(trx, app.accountId, id, operator));
    assert.equal(await app.run(), 0);
    const { sites } = await getPush(app.db, app.accountId, id);
    assert.deepEqual([sites.stopped, sites.done], [3, 0]);
    const again = await app.push();
    await app.run();
    await assert.rejects(app.undo(id), /later_push/);
    await app.undo(again);
    await app.run();
    await assert.rejects(app.undo(again), /undone_already/);
    assert.equal(await app.bodyOf(app.sites[0]!, 'Home'), 'Welcome');
  });

  for (const [how, lose] of [
    ['removed', removeMember],
    ['demoted', (trx, account, id, by) => changeMember(trx, account, id, { role: 'editor', withKeys: false }, by)],
  ] satisfies [string, typeof removeMember][]) {
    test(`a push or undo stops when the user who started it is ${how}, and others can undo it`, async (t) => {
      const app = await start(t, await open(t));
      const owner: ActingUser = { ...actor(await ownerOf(app.db, app.accountId)), role: 'owner' };
      const makeAdmin = async () => actor((await makeUser(app.db, app.accountId, { role: 'admin' })).id);
      const [ann, ben, cid] = [await makeAdmin(), await makeAdmin(), await makeAdmin()];
      const loseAccess = ({ userId }: UserActor) =>
        app.db.transaction().execute((trx) => lose(trx, app.accountId, userId, owner));
      const countStates = async () => {
        const { sites } = await getPush(app.db, app.accountId, id);
        return Object.fromEntries(Object.entries(sites).filter(([, count]) => count > 0));
      };
      await app.edit(app.siteId, 'Home', { body: 'Welcome to all' });
      const id = await app.push(ann);
      await loseAccess(ben);
      await app.runOnce();
      await loseAccess(ann);
      assert.equal(await app.run(), 0);
      assert.deepEqual(await countStates(), { done: 1, stopped: 2 });
      await app.undo(id, cid);
      await loseAccess(cid);
      assert.equal(await app.run(), 0);
      assert.deepEqual(await countStates(), { done: 1, stopped: 2 });
      await app.undo(id, owner);
      assert.equal(await app.run(), 1);
      assert.deepEqual(await countStates(), { undone: 1, stopped: 2 });
      assert.equal(await app.bodyOf(app.sites[0]!, 'Home'), 'Welcome');
      const log = await listAuditEvents(app.db, app.accountId, { by: undefined, before: undefined, limit: 20 });
      assert.deepEqual(
        log.map(({ action }) => action).filter((action) => action.startsWith('template.push')),
        ['undone', 'undo_stopped', 'undone', 'stopped', 'ed'].map(
          (what) => `template.push${what === 'ed' ? '' : '_'}${what}`,
        ),
      );
    });
  }

  test('a push waits while the agency is suspended', async (t) => {
    const app = await start(t, await open(t));
    const setStatus = (status: 'active' | 'suspended') =>
      app.db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ status }).where('id', '=', app.accountId).execute());
    await app.edit(app.siteId, 'Home', { body: 'Welcome to all' });
    await app.push();
    await setStatus('suspended');
    assert.equal(await app.run(), 0);
    await setStatus('active');
    assert.equal(await app.run(), 3);
  });

  test('an undo can be started again for sites on which it failed', async (t) => {
    const app = await start(t, await open(t), 2);
    await app.edit(app.siteId, 'Home', { body: 'Welcome to all' });
    const id = await app.push();
    await app.run();
    await app.undo(id);
    await app.run(undefined, 1);
    const failed = await getPush(app.db, app.accountId, id);
    assert.deepEqual([failed.sites.done, failed.undone_at !== null], [2, true]);
    const [site] = await listPushSites(app.db, id, { after: 0, limit: 1 });
    assert.equal(readResult(site!.result).failure!.fields![0]!.code, 'no_room');
    assert.equal(await app.bodyOf(app.sites[0]!, 'Home'), 'Welcome to all');
    await app.undo(id);
    await app.run();
    assert.deepEqual((await getPush(app.db, app.accountId, id)).sites.undone, 2);
    assert.equal(await app.bodyOf(app.sites[0]!, 'Home'), 'Welcome');
  });

  test('a page beyond the plan’s limit is left out, and a site without storage for images is reported as failed', async (t) => {
    const app = await start(t, await open(t), 1);
    const [plan] = await listPlans(app.db, app.accountId);
    const limit = (limits: object) =>
      app.db.transaction().execute((trx) => updatePlan(trx, app.accountId, { planId: plan!.id, ...limits }, operator));
    await app.page({ name: 'News' });
    await limit({ pages: 3 });
    const first = await app.push();
    await app.run();
    const [site] = await listPushSites(app.db, first, { after: 0, limit: 1 });
    assert.deepEqual(
      readResult(site!.result).left.map(({ reason }) => reason),
      ['plan_limit'],
    );
    const src = await makeImage(app, app.siteId, app.userId, 'c');
    await limit({ pages: null, storage: 0 });
    await app.edit(app.siteId, 'Home', { body: `<img src="${src}">` });
    const second = await app.push();
    await app.run();
    const [failed] = await listPushSites(app.db, second, { after: 0, limit: 1 });
    const { failure } = readResult(failed!.result);
    assert.deepEqual([failed!.state, failure!.fields![0]!.code], ['failed', 'plan_limit']);
    assert.equal(await app.bodyOf(app.sites[0]!, 'Home'), 'Welcome');
    assert.deepEqual(await runCliJson(app.config, 'doctor'), { ok: true, problems: [], notes: [] });
  });

  test('a push and its undo change nothing on the site of a customer who does not allow its agency there', async (t) => {
    const app = await start(t, await open(t), 1);
    const [site] = app.sites as [number];
    const allow = (isAllowed: boolean) =>
      app.db.transaction().execute((trx) => changeAgencyAccess(trx, site, { isAllowed }, operator));
    const result = async (push: number) => {
      const [row] = await listPushSites(app.db, push, { after: 0, limit: 1 });
      return { state: row!.state, ...readResult(row!.result) };
    };
    await app.edit(app.siteId, 'Home', { body: 'Welcome to all' });
    const news = await app.page({ name: 'News' });
    await allow(false);
    const left = { kind: 'left', reason: 'not_allowed' };
    assert.deepEqual((await app.preview())[site], [
      { ...left, name: 'Home' },
      { ...left, name: 'News' },
    ]);
    const refused = await app.push();
    await app.run();
    const { pages, left: refusedPages } = await result(refused);
    assert.deepEqual(
      [pages, refusedPages.map(({ sourceId }) => sourceId)],
      [[], [(await app.pageOf(app.siteId, 'Home')).id, news]],
    );
    assert.equal(await app.bodyOf(site, 'Home'), 'Welcome');

    await allow(true);
    const push = await app.push();
    await app.run();
    assert.equal(await app.bodyOf(site, 'Home'), 'Welcome to all');
    await allow(false);
    await app.undo(push);
    await app.run();
    const { state, failure } = await result(push);
    assert.deepEqual([state, failure!.why!.reason], ['done', 'impersonation_forbidden']);
    assert.equal(await app.bodyOf(site, 'Home'), 'Welcome to all');
    await allow(true);
    await app.undo(push);
    await app.run();
    assert.equal(await app.bodyOf(site, 'Home'), 'Welcome');
  });

  test('the preview of a push tells nothing of a site whose owner does not allow its agency there', async (t) => {
    const app = await start(t, await open(t), 1);
    const [site] = app.sites as [number];
    await app.edit(app.siteId, 'Home', { body: 'Welcome to all' });
    await app.edit(site, 'Home', { name: 'Plans for next year', body: 'We close.' });
    const left = { kind: 'left', reason: 'changed' };
    assert.deepEqual((await app.preview())[site], [{ ...left, name: 'Plans for next year' }]);
    await app.db.transaction().execute((trx) => changeAgencyAccess(trx, site, { isAllowed: false }, operator));
    assert.deepEqual((await app.preview())[site], [{ ...left, reason: 'not_allowed', name: 'Home' }]);
  });

  test('pages can be compared with the template’s, in which its own host is left out of addresses', async (t) => {
    const app = await start(t, await open(t), 1);
    const [site] = app.sites as [number];
    const { subdomain } = await app.siteOf(app.siteId);
    const host = `${subdomain}.${addresses.sitesDomain.replace(/:\d+$/, '')}`;
    await app.edit(app.siteId, 'Bread', { body: `<a href="https://${host}/bread">Bread</a>` });
    await app.edit(site, 'Bread', { body: 'Their own bread' });
    const compare = async (name: string) => {
      const { id: sourceId } = await app.pageOf(app.siteId, name);
      return comparePage(app.db, app.accountId, { siteId: site, sourceId }, addresses);
    };
    const { template, site: theirs } = await compare('Bread');
    assert.equal(template?.body, '<a href="/bread">Bread</a>');
    assert.equal(theirs?.body, 'Their own bread');
    await app.remove(site, 'Contact');
    assert.equal((await compare('Contact')).site, null);
    const another = comparePage(app.db, site, { siteId: site, sourceId: 1 }, addresses);
    await assert.rejects(another, { code: 'not_found' });
  });
});

/** Creates an agency with a template of three pages, and sites that were made from it. */
async function start(t: TestContext, database: TestDatabase, count = 3) {
  const { db, config } = database;
  const subdomain = unique('agency');
  const { accountId } = await makeAccount(db, subdomain);
  const store = openMediaStore(readConfig({ DATA_DIR: config.dataDir }));
  const limits = { ...addresses, pageQuota: quota, mediaQuota: quota };
  const dependencies = { db, store, config: limits, onError: (error: unknown) => void errors.push(error) };
  const errors: unknown[] = [];
  t.after(() => assert.deepEqual(errors, []));
  const create = async (customer: PreparedCustomer) =>
    db.transaction().execute((trx) => createCustomer(trx, accountId, customer, settings, operator));
  const prepare = () => {
    const values = { accountName: 'Site', subdomain: unique('site'), userName: 'Sue', userEmail: 'sue@example.com' };
    return prepareInvitedCustomer(db, accountId, values);
  };
  const siteId = await create({ ...(await prepare()), withDefaultPages: false });
  const userId = await ownerOf(db, siteId);
  const page = (input: object) => makePage(db, siteId, { userId, ...input });
  await page({ name: 'Home', body: 'Welcome' });
  await page({ name: 'Bread', body: 'Bread' });
  await page({ name: 'Contact', body: 'Write to us' });
  const template = await db
    .transaction()
    .execute((trx) => offerTemplate(trx, accountId, { siteId, name: 'Bakery' }, operator));
  const site = await readTemplate(db, accountId, template, addresses);
  const sites: number[] = [];
  while (sites.length < count) sites.push(await createCustomerFromSite(dependencies, await prepare(), site, create));

  const pageOf = async (account: number, name: string) =>
    db
      .selectFrom('pages')
      .selectAll()
      .where('account_id', '=', account)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
  const previewed = () => previewPush(db, accountId, { templateId: template, after: 0, limit: 50 }, addresses);
  return {
    db,
    config,
    accountId,
    subdomain,
    siteId,
    userId,
    template,
    sites,
    page,
    pageOf,
    previewed,
    siteOf: (id: number) =>
      db.selectFrom('accounts').select('subdomain').where('id', '=', id).executeTakeFirstOrThrow(),
    edit: async (account: number, name: string, fields: object) => {
      const { id } = await pageOf(account, name);
      const by = actor(await ownerOf(db, account));
      await db.transaction().execute((trx) => updatePage(trx, account, { id, basedOn: undefined, fields, quota }, by));
    },
    remove: async (account: number, name: string) => {
      const { id } = await pageOf(account, name);
      const by = actor(await ownerOf(db, account));
      await db.transaction().execute((trx) => deletePage(trx, account, id, by));
    },
    bodyOf: async (account: number, name: string) => (await pageOf(account, name)).body,
    namesOf: async (account: number) => {
      const pages = db.selectFrom('pages').select('name').where('account_id', '=', account).orderBy('name');
      return (await pages.execute()).map(({ name }) => name);
    },
    textsOf: (account: number) =>
      db
        .selectFrom('pages')
        .select(['id', 'name', 'urlname', 'body', 'status', 'position'])
        .where('account_id', '=', account)
        .orderBy('id')
        .execute(),
    /** Returns the planned changes by site, without the pages' ids. */
    preview: async () => {
      const planned = await previewed();
      return Object.fromEntries(
        planned.sites.map((each) => [
          each.siteId,
          each.changes.map((change) => {
            const { kind, name, reason } = { name: '', reason: undefined, ...change };
            return { kind, ...(reason && { reason }), name };
          }),
        ]),
      );
    },
    push: async (by: Actor = operator) => {
      const { version: seenVersion } = await previewed();
      return db.transaction().execute((trx) => startPush(trx, accountId, { templateId: template, seenVersion }, by));
    },
    undo: (id: number, by: Actor = operator) => db.transaction().execute((trx) => undoPush(trx, accountId, id, by)),
    /** Runs the push for only one site. */
    runOnce: async () => {
      let asked = 0;
      const signal = {
        get aborted() {
          asked += 1;
          return asked > 1;
        },
      };
      assert.equal(await runPushes(dependencies, signal as AbortSignal), 1);
    },
    run: (signal?: AbortSignal, pageQuota = quota) =>
      runPushes({ ...dependencies, config: { ...limits, pageQuota } }, signal),
  };
}
