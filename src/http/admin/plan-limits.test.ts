import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeCustomer, settings, unique } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { changePlan } from '../../accounts/change-customer.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { LimitReached } from '../../errors.ts';
import { type AddedMedia, addMedia } from '../../media/add-media.ts';
import { updatePlan } from '../../plans/change-plan.ts';
import type { PlanFields } from '../../plans/plan-fields.ts';
import { createPlan } from '../../plans/plans.ts';
import { getPlanUsage, listExceededLimits } from '../../tenancy/plan-limits.ts';
import { inviteUser } from '../../users/invite-user.ts';

onEachDatabase('the limits of a plan', (open) => {
  /** Creates a customer on a plan with these limits, with an owner and a key. */
  async function start(t: Parameters<typeof open>[0], limits: Omit<PlanFields, 'name'>) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId: seller } = started;
    const run = <T>(work: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) =>
      db.transaction().execute(work) as Promise<T>;
    const input = { name: 'Small', price: '9', interval: 'month', isDefault: false, ...limits };
    const planId = await run<number>((trx) => createPlan(trx, seller, input, operator));
    const customerId = await makeCustomer(db, seller);
    await run((trx) => changePlan(trx, seller, { customerId, planId }, operator));
    const person = await signedInAs(service, db, customerId, 'owner');
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', customerId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const { key } = await run<{ key: string }>((trx) =>
      issueApiKey(trx, customerId, { userId, name: 'Program', expiresAt: null }),
    );
    const create = async (its = service) => (await its.createPage(key, { name: unique('Page') })).outcome;
    const send = (method: string, path: string, body: object = {}) => person.send(method, path, body);
    const lift = (fields: PlanFields) => run((trx) => updatePlan(trx, seller, { planId, ...fields }, operator));
    const usage = () => getPlanUsage(db, customerId);
    const by = actor(userId);
    return { ...started, seller, customerId, by, planId, person, run, create, send, lift, usage };
  }

  const made = [200, { response: true, errors: [] }];
  const full = (text: string) => [422, { response: false, errors: [['plan', text]] }];

  test('the limit on pages applies to the API, the app, copies, and pages restored from the trash', async (t) => {
    const { create, send, lift, usage } = await start(t, { pages: 2 });
    const isFull = ({ status, json }: { status: number; json: { error?: { fields: object[] } } }) => {
      assert.equal(status, 422, JSON.stringify(json));
      const [failure] = json.error!.fields as Array<{ field: string; code: string; params: object }>;
      assert.deepEqual([failure!.field, failure!.code], ['plan', 'plan_limit']);
    };
    assert.deepEqual(await create(), made);
    const page = (await send('POST', 'pages', { name: 'Second' })).json;
    assert.deepEqual(await create(), full('allows at most 2 pages'));
    isFull(await send('POST', 'pages', { name: 'Third' }));
    isFull(await send('POST', `pages/${page.id}/duplicate`));
    const { undo } = (await send('DELETE', `pages/${page.id}`)).json;
    assert.deepEqual(await create(), made);
    isFull(await send('POST', `trash/pages/${page.id}/restore`));
    isFull(await send('POST', `undo/${undo}`));
    assert.deepEqual((await usage()).pages, { used: 2, limit: 2 });
    await lift({ pages: 3 });
    assert.equal((await send('POST', `undo/${undo}`)).status, 200);
    await lift({ pages: null });
    assert.deepEqual(await create(), made);
    assert.deepEqual((await usage()).pages, { used: 4, limit: null });
  });

  test('a reached limit on pages is reported together with other errors of a page', async (t) => {
    const { create, send } = await start(t, { pages: 1 });
    await create();
    const { json } = await send('POST', 'pages', { name: ' ' });
    assert.deepEqual(
      json.error.fields.map(({ field }: { field: string }) => field),
      ['name', 'plan'],
    );
  });

  test('concurrent creations of pages in several processes do not exceed the limit', async (t) => {
    const { service, database, create, usage, lift } = await start(t, { pages: 10 });
    const services = [service, await startService(t, database)];
    const race = async (count: number) => {
      const outcomes = await Promise.all(Array.from({ length: count }, (_, index) => create(services[index % 2])));
      return outcomes.filter(([status]) => status === 200).length;
    };
    assert.equal(await race(30), 10);
    assert.deepEqual((await usage()).pages, { used: 10, limit: 10 });
    await lift({ pages: 11 });
    assert.equal(await race(6), 1);
  });

  test('the limit on users applies to concurrent invitations and to restored users', async (t) => {
    const { send, run, customerId, by, usage } = await start(t, { people: 4 });
    const newUser = () => ({ name: 'Ned', email: `${unique('ned')}@example.com`, role: 'editor' });
    const invite = () => run((trx) => inviteUser(trx, customerId, newUser(), { ...by, role: 'owner' }, settings));
    assert.equal((await usage()).people.used, 2);
    const { json: first } = await send('POST', 'users', newUser());
    const results = await Promise.allSettled(Array.from({ length: 4 }, invite));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await send('POST', 'users', newUser())).json.error.fields[0].code, 'plan_limit');
    assert.equal((await send('DELETE', `users/${first.id}`)).status, 204);
    await invite();
    const refused = await send('POST', `users/${first.id}/restore`);
    assert.deepEqual(refused.json.error.fields[0].params.limit, 'people');
    assert.deepEqual((await usage()).people, { used: 4, limit: 4 });
  });

  test('the limit on storage applies to concurrent uploads, repeated uploads and restored images', async (t) => {
    const { send, run, customerId, by, usage } = await start(t, { storage: 1 });
    const upload = (hash: string) => {
      const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: 'Bridge' } as const;
      const stored = { quota: 1e9, folder: unique('folder'), files: { [`${hash}-2x1.webp`]: 600_000 } };
      return run<AddedMedia>((trx) => addMedia(trx, customerId, { ...image, ...stored }, by));
    };
    const isFull = (error: unknown) => error instanceof LimitReached;
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
    const results = await Promise.allSettled([first, second].map(upload));
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const isFirst = results[0]!.status === 'fulfilled';
    const [here, missing] = isFirst ? [first, second] : [second, first];
    const { media } = await upload(here);
    assert.equal((await send('DELETE', `media/${media.id}`)).status, 200);
    await upload(missing);
    await assert.rejects(upload(here), isFull);
    assert.equal((await send('POST', `media/${media.id}/restore`)).status, 422);
    assert.deepEqual((await usage()).storage, { used: 600_000, limit: 2 ** 20 });
    const { used, quota } = (await send('GET', 'media')).json;
    assert.deepEqual([used, quota], [600_000, 2 ** 20], 'the list of images has the limit of the plan');
  });

  test('the limit on domains applies to the app, the operator and restored domains', async (t) => {
    const { send, run, customerId, usage } = await start(t, { domains: 1 });
    const add = () => send('POST', 'domains', { host: `${unique('www')}.example.com` });
    const results = await Promise.all([add(), add(), add()]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [201, 422, 422]);
    const { json: first } = results.find(({ status }) => status === 201)!;
    await assert.rejects(
      run((trx) => addDomain(trx, customerId, 'other.example', operator)),
      /plan: plan_limit/,
    );
    assert.equal((await send('DELETE', `domains/${first.id}`)).status, 204);
    assert.equal((await add()).status, 201);
    assert.equal((await send('POST', `domains/${first.id}/restore`)).status, 422);
    assert.deepEqual((await usage()).domains, { used: 1, limit: 1 });
  });

  test('a customer above the limits of a smaller plan keeps everything, but cannot add more', async (t) => {
    const { create, seller, customerId, run, usage } = await start(t, {});
    for (let count = 0; count < 3; count++) assert.deepEqual(await create(), made);
    const tiny = { name: 'Tiny', price: '1', interval: 'month', isDefault: false, pages: 2, people: 5 };
    const planId = await run<number>((trx) => createPlan(trx, seller, tiny, operator));
    await run((trx) => changePlan(trx, seller, { customerId, planId }, operator));
    assert.deepEqual(listExceededLimits(await usage()), ['pages']);
    assert.deepEqual(await create(), full('allows at most 2 pages'));
    assert.equal((await usage()).pages.used, 3);
  });

  test('limits and usage are shown to the customer and to its seller', async (t) => {
    const { service, db, seller, customerId, person, create } = await start(t, { pages: 3 });
    for (let count = 0; count < 2; count++) await create();
    const usage = {
      pages: { used: 2, limit: 3 },
      people: { used: 2, limit: null },
      storage: { used: 0, limit: null },
      domains: { used: 0, limit: null },
    };
    assert.deepEqual((await person.get('usage')).json, usage);
    const agent = await signedInAs(service, db, seller, 'accountant');
    assert.deepEqual((await agent.get(`customers/${customerId}`)).json.limits, usage);
    // A top-level account has no plan.
    const owner = await signedInAs(service, db, seller, 'owner');
    assert.deepEqual((await owner.get('usage')).json.pages, { used: 0, limit: null });
  });
});
