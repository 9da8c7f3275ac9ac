import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { callTool as call, connectAssistant } from '../../../../test/assistant.ts';
import { onEachDatabase } from '../../../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../../../test/factories.ts';
import { startService, startWithAccount } from '../../../../test/service.ts';
import type { Db } from '../../../db/database.ts';
import { findDraft, saveDraft } from '../../../pages/drafts.ts';
import { updatePage } from '../../../pages/update-page.ts';

/** Lists the account's audit events that were made with a key: action, subject and actor. */
async function events(db: Db, accountId: number) {
  const rows = await db
    .selectFrom('audit_log')
    .select(['action', 'subject', 'actor', 'api_key_id as keyId'])
    .where('account_id', '=', accountId)
    .where('api_key_id', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ action, subject, actor }) => `${action} ${subject}: ${actor}`);
}

async function read(client: Client, page_id: string) {
  return call(client, 'get_page', { page_id });
}

onEachDatabase('tools that write pages', (open) => {
  test('a page is created unpublished, drafted, published and undone, and the log names the assistant', async (t) => {
    const { service, db, key, accountId } = await startWithAccount(t, open);
    const client = await connectAssistant(t, service, key);
    const made = await call(client, 'create_page', {
      name: 'Opening hours',
      body: 'Soon',
      body_format: 'markdown_format',
    });
    assert.deepEqual([made.url, made.is_published], ['/opening-hours', false]);
    const { page_id, version } = made;
    assert.equal((await service.pages(key))[0]!.is_hidden, true);

    const saved = await call(client, 'save_draft', { page_id, version, body: 'From *seven* to six' });
    const before = await read(client, page_id);
    assert.deepEqual(
      [before.page.body, before.draft.body, before.draft.draft_version],
      ['Soon', 'From *seven* to six', saved.draft_version],
    );
    const again = { page_id, version, draft_version: saved.draft_version, name: 'Open', description: 'Hours' };
    const { draft_version } = await call(client, 'save_draft', again);
    const published = await call(client, 'publish_page', { page_id, draft_version });
    assert.equal(published.is_published, true);
    const { page, draft } = await read(client, page_id);
    assert.deepEqual(
      [page.name, page.body, page.description, page.is_published, draft],
      ['Open', 'From *seven* to six', 'Hours', true, null],
    );

    const undone = await call(client, 'undo', { undo_id: published.undo_id });
    assert.equal((await read(client, page_id)).page.is_published, false);
    await call(client, 'undo', { undo_id: undone.undo_id });
    assert.equal((await read(client, page_id)).page.is_published, true);
    assert.deepEqual(await call(client, 'undo', { undo_id: published.undo_id }), {
      refused: 'This has already been undone.',
    });

    await call(client, 'delete_page', { page_id });
    assert.deepEqual(await service.pages(key), []);
    await call(client, 'restore_page', { page_id });
    assert.equal((await service.pages(key)).length, 1);
    const by = `${page_id}: Assistant for Olivia Owner`;
    const actions = ['created', 'published', 'undone', 'undone', 'deleted', 'undone'];
    assert.deepEqual(
      await events(db, accountId),
      actions.map((action) => `page.${action} ${by}`),
    );
    const { json } = await service.get('/api/events.json', key);
    assert.equal(json.events.at(-1).data.actor, 'Assistant for Olivia Owner');
  });

  test('restore_revision restores an earlier text of a page', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'News', body: 'Old' });
    const page_id = `page_${id}`;
    const client = await connectAssistant(t, service, key);
    const { page } = await read(client, page_id);
    const { draft_version } = await call(client, 'save_draft', { page_id, version: page.version, body: 'New' });
    await call(client, 'publish_page', { page_id, draft_version });
    const { revisions } = await call(client, 'list_revisions', { page_id });
    assert.equal(revisions.length, 1);
    await call(client, 'restore_revision', { revision_id: revisions[0].id });
    assert.equal((await read(client, page_id)).page.body, 'Old');
    assert.equal((await events(db, accountId)).at(-1), `page.restored ${page_id}: Assistant for Olivia Owner`);
  });

  test('a draft of the user that the assistant has not seen is neither replaced nor published', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, body: 'Old' });
    const page_id = `page_${id}`;
    const client = await connectAssistant(t, service, key);
    const { version } = (await read(client, page_id)).page;
    const own = { id, userId, basedOn: version, draftAt: null, fields: { body: 'Half a sent' }, quota };
    await db.transaction().execute((trx) => saveDraft(trx, accountId, own));
    const refused = {
      refused:
        'The draft of the page has changed in the meantime. Read the page again with get_page, and start from its current state.',
    };
    assert.deepEqual(await call(client, 'save_draft', { page_id, version, body: 'New' }), refused);
    assert.deepEqual(await call(client, 'publish_page', { page_id }), refused);
    const kept = await db.transaction().execute((trx) => findDraft(trx, accountId, { id, userId }));
    assert.equal(kept?.fields.body, 'Half a sent');
  });

  test('a page that has changed since the assistant read it is neither drafted nor published', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, body: 'Old' });
    const page_id = `page_${id}`;
    const client = await connectAssistant(t, service, key);
    const { version } = (await read(client, page_id)).page;
    const { draft_version } = await call(client, 'save_draft', { page_id, version, body: 'Mine' });
    const theirs = { id, basedOn: undefined, fields: { body: 'Theirs' }, quota };
    await db.transaction().execute((trx) => updatePage(trx, accountId, theirs, actor(userId)));
    const refused = {
      refused:
        'Olivia Owner has changed the page in the meantime. Read the page again with get_page, and start from its current state.',
    };
    assert.deepEqual(await call(client, 'publish_page', { page_id, draft_version }), refused);
    assert.deepEqual(await call(client, 'save_draft', { page_id, version, draft_version, body: 'Mine' }), refused);
    const now = (await read(client, page_id)).page;
    assert.equal(now.body, 'Theirs');
    const next = await call(client, 'save_draft', { page_id, version: now.version, draft_version, body: 'Both' });
    await call(client, 'publish_page', { page_id, draft_version: next.draft_version });
    assert.equal((await read(client, page_id)).page.body, 'Both');
  });

  test('invalid arguments are refused with every wrong field, and nothing is written', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    await makePage(db, accountId, { userId, name: 'News' });
    const client = await connectAssistant(t, service, key);
    assert.deepEqual(await call(client, 'create_page', { name: 'News', parent_id: 'page_999999' }), {
      refused: 'name has already been taken; parent_id does not exist.',
    });
    assert.deepEqual(await call(client, 'create_page', { name: 'More', is_published: true }), {
      refused:
        'create_page has no argument "is_published". Its arguments: name, body, parent_id, is_hidden, description, body_format.',
    });
    const missing = { refused: 'The page does not exist. Find the right id in a list.' };
    const other = await makeAccount(db);
    const foreign = `page_${await makePage(db, other.accountId, { userId: other.userId })}`;
    assert.deepEqual(await call(client, 'save_draft', { page_id: foreign, version: 1, body: 'New' }), missing);
    assert.deepEqual(await call(client, 'publish_page', { page_id: foreign }), missing);
    assert.deepEqual(await call(client, 'delete_page', { page_id: foreign }), missing);
    assert.equal((await events(db, accountId)).length, 0);
  });

  test('a text that is large enough for the other thread is drafted and published', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const client = await connectAssistant(t, service, key);
    const body = 'x'.repeat(300_000);
    const { page_id, version } = await call(client, 'create_page', { name: 'Long', body });
    const { draft_version } = await call(client, 'save_draft', { page_id, version, body: `${body}y` });
    await call(client, 'publish_page', { page_id, draft_version });
    const { page } = await read(client, page_id);
    assert.deepEqual([page.body_characters, page.is_published], [300_001, true]);
  });

  test('a page with more descendants than the main thread may write is deleted and restored', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'Above' });
    for (let index = 0; index < 510; index++) await makePage(db, accountId, { userId, parentId: `page_${id}` });
    const client = await connectAssistant(t, service, key);
    await call(client, 'delete_page', { page_id: `page_${id}` });
    assert.deepEqual(await service.pages(key), []);
    await call(client, 'restore_page', { page_id: `page_${id}` });
    assert.equal((await service.pages(key))[0]!.children.length, 510);
  });
});

onEachDatabase('tools that write customers', (open) => {
  test('a customer is created without a password, deleted and restored, and the log names the assistant', async (t) => {
    const database = await open(t);
    const { db } = database;
    const { key, accountId } = await makeAccount(db);
    let queued = 0;
    const service = await startService(t, database, {}, () => {
      queued += 1;
    });
    const client = await connectAssistant(t, service, key);
    const { customer_id } = await call(client, 'create_customer', {
      account_name: 'Acme Bakery',
      account_subdomain: 'acme-bakery',
      user_name: 'Ann Baker',
      user_email: 'ann@example.com',
    });
    assert.equal(queued, 1);
    const customer = (await call(client, 'get_customer', { customer_id })).customer;
    assert.deepEqual(
      [customer.name, customer.users[0].email, customer.users[0].has_signed_in],
      ['Acme Bakery', 'ann@example.com', false],
    );
    await call(client, 'delete_customer', { customer_id });
    assert.notEqual((await call(client, 'get_customer', { customer_id })).customer.deletes_on, null);
    await call(client, 'restore_customer', { customer_id });
    const by = `customer_${customer_id.replace('account_', '')}: Assistant for Olivia Owner`;
    assert.deepEqual(await events(db, accountId), [
      `customer.created ${by}`,
      `customer.deletion_started ${by}`,
      `customer.deletion_undone ${by}`,
    ]);
  });

  test('an invalid customer is refused with every wrong field, and so are an unknown plan and a password', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const client = await connectAssistant(t, service, key);
    const customer = { account_name: 'Acme', account_subdomain: 'www', user_name: 'Ann', user_email: 'nothing' };
    const { refused } = await call(client, 'create_customer', customer);
    assert.match(refused, /account_subdomain is reserved/);
    assert.match(refused, /user_email is not a mail address/);
    const right = { ...customer, account_subdomain: 'acme', user_email: 'ann@example.com' };
    assert.deepEqual(await call(client, 'create_customer', { ...right, plan_id: 'plan_999999' }), {
      refused: 'The plan does not exist. Find the right id in a list.',
    });
    assert.deepEqual(await call(client, 'create_customer', { ...right, user_password: 'rise early 4 bread' }), {
      refused:
        'create_customer has no argument "user_password". Its arguments: account_name, account_subdomain, user_name, user_email, plan_id.',
    });
    assert.deepEqual((await call(client, 'list_customers')).customers, []);
  });
});
