import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestDatabase } from '../../../../../test/databases.ts';
import { makeAccount } from '../../../../../test/factories.ts';
import { connect, MemoryStorage, useStorage } from '../../../../../test/network.ts';
import { makeUser, Person, tokenFor } from '../../../../../test/person.ts';
import { startService } from '../../../../../test/service.ts';
import { api } from '../../../api.ts';
import type { PageJson, TreePageJson } from '../../../contract.ts';
import { LocalCopies } from '../../../data/local-copy.ts';
import { PAGES } from '../../../data/tree-data.ts';
import { queryClient } from '../../../queries.ts';
import { isAtRisk } from './draft-state.ts';
import { DraftStore } from './draft-store.ts';
import { openDraftStore, savePendingDraft } from './draft-stores.ts';

/*
 * Tests drafts with the app's own modules and a real service, but without a browser. e2e/admin-drafts.ts tests their
 * display.
 */

/** The delays of draft-events.ts and typed-text.ts, in milliseconds. */
const [SAVE_AFTER, RETRY_AFTER, PAUSE] = [900, 5000, 300];

test('a draft is sent once, a moment after the last keystroke and not before', async (t) => {
  const { open, draft, network, later } = await start(t);
  const store = await open();
  store.change({ body: '<p>So</p>' });
  store.change({ body: '<p>Soup</p>' });
  assert.equal(store.state().status, 'unsaved');
  t.mock.timers.tick(SAVE_AFTER - 1);
  assert.deepEqual(network.sent, []);
  await later(1);
  assert.equal(store.state().status, 'saved');
  assert.deepEqual([network.sent.length, (await draft())?.fields.body], [1, '<p>Soup</p>']);
});

test('a long text is read when the user pauses, and at once when an action needs the complete text', async (t) => {
  const { open, draft, copies, later } = await start(t);
  let store = await open();
  const long = (end: string) => `<p>${'word '.repeat(12_000)}${end}</p>`;
  let reads = 0;
  const type = (end: string) =>
    store.typeBody(() => {
      reads += 1;
      return long(end);
    });
  type('a');
  type('ab');
  type('abc');
  assert.deepEqual([store.state().status, store.state().fields.body, reads], ['unsaved', long('a'), 1]);
  t.mock.timers.tick(PAUSE);
  assert.deepEqual([store.state().fields.body, copies().length, reads], [long('abc'), 1, 2]);
  await later(SAVE_AFTER);
  assert.equal((await draft())?.fields.body, long('abc'));

  type('d');
  // Keystrokes come too fast for a pause.
  for (let key = 0; key < 20; key++) {
    type(`d${key}`);
    t.mock.timers.tick(PAUSE / 2);
  }
  assert.notEqual(store.state().fields.body, long('d'));
  type('de');
  store.change({ name: 'Dinner' });
  assert.deepEqual([store.state().fields.body, store.state().fields.name], [long('de'), 'Dinner']);
  type('def');
  await store.save();
  assert.equal((await draft())?.fields.body, long('def'));
  type('g');
  type('gh');
  await store.publish();
  assert.deepEqual([store.state().published.body, store.state().status], [long('gh'), 'clean']);
  type('i');
  type('ij');
  store = await open({ afterClosing: true });
  assert.equal(store.state().fields.body, long('ij'));
});

test('editing a text back to the published one deletes the draft', async (t) => {
  const { open, draft } = await start(t);
  const store = await open();
  store.change({ name: 'Food' });
  await store.save();
  assert.deepEqual((await draft())?.fields, { name: 'Food' });
  store.change({ name: 'Menu' });
  await store.save();
  assert.deepEqual([store.state().status, store.state().changed, await draft()], ['clean', {}, null]);
});

test('a draft that equals the published page is deleted when an editor opens the page', async (t) => {
  const { open, draft, saveElsewhere } = await start(t);
  await saveElsewhere({ name: 'Menu' });
  await open({ mayEdit: false });
  assert.notEqual(await draft(), null);
  await open();
  assert.equal(await draft(), null);
});

test('a save that failed is retried automatically, and a refused one is not', async (t) => {
  const { open, draft, network, later, person, id } = await start(t);
  const store = await open();
  network.isDown = true;
  store.change({ body: '<p>Soup</p>' });
  await store.save();
  assert.deepEqual([store.state().status, isAtRisk(store.state())], ['failed', false]);
  network.isDown = false;
  await later(RETRY_AFTER);
  assert.deepEqual([store.state().status, (await draft())?.fields.body], ['saved', '<p>Soup</p>']);

  await person.delete(`pages/${id}`);
  store.change({ body: '<p>Soup for nobody</p>' });
  await store.save();
  assert.equal(store.state().status, 'failed');
  const { length } = network.sent;
  await later(RETRY_AFTER);
  assert.equal(network.sent.length, length);
});

test('text written offline is restored and saved when the page is reopened, even if the device’s clock is wrong', async (t) => {
  const { open, draft, network, copies } = await start(t);
  const store = await open();
  store.change({ body: '<p>At the station.</p>' });
  await store.save();
  network.isDown = true;
  t.mock.method(Date, 'now', () => 1);
  store.change({ body: '<p>In a tunnel.</p>' });
  await store.save();
  network.isDown = false;
  const again = await open({ afterClosing: true, isSent: false });
  assert.deepEqual([again.state().fields.body, again.state().isRescued], ['<p>In a tunnel.</p>', true]);
  await again.save();
  assert.deepEqual([(await draft())?.fields.body, again.state().offered], ['<p>In a tunnel.</p>', []]);
  assert.deepEqual(copies(), [], 'the copy is removed once the service has it');
});

test('after edits on two devices, the saved draft is shown and the local text is offered, also after a reload', async (t) => {
  const { open, draft, network, saveElsewhere } = await start(t);
  const store = await open();
  network.isDown = true;
  store.change({ body: '<p>In a tunnel.</p>' });
  await store.save();
  network.isDown = false;
  await saveElsewhere({ body: '<p>On the telephone.</p>' });
  const again = await open({ afterClosing: true });
  const offered = () => again.state().offered.map(({ fields }) => fields.body);
  assert.deepEqual([again.state().fields.body, offered()], ['<p>On the telephone.</p>', ['<p>In a tunnel.</p>']]);
  again.change({ body: '<p>And there.</p>' });
  await again.save();
  assert.equal((await draft())?.fields.body, '<p>And there.</p>');
  assert.deepEqual(offered(), ['<p>In a tunnel.</p>'], 'the offer stays while the user writes on');
  const third = await open();
  assert.deepEqual(
    third.state().offered.map(({ fields }) => fields.body),
    ['<p>In a tunnel.</p>'],
  );
});

test('an offered text can be dismissed or accepted, and either can be undone', async (t) => {
  const { open, draft, network, saveElsewhere, copies } = await start(t);
  const first = await open();
  network.isDown = true;
  first.change({ body: '<p>In a tunnel.</p>' });
  await first.save();
  network.isDown = false;
  await saveElsewhere({ body: '<p>On the telephone.</p>' });
  const store = await open({ afterClosing: true });
  const offered = () => store.state().offered.map(({ fields }) => fields.body);

  const undoRefusal = store.dismissOffered(store.state().offered[0]!);
  assert.deepEqual([offered(), copies()], [[], []]);
  undoRefusal();
  assert.deepEqual([offered(), copies().length], [['<p>In a tunnel.</p>'], 1]);

  const undoTaking = store.acceptOffered(store.state().offered[0]!);
  assert.deepEqual([store.state().fields.body, offered()], ['<p>In a tunnel.</p>', ['<p>On the telephone.</p>']]);
  await store.save();
  assert.equal((await draft())?.fields.body, '<p>In a tunnel.</p>');
  undoTaking();
  await store.save();
  assert.deepEqual([store.state().fields.body, offered()], ['<p>On the telephone.</p>', ['<p>In a tunnel.</p>']]);
  assert.equal((await draft())?.fields.body, '<p>On the telephone.</p>');
  // Writing on does not change the offered copy. A copy that another tab changes meanwhile is not deleted.
  store.change({ body: '<p>And there.</p>' });
  const [copy] = store.state().offered;
  assert.match(localStorage.getItem(copy!.key)!, /In a tunnel/);
  localStorage.setItem(copy!.key, localStorage.getItem(copy!.key)!.replace('tunnel', 'train'));
  store.dismissOffered(copy!);
  assert.match(localStorage.getItem(copy!.key)!, /In a train/);
});

test('the latest copy in the browser is restored, and copies that equal the saved draft are deleted', async (t) => {
  const { open, copies, userId, id, read, saveElsewhere } = await start(t);
  await saveElsewhere({ name: 'Food' });
  const draftAt = (await read()).draft!.updatedAt;
  const leave = (name: string, at: number) =>
    localStorage.setItem(
      `app:draft:${userId}:${id}:${name}`,
      JSON.stringify({ fields: { name }, basedOn: 1, at, draftAt }),
    );
  leave('Menu', 3);
  leave('Food', 4);
  leave('Older', 5);
  leave('Latest', 6);
  const store = await open({ isSent: false });
  assert.equal(store.state().fields.name, 'Latest');
  assert.deepEqual(
    store.state().offered.map(({ fields }) => fields.name),
    ['Older'],
  );
  assert.equal(copies().length, 2);
});

test('text written during a save stays in the browser until it is saved, too', async (t) => {
  const { open, network, copies } = await start(t);
  const store = await open();
  const { come, letGo } = network.hold('PUT');
  store.change({ name: 'Food' });
  const saving = store.save();
  await come;
  store.change({ name: 'Food and drink' });
  letGo();
  await saving;
  assert.deepEqual([store.state().status, copies().length], ['unsaved', 1]);
  await store.save();
  assert.deepEqual([store.state().status, copies()], ['saved', []]);
});

test('a draft that another device saved is offered, not overwritten, and nothing is sent until the user chooses', async (t) => {
  const { open, draft, network, saveElsewhere, later } = await start(t);
  const store = await open();
  store.change({ body: '<p>Bread.</p>' });
  await store.save();
  await saveElsewhere({ body: '<p>Soup.</p>' });
  store.change({ body: '<p>Cake.</p>' });
  await store.save();
  const { fields, offered } = store.state();
  assert.deepEqual(
    [fields.body, offered.map((copy) => [copy.fields.body, copy.isElsewhere])],
    ['<p>Cake.</p>', [['<p>Soup.</p>', true]]],
  );
  const { length } = network.sent;
  store.change({ body: '<p>Tea.</p>' });
  await later(RETRY_AFTER);
  assert.deepEqual([network.sent.length, (await draft())?.fields.body], [length, '<p>Soup.</p>']);
  // After a reload, this device's copy is offered beside the other device's draft.
  const again = await open();
  assert.deepEqual(
    [again.state().fields.body, again.state().offered.map((copy) => [copy.fields.body, copy.isElsewhere])],
    ['<p>Soup.</p>', [['<p>Tea.</p>', undefined]]],
  );
});

test('a draft of another device can be accepted or dismissed, and either can be undone', async (t) => {
  const { open, draft, saveElsewhere } = await start(t);
  const store = await open();
  const text = (fields: object | undefined) => (fields as { body?: string } | undefined)?.body;
  const offered = () => store.state().offered.map(({ fields, isElsewhere }) => [text(fields), isElsewhere ?? false]);
  await saveElsewhere({ body: '<p>Soup.</p>' });
  store.change({ body: '<p>Fish.</p>' });
  await store.save();
  const undoTaking = store.acceptOffered(store.state().offered[0]!);
  await store.save();
  assert.deepEqual(
    [text(store.state().fields), offered(), text((await draft())?.fields)],
    ['<p>Soup.</p>', [['<p>Fish.</p>', false]], '<p>Soup.</p>'],
  );
  undoTaking();
  await store.save();
  assert.deepEqual([text(store.state().fields), offered()], ['<p>Fish.</p>', [['<p>Soup.</p>', false]]]);
  assert.equal(text((await draft())?.fields), '<p>Fish.</p>');
  store.dismissOffered(store.state().offered[0]!);

  await saveElsewhere({ body: '<p>Salad.</p>' });
  store.change({ body: '<p>Eggs.</p>' });
  await store.save();
  const undoKeeping = store.setAsideOffered(store.state().offered[0]!);
  await store.save();
  assert.deepEqual([offered(), text((await draft())?.fields)], [[['<p>Salad.</p>', false]], '<p>Eggs.</p>']);
  undoKeeping();
  assert.deepEqual([text(store.state().fields), offered()], ['<p>Salad.</p>', [['<p>Eggs.</p>', false]]]);
});

test('the text that was not chosen is offered until it is discarded, even after the chosen one is published', async (t) => {
  const { open, draft, copies, saveElsewhere } = await start(t);
  const store = await open();
  await saveElsewhere({ body: '<p>Soup.</p>' });
  store.change({ body: '<p>Fish.</p>' });
  await store.save();
  store.setAsideOffered(store.state().offered[0]!);
  await store.save();
  await store.publish();
  const again = await open({ afterClosing: true });
  const offered = () => again.state().offered.map(({ fields }) => fields.body);
  assert.deepEqual(
    [again.state().fields.body, again.state().status, offered()],
    ['<p>Fish.</p>', 'clean', ['<p>Soup.</p>']],
  );
  again.dismissOffered(again.state().offered[0]!);
  assert.deepEqual([offered(), copies(), await draft()], [[], [], null]);
});

test('a tab shows what another tab saved, unless it has changes of its own', async (t) => {
  const { open, read, saveElsewhere } = await start(t);
  const store = await open();
  await saveElsewhere({ body: '<p>Soup.</p>' });
  await store.catchUp(read);
  assert.deepEqual([store.state().fields.body, store.state().status], ['<p>Soup.</p>', 'saved']);
  // Later edits continue from the other tab's draft.
  store.change({ body: '<p>Soup and bread.</p>' });
  await store.save();
  assert.deepEqual([store.state().status, store.state().offered], ['saved', []]);
  await saveElsewhere({ body: '<p>Salad.</p>' });
  store.change({ body: '<p>Fish.</p>' });
  await store.catchUp(read);
  const { fields, offered } = store.state();
  assert.deepEqual([fields.body, offered.map((copy) => copy.fields.body)], ['<p>Fish.</p>', ['<p>Salad.</p>']]);
});

test('a tab that is told of another tab’s save while it is saving keeps its own text', async (t) => {
  const { open, read } = await start(t);
  const store = await open();
  store.change({ body: '<p>Soup.</p>' });
  const saving = store.save();
  await store.catchUp(read);
  await saving;
  assert.deepEqual([store.state().fields.body, store.state().status], ['<p>Soup.</p>', 'saved']);
});

test('discarding a draft does not discard a newer one from another device', async (t) => {
  const { open, draft, saveElsewhere } = await start(t);
  const store = await open();
  store.change({ body: '<p>Fish.</p>' });
  await store.save();
  await saveElsewhere({ body: '<p>Eggs.</p>' });
  await assert.rejects(store.discard(), { status: 412 });
  assert.equal((await draft())?.fields.body, '<p>Eggs.</p>');
  const { fields, offered } = store.state();
  assert.deepEqual([fields.body, offered.map((copy) => copy.fields.body)], ['<p>Fish.</p>', ['<p>Eggs.</p>']]);
});

test('publishing keeps a newer draft from another device, and offers it', async (t) => {
  const { open, draft, read, saveElsewhere } = await start(t);
  const store = await open();
  store.change({ body: '<p>Milk.</p>' });
  await store.save();
  await saveElsewhere({ body: '<p>Beans.</p>' });
  await store.publish();
  assert.deepEqual([(await read()).body, (await draft())?.fields.body], ['<p>Milk.</p>', '<p>Beans.</p>']);
  const [copy] = store.state().offered;
  assert.equal(copy?.fields.body, '<p>Beans.</p>');
  store.dismissOffered(copy!);
  await store.save();
  assert.equal(await draft(), null);
});

test('two tabs store separate copies, and neither overwrites the other’s', async (t) => {
  const { open, network, userId, id, read } = await start(t);
  const store = await open();
  network.isDown = true;
  store.change({ body: '<p>Milk.</p>' });
  // Another tab has its own modules, so its store is not the first tab's.
  const tab = new DraftStore(await read(), new LocalCopies(userId, id), true);
  tab.change({ body: '<p>Honey.</p>' });
  store.change({ body: '<p>Milk and eggs.</p>' });
  await Promise.all([store.save(), tab.save()]);
  network.isDown = false;
  tab.change({ body: '<p>Honey!</p>' });
  await tab.save();
  assert.equal(tab.state().status, 'saved');
  const again = await open();
  assert.deepEqual(
    [again.state().fields.body, again.state().offered.map(({ fields }) => fields.body)],
    ['<p>Honey!</p>', ['<p>Milk and eggs.</p>']],
  );
});

test('a save whose answer was lost is not mistaken for another device’s draft', async (t) => {
  const { open, draft, network } = await start(t);
  const store = await open();
  network.loseAnswersTo('PUT');
  store.change({ body: '<p>Soup.</p>' });
  await store.save();
  assert.equal((await draft())?.fields.body, '<p>Soup.</p>');
  store.change({ body: '<p>Soup and bread.</p>' });
  await store.save();
  network.loseAnswersTo(undefined);
  await store.save();
  assert.deepEqual([store.state().status, store.state().offered], ['saved', []]);
  assert.equal((await draft())?.fields.body, '<p>Soup and bread.</p>');

  // The same holds if the tab is closed in between.
  network.loseAnswersTo('PUT');
  store.change({ body: '<p>Cake.</p>' });
  await store.save();
  store.change({ body: '<p>Cake and tea.</p>' });
  network.loseAnswersTo(undefined);
  const again = await open({ afterClosing: true });
  assert.deepEqual([again.state().fields.body, again.state().offered], ['<p>Cake and tea.</p>', []]);
});

test('an editor that is opened again continues from the unsaved text, which is sent only once', async (t) => {
  const { open, draft, network, later } = await start(t);
  const former = await open();
  network.isDown = true;
  former.change({ body: '<p>Before.</p>' });
  await former.save();
  const store = await open();
  assert.deepEqual([store.state().fields.body, store.state().isRescued], ['<p>Before.</p>', true]);
  network.isDown = false;
  store.change({ body: '<p>After.</p>' });
  await store.save();
  const { length } = network.sent;
  // The former editor's retry would have run by now.
  await later(RETRY_AFTER);
  assert.deepEqual([network.sent.length, (await draft())?.fields.body], [length, '<p>After.</p>']);
});

test('an answer that arrives after the page was opened again does not change the new editor', async (t) => {
  const { open, draft, network, read, userId, id } = await start(t);
  const store = await open();
  store.change({ body: '<p>Before.</p>' });
  const { come, letGo } = network.hold('PUT');
  const saving = store.save();
  await come;
  openDraftStore(await read(), new LocalCopies(userId, id), true);
  assert.deepEqual([store.state().fields.body, store.state().status], ['<p>Before.</p>', 'unsaved']);
  letGo();
  await saving;
  assert.equal(store.state().status, 'unsaved', 'the answer belongs to the former editor');
  await store.save();
  assert.deepEqual([store.state().status, store.state().offered], ['saved', []]);
  assert.equal((await draft())?.fields.body, '<p>Before.</p>');

  // A request that fails after the page was opened again does not restore the old text.
  const discard = network.hold('DELETE');
  const discarding = store.discard();
  await discard.come;
  openDraftStore(await read(), new LocalCopies(userId, id), true);
  store.change({ name: 'Food' });
  network.isDown = true;
  discard.letGo();
  await assert.rejects(discarding, { status: 0 });
  assert.deepEqual([store.state().fields.name, store.state().fields.body], ['Food', '<p>Before.</p>']);
});

test('an editor that is opened while the former one is saving waits for that save, and offers nothing', async (t) => {
  const { open, draft, network } = await start(t);
  const former = await open();
  const { come, letGo } = network.hold('PUT');
  former.change({ body: '<p>Before.</p>' });
  const saving = former.save();
  await come;
  const opening = open();
  letGo();
  const [store] = await Promise.all([opening, saving]);
  store.change({ body: '<p>After.</p>' });
  await store.save();
  assert.deepEqual([store.state().status, store.state().offered], ['saved', []]);
  assert.equal((await draft())?.fields.body, '<p>After.</p>');
});

test('if the browser’s storage is full, the text stays in the tab, is reported as at risk, and is saved later', async (t) => {
  const { open, draft, network } = await start(t, { room: 10 });
  const former = await open();
  network.isDown = true;
  former.change({ body: '<p>In this tab alone.</p>' });
  await former.save();
  assert.deepEqual([former.state().status, isAtRisk(former.state())], ['failed', true]);
  const store = await open();
  assert.deepEqual([store.state().fields.body, isAtRisk(store.state())], ['<p>In this tab alone.</p>', true]);
  network.isDown = false;
  await store.save();
  assert.deepEqual([(await draft())?.fields.body, isAtRisk(store.state())], ['<p>In this tab alone.</p>', false]);
});

test('a copy of an older app version, without the time of its draft, is restored or offered, and never lost', async (t) => {
  const { open, draft, userId, id } = await start(t);
  const leave = (body: string) =>
    localStorage.setItem(
      `app:draft:${userId}:${id}`,
      JSON.stringify({ fields: { body, bodyFormat: 'wysiwyg_format' }, basedOn: 1, at: 5 }),
    );
  leave('<p>Long ago.</p>');
  const store = await open();
  assert.deepEqual([store.state().fields.body, (await draft())?.fields.body], ['<p>Long ago.</p>', '<p>Long ago.</p>']);
  // The copy may be older than the draft that exists by now, so it is only offered.
  leave('<p>Even longer ago.</p>');
  const again = await open();
  assert.equal(again.state().fields.body, '<p>Long ago.</p>');
  again.acceptOffered(again.state().offered[0]!);
  await again.save();
  assert.equal((await draft())?.fields.body, '<p>Even longer ago.</p>');
});

test('text written after pressing the publish shortcut becomes a draft and is not published', async (t) => {
  const { open, draft, read, network } = await start(t);
  const store = await open();
  const { come, letGo } = network.hold('PUT');
  store.change({ body: '<p>Soup</p>' });
  const saving = store.save();
  await come;
  store.change({ body: '<p>Soup and bread</p>' });
  const publishing = store.publish();
  store.change({ body: '<p>Soup and bread, and half a</p>' });
  letGo();
  await Promise.all([saving, publishing]);
  await store.save();
  assert.deepEqual(
    [(await read()).body, (await draft())?.fields.body, store.state().status],
    ['<p>Soup and bread</p>', '<p>Soup and bread, and half a</p>', 'saved'],
  );
  await store.publish();
  assert.deepEqual([(await read()).body, await draft()], ['<p>Soup and bread, and half a</p>', null]);
});

test('text that could not be published is saved as a draft again', async (t) => {
  const { open, draft, network, read, later } = await start(t);
  const store = await open();
  store.change({ body: '<p>Soup.</p>' });
  network.loseAnswersTo('POST');
  await assert.rejects(store.publish(), { status: 0 });
  network.loseAnswersTo(undefined);
  // The service has published the text after all, so it has no draft any more.
  assert.equal((await read()).body, '<p>Soup.</p>');
  store.change({ body: '<p>Soup and bread.</p>' });
  network.isDown = true;
  await assert.rejects(store.publish(), { status: 0 });
  network.isDown = false;
  await later(0);
  assert.equal((await draft())?.fields.body, '<p>Soup and bread.</p>');
});

test('publishing after a save whose answer was lost leaves no draft', async (t) => {
  const { open, draft, network, read } = await start(t);
  const store = await open();
  network.loseAnswersTo('PUT');
  store.change({ name: 'Food' });
  await store.save();
  network.loseAnswersTo(undefined);
  await store.publish();
  assert.deepEqual([(await read()).name, await draft(), store.state().offered], ['Food', null, []]);
});

test('publishing over another user’s newer version is refused, and the local changes can be rebased onto it', async (t) => {
  const { open, draft, network, read, person, id } = await start(t);
  const store = await open();
  store.change({ name: 'Food' });
  await store.save();
  await person.patch(`pages/${id}`, { body: '<p>Theirs.</p>' }, { 'If-Match': '*' });
  await assert.rejects(store.publish(), { status: 412 });
  assert.equal((await draft())?.fields.name, 'Food', 'the draft is kept');
  const current = await read();
  store.rebase(current);
  assert.deepEqual([store.state().fields.body, store.state().fields.name], ['<p>Theirs.</p>', 'Food']);
  await store.publish();
  const published = await read();
  assert.deepEqual([published.name, published.body], ['Food', '<p>Theirs.</p>']);
  assert.ok(network.sent.length > 0);
});

test('text written while a draft is being discarded is saved afterwards', async (t) => {
  const { open, draft, network } = await start(t);
  const store = await open();
  const saving = network.hold('PUT');
  store.change({ body: '<p>Old.</p>' });
  const saved = store.save();
  await saving.come;
  const discarding = network.hold('DELETE');
  const discarded = store.discard();
  assert.equal(store.state().fields.body, '<p>Published.</p>');
  const after = store.state().fields;
  saving.letGo();
  await discarding.come;
  store.change({ body: '<p>New.</p>' });
  const written = store.save();
  discarding.letGo();
  await Promise.all([saved, discarded, written]);
  assert.equal((await draft())?.fields.body, '<p>New.</p>');

  // Undoing the discard loses nothing that was written since.
  store.revert({ body: '<p>Old.</p>' }, after);
  assert.deepEqual(
    [store.state().fields.body, store.state().offered.map(({ fields }) => fields.body)],
    ['<p>Old.</p>', ['<p>New.</p>']],
  );
  await store.save();
  assert.equal((await draft())?.fields.body, '<p>Old.</p>');
});

test('a draft that cannot be discarded is restored, together with what was written since', async (t) => {
  const { open, draft, network } = await start(t);
  const store = await open();
  store.change({ body: '<p>Old.</p>' });
  await store.save();
  network.isDown = true;
  const discarding = store.discard();
  store.change({ name: 'Food' });
  await assert.rejects(discarding, { status: 0 });
  assert.deepEqual([store.state().fields.body, store.state().fields.name], ['<p>Old.</p>', 'Food']);
  network.isDown = false;
  await store.save();
  assert.deepEqual((await draft())?.fields, { name: 'Food', body: '<p>Old.</p>', bodyFormat: 'wysiwyg_format' });
});

test('an undo applies to the editor that is open by then', async (t) => {
  const { open, draft, network, saveElsewhere } = await start(t);
  const first = await open();
  network.isDown = true;
  first.change({ body: '<p>Old.</p>' });
  await first.save();
  network.isDown = false;
  await saveElsewhere({ body: '<p>New.</p>' });
  const former = await open({ afterClosing: true });
  const undo = former.acceptOffered(former.state().offered[0]!);
  await former.save();
  const store = await open();
  undo();
  await store.save();
  assert.deepEqual(
    [store.state().fields.body, store.state().offered.map(({ fields }) => fields.body)],
    ['<p>New.</p>', ['<p>Old.</p>']],
  );
  assert.equal((await draft())?.fields.body, '<p>New.</p>');
});

test('undoing a publication shows the former text at once, and keeps what was written since as a draft', async (t) => {
  const { open, draft, network, read } = await start(t);
  const store = await open();
  store.change({ body: '<p>Wrong.</p>' });
  const { undo } = await store.publish();
  store.change({ name: 'Food' });
  const { come, letGo } = network.hold('POST');
  const undoing = store.undoPublish({ body: '<p>Published.</p>' }, () => api.undo(undo!));
  assert.deepEqual([store.state().fields.body, store.state().fields.name], ['<p>Published.</p>', 'Food']);
  await come;
  letGo();
  await undoing;
  await store.save();
  assert.deepEqual([(await read()).body, (await draft())?.fields], ['<p>Published.</p>', { name: 'Food' }]);

  // If undoing fails, the published text is restored, together with what was written since.
  const again = await store.publish();
  network.isDown = true;
  const failing = store.undoPublish({ name: 'Menu' }, () => api.undo(again.undo!));
  assert.equal(store.state().fields.name, 'Menu');
  store.change({ body: '<p>Since.</p>' });
  await assert.rejects(failing, { status: 0 });
  assert.deepEqual([store.state().fields.name, store.state().fields.body], ['Food', '<p>Since.</p>']);
});

test('a closing tab sends unsaved text, unless it is too long, already saved, or being published', async (t) => {
  const { open, draft, network, id } = await start(t);
  const store = await open();
  store.saveOnLeave();
  assert.deepEqual(network.sent, []);
  store.change({ body: '<p>Short.</p>' });
  store.saveOnLeave();
  await network.idle();
  assert.equal((await draft())?.fields.body, '<p>Short.</p>');
  const again = await open();
  const { length } = network.sent;
  again.change({ body: 'x'.repeat(50_001) });
  again.saveOnLeave();
  assert.equal(network.sent.length, length);
  again.change({ body: '<p>Published now.</p>' });
  const { come, letGo } = network.hold('POST');
  const publishing = again.publish();
  await come;
  again.saveOnLeave();
  assert.deepEqual(network.sent.slice(length), [`POST pages/${id}/publish`]);
  letGo();
  await publishing;
  assert.equal(await draft(), null);
});

test('the page tree shows at once whether a page has a draft', async (t) => {
  const { open, id, list } = await start(t);
  const row = list();
  const store = await open();
  assert.equal(row().hasDraft, false);
  store.change({ name: 'Food' });
  assert.equal(row().hasDraft, true);
  store.change({ name: 'Menu' });
  assert.equal(row().hasDraft, false);
  store.change({ name: 'Food' });
  await store.save();
  await store.discard();
  assert.equal(row().hasDraft, false);
  store.change({ name: 'Food' });
  await store.publish();
  assert.deepEqual([row().hasDraft, row().id], [false, id]);
});

interface OpenOptions {
  readonly mayEdit?: boolean;
  /** True if the tab was closed before the last changes were saved. */
  readonly afterClosing?: boolean;
  /** False to leave a copy from the browser unsent. The editor sends it when it is mounted. */
  readonly isSent?: boolean;
}

/** Starts a service with a published page and a user who may edit it. */
async function start(t: TestContext, { room }: { room?: number } = {}) {
  const database = await openTestDatabase(t, 'sqlite');
  const service = await startService(t, database);
  const { accountId } = await makeAccount(database.db);
  const { id: userId } = await makeUser(database.db, accountId, { role: 'owner' });
  const person = new Person(service, await tokenFor(database.db, accountId, userId));
  useStorage(t, new MemoryStorage(room));
  const network = connect(t, person);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => queryClient.clear());
  const made = await person.post('pages', { name: 'Menu', body: '<p>Published.</p>' });
  const { id, version } = made.json as PageJson;
  assert.equal((await person.post(`pages/${id}/publish`, {}, { 'If-Match': `"${version}"` })).status, 200);
  const read = async () => (await person.get(`pages/${id}`)).json as PageJson;
  // Resets the module's store: a page of an earlier test may have had this id.
  openDraftStore(await read(), new LocalCopies(userId, id), false);
  return {
    person,
    network,
    userId,
    id,
    read,
    draft: async () => (await read()).draft,
    copies: () => Object.keys(localStorage).filter((key) => key.startsWith('app:')),
    /** Opens the page's editor again. By default, earlier changes are saved first. */
    open: async ({ mayEdit = true, afterClosing = false, isSent = true }: OpenOptions = {}) => {
      if (!afterClosing) await savePendingDraft(id);
      const store = openDraftStore(await read(), new LocalCopies(userId, id), mayEdit);
      if (isSent) await store.save();
      return store;
    },
    /** Saves a draft as another device would, based on the service's current one. */
    saveElsewhere: async (fields: object) => {
      const { version, draft } = await read();
      const body = { fields, basedOn: version, draftAt: draft?.updatedAt ?? null };
      assert.equal((await person.put(`pages/${id}/draft`, body)).status, 200);
    },
    /** Advances the clock and waits for the requests that this starts. */
    later: async (milliseconds: number) => {
      t.mock.timers.tick(milliseconds);
      await network.idle();
    },
    /** Puts the page into the cached tree. Returns a function that reads it from there. */
    list: () => {
      const key = [...PAGES, 'children', 0];
      const page = { ...(made.json as PageJson), childCount: 0, hasDraft: false };
      queryClient.setQueryData(key, { pages: [page], total: 1 });
      return () => queryClient.getQueryData<{ pages: TreePageJson[] }>(key)!.pages[0]!;
    },
  };
}
