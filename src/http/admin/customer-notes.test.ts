import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { pruneNotes } from '../../customers/prune-notes.ts';

const MINUTE_MS = 60_000;

onEachDatabase('notes on a customer', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'admin');
    const customer = await makeCustomer(db, accountId, 'bakery');
    const add = async (text: string) => (await person.post(`customers/${customer}/notes`, { text })).json.id as number;
    const list = async () => (await person.get(`customers/${customer}/notes`)).json.notes;
    const texts = async () => (await list()).map(({ text }: { text: string }) => text);
    return { ...started, person, customer, add, list, texts };
  }

  test('notes are listed with author and editor, the latest first', async (t) => {
    const { service, db, accountId, person, add, list } = await start(t);
    const first = await add('  Pays late.\nCall Berta.  ');
    await add('Wants a shop.');
    const other = await signedInAs(service, db, accountId, 'owner');
    const changed = await other.patch(`customer-notes/${first}`, { text: 'Pays.', seenVersion: 1 });
    assert.equal(changed.status, 204);
    const [author, editor] = await Promise.all(
      [person, other].map(async (one) => (await one.get('session')).json.user.name),
    );
    const [later, earlier] = await list();
    assert.deepEqual([later.text, later.author, later.editor], ['Wants a shop.', author, null]);
    assert.deepEqual([earlier.text, earlier.author, earlier.editor, earlier.version], ['Pays.', author, editor, 2]);
    assert.ok(earlier.changedAt >= earlier.createdAt);
  });

  test('a change to an outdated version of a note is refused', async (t) => {
    const { person, add, texts } = await start(t);
    const id = await add('One');
    const change = (text: string, seenVersion: number) => person.patch(`customer-notes/${id}`, { text, seenVersion });
    await change('Two', 1);
    const late = await change('Three', 1);
    assert.deepEqual([late.status, late.json.error.why], [409, { reason: 'note_changed', params: { text: 'Two' } }]);
    assert.deepEqual(await texts(), ['Two']);
    assert.equal((await change('Three', 2)).status, 204);
    assert.deepEqual(await texts(), ['Three']);
  });

  test('a deleted note can be restored for 10 minutes, and is then pruned', async (t) => {
    const { db, person, add, texts } = await start(t);
    const id = await add('One');
    await person.delete(`customer-notes/${id}`);
    assert.deepEqual(await texts(), []);
    assert.equal((await person.patch(`customer-notes/${id}`, { text: 'Two', seenVersion: 1 })).status, 404);
    assert.equal(await pruneNotes(db), 0);
    assert.equal((await person.post(`customer-notes/${id}/restore`)).status, 204);
    assert.deepEqual(await texts(), ['One']);
    await person.delete(`customer-notes/${id}`);
    const longAgo = { deleted_at: Date.now() - 10 * MINUTE_MS };
    await db.transaction().execute((trx) => trx.updateTable('customer_notes').set(longAgo).execute());
    assert.equal((await person.post(`customer-notes/${id}/restore`)).status, 409);
    assert.equal(await pruneNotes(db), 1);
    assert.equal((await person.post(`customer-notes/${id}/restore`)).status, 404);
  });

  test('a note may have 10,000 characters; blank and longer notes are refused', async (t) => {
    const { person, customer, texts } = await start(t);
    const add = (text: string) => person.post(`customers/${customer}/notes`, { text });
    const most = '🥐'.repeat(10_000);
    assert.equal((await add(most)).status, 201);
    const [blank, long] = [await add(' \n'), await add(`${most}.`)];
    assert.deepEqual([blank.status, blank.json.error.fields], [422, [{ field: 'text', code: 'blank' }]]);
    assert.equal(long.json.error.fields[0].code, 'too_long');
    assert.deepEqual(await texts(), [most]);
  });

  test("notes are hidden from the customer's users and log, and their text is in no log", async (t) => {
    const { service, db, accountId, customer, add, person } = await start(t);
    const id = await add('Secret words');
    const owner = await signedInAs(service, db, customer, 'owner');
    assert.equal((await owner.get(`customers/${customer}/notes`)).status, 404);
    assert.equal((await owner.patch(`customer-notes/${id}`, { text: 'Mine', seenVersion: 1 })).status, 404);
    await person.delete(`customer-notes/${id}`);
    const logged = (await owner.get('log')).text + (await (await signedInAs(service, db, accountId)).get('log')).text;
    assert.match(logged, /customer\.note_added/);
    assert.doesNotMatch(logged, /Secret words/);
    const events = await db.selectFrom('audit_log').select('action').where('account_id', '=', customer).execute();
    assert.ok(events.every(({ action }) => !action.includes('note')));
  });
});
