import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { overlapping } from '../../../test/overlap.ts';
import { signedInAs } from '../../../test/person.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { saveDraft } from '../../pages/drafts.ts';
import { reserveBytes } from '../../pages/page-bytes.ts';

const MIB = 1024 * 1024;
const options = { PAGE_QUOTA: String(MIB) };
const noRoom = ['body', "does not fit: the account's pages may take 1 MB in all"];
const made = [200, { response: true, errors: [] }];
const refused = (...errors: string[][]) => [422, { response: false, errors }];

onEachDatabase('an account that has reached its page quota', (open) => {
  test('a page that exceeds the page quota is refused, together with other invalid fields', async (t) => {
    const { service, db, key, accountId } = await startWithAccount(t, open, options);
    await db.transaction().execute((trx) => reserveBytes(trx, accountId, { bytes: MIB - 10, quota: MIB }));
    const create = async (page: Record<string, string>, headers = {}) =>
      (await service.createPage(key, page, headers)).outcome;
    assert.deepEqual(await create({ name: 'Long', body: '12345678901' }), refused(noRoom));
    assert.deepEqual(await create({ name: 'Long', body: 'für', description: '1234567' }), refused(noRoom));
    assert.deepEqual(
      await create({ name: 'Long', body: '12345678901' }, { 'Idempotency-Key': 'long' }),
      refused(noRoom),
    );
    assert.deepEqual(await create({ name: 'Fits', body: '1234567890' }), made);
    assert.deepEqual(await create({ name: 'Nothing in it' }), made);

    const taken = ['name', 'has already been taken'];
    const nowhere = ['parent_id', 'does not exist'];
    const page = { name: 'Fits', body: 'x', parent_id: 'page_99999' };
    assert.deepEqual(await create(page), refused(taken, noRoom, nowhere));
    const unclear = { ...page, is_hidden: 'perhaps' };
    const notFlag = ['is_hidden', 'is not true or false'];
    assert.deepEqual(await create(unclear), refused(taken, notFlag, noRoom, nowhere));

    const other = await makeAccount(db);
    assert.deepEqual((await service.createPage(other.key, { name: 'Fits', body: 'x'.repeat(100_000) })).outcome, made);
  });

  test('concurrent creations fill the page quota, and never exceed it', async (t) => {
    const started = await startWithAccount(t, open, options);
    const { service, database, db, accountId, key } = started;
    const services = [service, await startService(t, database, options)];
    const other = await makeAccount(db);
    const [body, room] = ['x'.repeat(1000), 30];
    await db
      .transaction()
      .execute((trx) => reserveBytes(trx, accountId, { bytes: MIB - room * 1000 - 999, quota: MIB }));
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const [its, beside] = [services[index % 2]!, index % 8 === 0];
        if (beside) assert.deepEqual((await its.createPage(other.key, { name: `P ${index}`, body })).outcome, made);
        return (await its.createPage(key, { name: `P ${index}`, body })).outcome;
      }),
    );
    assert.equal(outcomes.filter(([status]) => status === 200).length, room);
    for (const outcome of outcomes.filter(([status]) => status !== 200)) assert.deepEqual(outcome, refused(noRoom));
    const accounts = await db.selectFrom('accounts').select(['id', 'page_bytes']).execute();
    assert.equal(accounts.find(({ id }) => id === accountId)!.page_bytes, MIB - 999);
    assert.equal(accounts.find(({ id }) => id === other.accountId)!.page_bytes, 8000);
    assert.equal((await service.pages(key)).length, room);
  });

  test('a page is refused if a concurrent draft has used up the page quota', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open, options);
    await service.createPage(key, { name: 'Home' });
    const [{ id }] = (await db.selectFrom('pages').select('id').execute()) as [{ id: number }];
    const draft = { id, userId, fields: { body: 'x'.repeat(MIB - 1000) }, basedOn: 1, draftAt: null, quota: MIB };
    const { outcome } = await overlapping(
      db,
      (trx) => saveDraft(trx, accountId, draft),
      () => service.createPage(key, { name: 'Late', body: 'x'.repeat(1000) }),
    );
    assert.deepEqual(outcome, refused(noRoom));
  });

  test('the admin app refuses texts that exceed the page quota, and drafts remain', async (t) => {
    const { service, db, key, accountId } = await startWithAccount(t, open, options);
    await service.createPage(key, { name: 'Home', body: '1234567890' });
    const [{ id, version }] = (await db.selectFrom('pages').select(['id', 'version']).execute()) as [
      { id: number; version: number },
    ];
    const person = await signedInAs(service, db, accountId);
    const save = (body: string, draftAt: number | null) =>
      person.put(`pages/${id}/draft`, { fields: { body }, basedOn: version, draftAt });
    const { json: draft } = await save('kept', null);
    await db.transaction().execute(async (trx) => {
      const { page_bytes } = await trx
        .selectFrom('accounts')
        .select('page_bytes')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      await reserveBytes(trx, accountId, { bytes: MIB - page_bytes - 5, quota: MIB });
    });
    const any = { 'If-Match': '*' };
    const full = {
      code: 'invalid',
      message: 'body: no_room',
      fields: [{ field: 'body', code: 'no_room', params: { bytes: MIB } }],
    };
    const tries = [
      () => save('kept and some more', draft.updatedAt),
      () => person.post('pages', { name: 'New', body: '123456', parentId: 0 }),
      () => person.send('PATCH', `pages/${id}`, { isHidden: true }, any),
      () => person.post(`pages/${id}/duplicate`),
      () =>
        person.post(
          `pages/${id}/publish`,
          { fields: { body: 'more than the draft has' } },
          { 'If-Match': `"${version}"` },
        ),
    ];
    for (const attempt of tries) assert.deepEqual((await attempt()).outcome, [422, { error: full }]);
    assert.deepEqual((await person.get(`pages/${id}`)).json.draft, draft);
    assert.equal((await save('even', draft.updatedAt)).status, 200);
  });
});
