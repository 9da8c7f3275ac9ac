import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, unique } from '../../test/factories.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { purgeAccount } from '../accounts/purge-accounts.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { checkPageBytes } from '../operations/check-page-bytes.ts';
import { Findings } from '../operations/findings.ts';
import { createPage } from './create-page.ts';
import { createDefaultPages } from './default-pages.ts';
import { deletePage } from './delete-page.ts';
import { discardDraft, saveDraft } from './drafts.ts';
import { duplicatePage } from './duplicate-page.ts';
import type { SomePageFields } from './page-fields.ts';
import { MIN_REVISIONS_KEPT, pruneRevisions, REVISION_RETENTION_MS } from './prune-revisions.ts';
import { publishPage } from './publish-page.ts';
import { purgeDeletedPages } from './purge-deleted-pages.ts';
import { restoreRevision } from './restore-revision.ts';
import { undoChange } from './undo-change.ts';
import { UNDO_RETENTION_MS } from './undos.ts';
import { updatePage } from './update-page.ts';

const GIB = 2 ** 30;
const noRoom = { name: 'ValidationError', message: 'body: no_room' };

onEachDatabase('the storage of an account’s pages', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    return { db, account: new Account(db, accountId, userId) };
  }

  test('storage is the bytes of bodies and descriptions, and a creation beyond the quota is refused', async (t) => {
    const { db, account } = await start(t);
    await account.create({ body: 'für', description: '€' });
    assert.equal(await account.counted(), 7);
    await account.fillUpTo(10);
    const other = new Account(db, (await makeAccount(db)).accountId, 2);
    for (const body of ['12345678901', '123456€€']) await assert.rejects(account.create({ body }), noRoom);
    await assert.rejects(account.createWithOthers({ body: '12345678901' }), noRoom);
    assert.equal(await account.counted(), GIB - 10);
    await account.createWithOthers({ body: '12345' });
    await account.create({ body: '€', description: '12' });
    assert.equal(await account.counted(), GIB);
    await assert.rejects(account.create({ body: 'x' }), noRoom);
    await account.create({ body: '' });
    assert.equal(await other.counted(), 0);
  });

  test('an account without storage left does not make other accounts’ pages in the same batch fail', async (t) => {
    const { db, account } = await start(t);
    const { accountId, userId } = await makeAccount(db);
    const other = new Account(db, accountId, userId);
    await account.fillUpTo(15);
    const version = await account.version();
    // They share a statement or transaction. PostgreSQL leaves out pages of an account that do not fit together.
    const creations = [account, other, account, other].map((one) => one.createWithOthers({ body: '1234567890' }));
    const results = await Promise.allSettled(creations);
    const created = results.map(({ status }) => status === 'fulfilled');
    assert.ok(created[1] && created[3]);
    assert.equal(await other.counted(), 20);
    assert.notEqual(created[0], created[2], 'there is room for one of them');
    assert.equal(await account.counted(), GIB - 5);
    assert.ok((await account.version()) > version);
    await account.checkCount();
  });

  test('storage includes revisions, which every change of a page adds', async (t) => {
    const { account } = await start(t);
    const id = await account.create({ body: '1234567890', description: 'abc' });
    await account.update(id, { body: '12345' });
    assert.equal(await account.counted(), 13 + 8);
    const { undo } = await account.update(id, { isHidden: true });
    assert.equal(await account.counted(), 13 + 8 + 8);
    await account.update(id, { isHidden: true });
    assert.equal(await account.counted(), 13 + 8 + 8, 'without a change, no revision is stored');

    await account.fillUpTo(7);
    const before = await account.counted();
    await assert.rejects(account.update(id, { name: 'Another name' }), noRoom);
    await assert.rejects(account.undo(undo!), noRoom);
    await assert.rejects(account.duplicate(id), noRoom);
    const first = await account.firstRevision(id);
    await assert.rejects(account.restore(first), noRoom);
    assert.equal(await account.counted(), before);
    await account.update(id, { body: '1234' });
    assert.equal(await account.counted(), GIB);
    await account.checkCount();
  });

  test('storage includes copies, restored revisions and default pages', async (t) => {
    const { db, account } = await start(t);
    const id = await account.create({ body: '1234567890' });
    await account.duplicate(id);
    assert.equal(await account.counted(), 20);
    const { undo } = await account.update(id, { body: '12345' });
    await account.undo(undo!);
    assert.equal(await account.counted(), 20 + 5 + 10);
    await account.update(id, { body: '' });
    await account.restore(await account.firstRevision(id));
    assert.equal(await account.counted(), 35 + 10);
    await account.checkCount();
    const { accountId, userId } = await makeAccount(db);
    await db
      .transaction()
      .execute((trx) => createDefaultPages(trx, accountId, { name: '„Ä“', language: 'en', userId }));
    const other = new Account(db, accountId, userId);
    assert.ok((await other.counted()) > 500);
    await other.checkCount();
  });

  test('storage includes drafts, and a draft that fits can be published', async (t) => {
    const { account } = await start(t);
    const id = await account.create({ body: '' });
    const first = await account.saveDraft(id, { body: '1' }, null);
    assert.equal(await account.counted(), '{"body":"1"}'.length);
    const second = await account.saveDraft(id, { body: 'für' }, first.updatedAt);
    assert.equal(await account.counted(), Buffer.byteLength('{"body":"für"}'));
    await assert.rejects(account.saveDraft(id, { body: 'another device' }, first.updatedAt), { code: 'outdated' });
    await account.discardDraft(id, second.updatedAt);
    assert.equal(await account.counted(), 0);

    await account.fillUpTo('{"body":"1234567890"}'.length);
    await assert.rejects(account.saveDraft(id, { body: '12345678901' }, null), noRoom);
    const third = await account.saveDraft(id, { body: '1234567890' }, null);
    assert.equal(await account.counted(), GIB);
    await account.publish(id, { body: '1234567890' }, third.updatedAt);
    assert.equal(await account.counted(), GIB - '{"body":""}'.length);
    await assert.rejects(account.publish(id, { body: '123456789012' }, null), noRoom);
    await account.checkCount();
  });

  test('storage does not change while pages are deleted and restored, and is freed when they are purged', async (t) => {
    const { db, account } = await start(t);
    const parent = await account.create({ body: '1234567890', description: 'abc' });
    const child = await account.create({ body: '12345', parentId: String(parent) });
    await account.create({ body: 'stays' });
    await account.update(child, { body: '123' });
    await account.saveDraft(child, { body: '1' }, null);
    const counted = await account.counted();
    const { undo } = await account.delete(parent);
    assert.equal(await account.counted(), counted);
    await account.checkCount();
    await account.undo(undo);
    assert.equal(await account.counted(), counted);
    await account.delete(parent);
    await purgeDeletedPages(db, Date.now() + UNDO_RETENTION_MS + 1000);
    assert.equal(await account.counted(), 5);
    await account.checkCount();
  });

  test('storage is freed when old revisions are pruned', async (t) => {
    const { db, account } = await start(t);
    const now = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now });
    const id = await account.create({ body: '1234567890' });
    for (let count = 0; count < MIN_REVISIONS_KEPT + 60; count += 1)
      await account.update(id, { body: `Text ${1000 + count}` });
    t.mock.timers.setTime(now + REVISION_RETENTION_MS + 1000);
    assert.equal(await pruneRevisions(db), 60);
    assert.equal(await account.counted(), (MIN_REVISIONS_KEPT + 1) * 9);
    await account.checkCount();
  });

  test('the storage of a purged account is zero', async (t) => {
    const { db, account } = await start(t);
    await account.create({ body: 'x' });
    const input = { releaseSubdomain: false };
    await db.transaction().execute((trx) => deleteAccount(trx, account.accountId, input, operator));
    await purgeAccount(db, account.accountId, async () => {});
    assert.equal(await account.counted(), 0);
    await account.checkCount();
  });

  test('an account above its lowered quota may still use less storage', async (t) => {
    const { account } = await start(t);
    const id = await account.create({ body: '' });
    const { updatedAt } = await account.saveDraft(id, { body: '1234567890' }, null);
    await account.fillUpTo(-100);
    const shorter = await account.saveDraft(id, { body: '12345' }, updatedAt);
    await assert.rejects(account.saveDraft(id, { body: '1234567' }, shorter.updatedAt), noRoom);
    await account.create({ body: '' });
    await account.createWithOthers({ body: '' });
    await account.delete(id);
  });
});

/** An account whose pages may take up 1 GiB. */
class Account {
  readonly #db: Db;
  readonly accountId: number;
  readonly userId: number;
  /** Bytes that are counted although no text has them. */
  #pretended = 0;

  constructor(db: Db, accountId: number, userId: number) {
    this.#db = db;
    this.accountId = accountId;
    this.userId = userId;
  }

  create(page: { body: string; description?: string; parentId?: string }): Promise<number> {
    return this.#change((trx) => createPage(trx, this.accountId, this.#pageInput(page)));
  }

  createWithOthers(page: { body: string }): Promise<number> {
    return createPage(this.#db, this.accountId, this.#pageInput(page));
  }

  #pageInput(page: { body: string; description?: string; parentId?: string }) {
    const none = { description: undefined, parentId: undefined, isHidden: undefined, bodyFormat: undefined };
    return { ...none, name: unique('Page'), userId: this.userId, ip: '192.0.2.7', quota: GIB, ...page };
  }

  update(id: number, fields: SomePageFields) {
    const input = { id, basedOn: undefined, fields, quota: GIB };
    return this.#change((trx) => updatePage(trx, this.accountId, input, actor(this.userId)));
  }

  async publish(id: number, fields: SomePageFields, draftAt: number | null) {
    const { version } = await this.#db
      .selectFrom('pages')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const input = { id, basedOn: version, fields, draftAt, quota: GIB };
    return this.#change((trx) => publishPage(trx, this.accountId, input, actor(this.userId)));
  }

  saveDraft(id: number, fields: SomePageFields, draftAt: number | null) {
    const input = { id, userId: this.userId, fields, basedOn: 1, draftAt, quota: GIB };
    return this.#change((trx) => saveDraft(trx, this.accountId, input));
  }

  discardDraft(id: number, draftAt: number) {
    return this.#change((trx) => discardDraft(trx, this.accountId, { id, userId: this.userId, draftAt }));
  }

  duplicate(id: number) {
    return this.#change((trx) => duplicatePage(trx, this.accountId, { id, quota: GIB }, actor(this.userId)));
  }

  restore(id: number) {
    const input = { id, basedOn: undefined, quota: GIB };
    return this.#change((trx) => restoreRevision(trx, this.accountId, input, actor(this.userId)));
  }

  delete(id: number) {
    return this.#change((trx) => deletePage(trx, this.accountId, id, actor(this.userId)));
  }

  undo(id: number) {
    return this.#change((trx) => undoChange(trx, this.accountId, { id, quota: GIB }, actor(this.userId)));
  }

  async firstRevision(pageId: number): Promise<number> {
    const revisions = this.#db.selectFrom('revisions').select('id').where('page_id', '=', pageId);
    return (await revisions.orderBy('id').limit(1).executeTakeFirstOrThrow()).id;
  }

  /** Raises the counted bytes so that only `left` bytes of the quota remain. */
  async fillUpTo(left: number): Promise<void> {
    const before = await this.counted();
    this.#pretended += GIB - left - before;
    await this.#change((trx) =>
      trx
        .updateTable('accounts')
        .set({ page_bytes: GIB - left })
        .where('id', '=', this.accountId)
        .execute(),
    );
  }

  async counted(): Promise<number> {
    return (await this.#row()).page_bytes;
  }

  async version(): Promise<number> {
    return (await this.#row()).content_version;
  }

  /** Checks that every account's counted bytes equal the bytes of its texts. */
  async checkCount(): Promise<void> {
    const problems = await this.#change(async (trx) => {
      const row = trx.updateTable('accounts').where('id', '=', this.accountId);
      await row.set((e) => ({ page_bytes: e('page_bytes', '-', this.#pretended) })).execute();
      const findings = new Findings();
      await checkPageBytes(trx, findings);
      await row.set((e) => ({ page_bytes: e('page_bytes', '+', this.#pretended) })).execute();
      return findings.problems();
    });
    assert.deepEqual(problems, []);
  }

  #row() {
    return this.#db.selectFrom('accounts').selectAll().where('id', '=', this.accountId).executeTakeFirstOrThrow();
  }

  #change<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(work);
  }
}
