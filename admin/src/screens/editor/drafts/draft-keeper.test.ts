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
import { DraftKeeper, saveWritten } from './draft-keeper.ts';
import { isAtRisk } from './draft-state.ts';

/*
 * What is written on a page, kept by the app's own modules and a real service, without a browser: what the editors show of
 * it is in e2e/admin-drafts.ts.
 */

/** In milliseconds, as in draft-keeper.ts. */
const [SAVE_AFTER, RETRY_AFTER] = [900, 5000];

test('a draft is with the service a moment after the last key, and not before', async (t) => {
  const { open, draft, network, later } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>So</p>' });
  keeper.change({ body: '<p>Soup</p>' });
  assert.equal(keeper.state().status, 'unsaved');
  t.mock.timers.tick(SAVE_AFTER - 1);
  assert.deepEqual(network.sent, []);
  await later(1);
  assert.equal(keeper.state().status, 'saved');
  assert.deepEqual([network.sent.length, (await draft())?.fields.body], [1, '<p>Soup</p>']);
});

test('what is written back to what is published leaves no draft', async (t) => {
  const { open, draft } = await start(t);
  const keeper = await open();
  keeper.change({ name: 'Food' });
  await keeper.save();
  assert.deepEqual((await draft())?.fields, { name: 'Food' });
  keeper.change({ name: 'Menu' });
  await keeper.save();
  assert.deepEqual([keeper.state().status, keeper.state().changed, await draft()], ['clean', {}, null]);
});

test('a draft that says what is published is deleted when its page is opened by somebody who may edit', async (t) => {
  const { open, draft, saveElsewhere } = await start(t);
  await saveElsewhere({ name: 'Menu' });
  await open({ mayEdit: false });
  assert.notEqual(await draft(), null);
  await open();
  assert.equal(await draft(), null);
});

test('saving that failed is tried again by itself, and what is refused for good is not', async (t) => {
  const { open, draft, network, later, person, id } = await start(t);
  const keeper = await open();
  network.isDown = true;
  keeper.change({ body: '<p>Soup</p>' });
  await keeper.save();
  assert.deepEqual([keeper.state().status, isAtRisk(keeper.state())], ['failed', false]);
  network.isDown = false;
  await later(RETRY_AFTER);
  assert.deepEqual([keeper.state().status, (await draft())?.fields.body], ['saved', '<p>Soup</p>']);

  await person.delete(`pages/${id}`);
  keeper.change({ body: '<p>Soup for nobody</p>' });
  await keeper.save();
  assert.equal(keeper.state().status, 'failed');
  const { length } = network.sent;
  await later(RETRY_AFTER);
  assert.equal(network.sent.length, length);
});

test('what was written without a connection is there again and saved, whatever the clock of the device says', async (t) => {
  const { open, draft, network, copies } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>At the station.</p>' });
  await keeper.save();
  network.isDown = true;
  t.mock.method(Date, 'now', () => 1);
  keeper.change({ body: '<p>In a tunnel.</p>' });
  await keeper.save();
  network.isDown = false;
  const again = await open({ afterClosing: true, isSent: false });
  assert.deepEqual([again.state().fields.body, again.state().isRescued], ['<p>In a tunnel.</p>', true]);
  again.begin();
  await again.save();
  assert.deepEqual([(await draft())?.fields.body, again.state().offered], ['<p>In a tunnel.</p>', []]);
  assert.deepEqual(copies(), [], 'it is the service’s by now');
});

test('of what was written on two devices, the saved draft is shown and the other text offered, over reloads', async (t) => {
  const { open, draft, network, saveElsewhere } = await start(t);
  const keeper = await open();
  network.isDown = true;
  keeper.change({ body: '<p>In a tunnel.</p>' });
  await keeper.save();
  network.isDown = false;
  await saveElsewhere({ body: '<p>On the telephone.</p>' });
  const again = await open({ afterClosing: true });
  const offered = () => again.state().offered.map(({ fields }) => fields.body);
  assert.deepEqual([again.state().fields.body, offered()], ['<p>On the telephone.</p>', ['<p>In a tunnel.</p>']]);
  again.change({ body: '<p>And there.</p>' });
  await again.save();
  assert.equal((await draft())?.fields.body, '<p>And there.</p>');
  assert.deepEqual(offered(), ['<p>In a tunnel.</p>'], 'it stays while something else is written');
  const third = await open();
  assert.deepEqual(
    third.state().offered.map(({ fields }) => fields.body),
    ['<p>In a tunnel.</p>'],
  );
});

test('an offered text can be dismissed and taken, and both be undone', async (t) => {
  const { open, draft, network, saveElsewhere, copies } = await start(t);
  const first = await open();
  network.isDown = true;
  first.change({ body: '<p>In a tunnel.</p>' });
  await first.save();
  network.isDown = false;
  await saveElsewhere({ body: '<p>On the telephone.</p>' });
  const keeper = await open({ afterClosing: true });
  const offered = () => keeper.state().offered.map(({ fields }) => fields.body);

  const undoRefusal = keeper.refuse(keeper.state().offered[0]!);
  assert.deepEqual([offered(), copies()], [[], []]);
  undoRefusal();
  assert.deepEqual([offered(), copies().length], [['<p>In a tunnel.</p>'], 1]);

  const undoTaking = keeper.take(keeper.state().offered[0]!);
  assert.deepEqual([keeper.state().fields.body, offered()], ['<p>In a tunnel.</p>', []]);
  await keeper.save();
  assert.equal((await draft())?.fields.body, '<p>In a tunnel.</p>');
  undoTaking();
  await keeper.save();
  assert.deepEqual([keeper.state().fields.body, offered()], ['<p>On the telephone.</p>', ['<p>In a tunnel.</p>']]);
  assert.equal((await draft())?.fields.body, '<p>On the telephone.</p>');
  // It stays what it is while one writes on, and another tab may write on in it.
  keeper.change({ body: '<p>And there.</p>' });
  const [copy] = keeper.state().offered;
  assert.match(localStorage.getItem(copy!.key)!, /In a tunnel/);
  localStorage.setItem(copy!.key, localStorage.getItem(copy!.key)!.replace('tunnel', 'train'));
  keeper.refuse(copy!);
  assert.match(localStorage.getItem(copy!.key)!, /In a train/);
});

test('of copies in the browser the latest is restored, and those that say what is saved are thrown away', async (t) => {
  const { open, copies, userId, id, read, saveElsewhere } = await start(t);
  await saveElsewhere({ name: 'Food' });
  const draftAt = (await read()).draft!.updatedAt;
  const leave = (name: string, at: number) =>
    localStorage.setItem(
      `freehold:draft:${userId}:${id}:${name}`,
      JSON.stringify({ fields: { name }, basedOn: 1, at, draftAt }),
    );
  leave('Menu', 3);
  leave('Food', 4);
  leave('Older', 5);
  leave('Latest', 6);
  const keeper = await open({ isSent: false });
  assert.equal(keeper.state().fields.name, 'Latest');
  assert.deepEqual(
    keeper.state().offered.map(({ fields }) => fields.name),
    ['Older'],
  );
  assert.equal(copies().length, 2);
});

test('what is written while something is being saved is in the browser until it is saved, too', async (t) => {
  const { open, network, copies } = await start(t);
  const keeper = await open();
  const { come, letGo } = network.hold('PUT');
  keeper.change({ name: 'Food' });
  const saving = keeper.save();
  await come;
  keeper.change({ name: 'Food and drink' });
  letGo();
  await saving;
  assert.deepEqual([keeper.state().status, copies().length], ['unsaved', 1]);
  await keeper.save();
  assert.deepEqual([keeper.state().status, copies()], ['saved', []]);
});

test('a draft that another device has saved is not written over, but offered, and nothing is sent until somebody chooses', async (t) => {
  const { open, draft, network, saveElsewhere, later } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>Bread.</p>' });
  await keeper.save();
  await saveElsewhere({ body: '<p>Soup.</p>' });
  keeper.change({ body: '<p>Cake.</p>' });
  await keeper.save();
  const { fields, offered } = keeper.state();
  assert.deepEqual(
    [fields.body, offered.map((copy) => [copy.fields.body, copy.isElsewhere])],
    ['<p>Cake.</p>', [['<p>Soup.</p>', true]]],
  );
  const { length } = network.sent;
  keeper.change({ body: '<p>Tea.</p>' });
  await later(RETRY_AFTER);
  assert.deepEqual([network.sent.length, (await draft())?.fields.body], [length, '<p>Soup.</p>']);
  // What is on the device is there again after a reload, and beside the draft of the other one.
  const again = await open();
  assert.deepEqual(
    [again.state().fields.body, again.state().offered.map((copy) => [copy.fields.body, copy.isElsewhere])],
    ['<p>Soup.</p>', [['<p>Tea.</p>', undefined]]],
  );
});

test('the draft of another device can be taken or dismissed, and both be undone', async (t) => {
  const { open, draft, saveElsewhere } = await start(t);
  const keeper = await open();
  const text = (fields: object | undefined) => (fields as { body?: string } | undefined)?.body;
  const offered = () => keeper.state().offered.map(({ fields, isElsewhere }) => [text(fields), isElsewhere ?? false]);
  await saveElsewhere({ body: '<p>Soup.</p>' });
  keeper.change({ body: '<p>Fish.</p>' });
  await keeper.save();
  const undoTaking = keeper.take(keeper.state().offered[0]!);
  await keeper.save();
  assert.deepEqual(
    [text(keeper.state().fields), offered(), text((await draft())?.fields)],
    ['<p>Soup.</p>', [], '<p>Soup.</p>'],
  );
  undoTaking();
  await keeper.save();
  assert.deepEqual([text(keeper.state().fields), offered()], ['<p>Fish.</p>', [['<p>Soup.</p>', false]]]);
  assert.equal(text((await draft())?.fields), '<p>Fish.</p>');
  keeper.refuse(keeper.state().offered[0]!);

  await saveElsewhere({ body: '<p>Salad.</p>' });
  keeper.change({ body: '<p>Eggs.</p>' });
  await keeper.save();
  const undoRefusal = keeper.refuse(keeper.state().offered[0]!);
  await keeper.save();
  assert.deepEqual([offered(), text((await draft())?.fields)], [[], '<p>Eggs.</p>']);
  undoRefusal();
  assert.deepEqual(offered(), [['<p>Salad.</p>', false]]);
});

test('discarding a draft does not discard one that another device has saved since', async (t) => {
  const { open, draft, saveElsewhere } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>Fish.</p>' });
  await keeper.save();
  await saveElsewhere({ body: '<p>Eggs.</p>' });
  await assert.rejects(keeper.discard(), { status: 412 });
  assert.equal((await draft())?.fields.body, '<p>Eggs.</p>');
  const { fields, offered } = keeper.state();
  assert.deepEqual([fields.body, offered.map((copy) => copy.fields.body)], ['<p>Fish.</p>', ['<p>Eggs.</p>']]);
});

test('publishing leaves the draft that another device has saved since, and offers it', async (t) => {
  const { open, draft, read, saveElsewhere } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>Milk.</p>' });
  await keeper.save();
  await saveElsewhere({ body: '<p>Beans.</p>' });
  await keeper.publish();
  assert.deepEqual([(await read()).body, (await draft())?.fields.body], ['<p>Milk.</p>', '<p>Beans.</p>']);
  const [copy] = keeper.state().offered;
  assert.equal(copy?.fields.body, '<p>Beans.</p>');
  keeper.refuse(copy!);
  await keeper.save();
  assert.equal(await draft(), null);
});

test('two tabs have a copy each, and neither writes over the other', async (t) => {
  const { open, network, userId, id, read } = await start(t);
  const keeper = await open();
  network.isDown = true;
  keeper.change({ body: '<p>Milk.</p>' });
  // The modules of another tab are others: it takes nothing over.
  const tab = new DraftKeeper(await read(), new LocalCopies(userId, id), true);
  tab.change({ body: '<p>Honey.</p>' });
  keeper.change({ body: '<p>Milk and eggs.</p>' });
  await Promise.all([keeper.save(), tab.save()]);
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

test('a save whose answer was lost is no draft of another device', async (t) => {
  const { open, draft, network } = await start(t);
  const keeper = await open();
  network.loseAnswersTo('PUT');
  keeper.change({ body: '<p>Soup.</p>' });
  await keeper.save();
  assert.equal((await draft())?.fields.body, '<p>Soup.</p>');
  keeper.change({ body: '<p>Soup and bread.</p>' });
  await keeper.save();
  network.loseAnswersTo(undefined);
  await keeper.save();
  assert.deepEqual([keeper.state().status, keeper.state().offered], ['saved', []]);
  assert.equal((await draft())?.fields.body, '<p>Soup and bread.</p>');

  // The same where the tab was closed in between.
  network.loseAnswersTo('PUT');
  keeper.change({ body: '<p>Cake.</p>' });
  await keeper.save();
  keeper.change({ body: '<p>Cake and tea.</p>' });
  network.loseAnswersTo(undefined);
  const again = await open({ afterClosing: true });
  assert.deepEqual([again.state().fields.body, again.state().offered], ['<p>Cake and tea.</p>', []]);
});

test('an editor that is opened again goes on from what was written, and the former one sends nothing more', async (t) => {
  const { open, draft, network, later } = await start(t);
  const former = await open();
  network.isDown = true;
  former.change({ body: '<p>Before.</p>' });
  await former.save();
  const keeper = await open();
  assert.deepEqual([keeper.state().fields.body, former.state().status], ['<p>Before.</p>', 'clean']);
  network.isDown = false;
  keeper.change({ body: '<p>After.</p>' });
  await keeper.save();
  const { length } = network.sent;
  // By now the former one would have tried again.
  await later(RETRY_AFTER);
  assert.deepEqual([network.sent.length, (await draft())?.fields.body], [length, '<p>After.</p>']);
  former.change({ name: 'Food' });
  assert.equal(keeper.state().fields.name, 'Food', 'what still comes to it is for the one that is open');
});

test('an editor that is opened while the former one saves waits for it, and offers nothing', async (t) => {
  const { open, draft, network } = await start(t);
  const former = await open();
  const { come, letGo } = network.hold('PUT');
  former.change({ body: '<p>Before.</p>' });
  const saving = former.save();
  await come;
  const opening = open();
  letGo();
  const [keeper] = await Promise.all([opening, saving]);
  keeper.change({ body: '<p>After.</p>' });
  await keeper.save();
  assert.deepEqual([keeper.state().status, keeper.state().offered], ['saved', []]);
  assert.equal((await draft())?.fields.body, '<p>After.</p>');
});

test('where the device has no room, what is written is kept in the tab, said to be at risk, and saved later', async (t) => {
  const { open, draft, network } = await start(t, { room: 10 });
  const former = await open();
  network.isDown = true;
  former.change({ body: '<p>In this tab alone.</p>' });
  await former.save();
  assert.deepEqual([former.state().status, isAtRisk(former.state())], ['failed', true]);
  const keeper = await open();
  assert.deepEqual([keeper.state().fields.body, isAtRisk(keeper.state())], ['<p>In this tab alone.</p>', true]);
  assert.equal(isAtRisk(former.state()), false, 'nobody is asked twice');
  network.isDown = false;
  await keeper.save();
  assert.deepEqual([(await draft())?.fields.body, isAtRisk(keeper.state())], ['<p>In this tab alone.</p>', false]);
});

test('a copy of an older app, which does not say what it goes on from, is restored or offered, and never lost', async (t) => {
  const { open, draft, userId, id } = await start(t);
  const leave = (body: string) =>
    localStorage.setItem(
      `freehold:draft:${userId}:${id}`,
      JSON.stringify({ fields: { body, bodyFormat: 'wysiwyg_format' }, basedOn: 1, at: 5 }),
    );
  leave('<p>Long ago.</p>');
  const keeper = await open();
  assert.deepEqual(
    [keeper.state().fields.body, (await draft())?.fields.body],
    ['<p>Long ago.</p>', '<p>Long ago.</p>'],
  );
  // Nobody knows whether it is older than the draft that is there by now.
  leave('<p>Even longer ago.</p>');
  const again = await open();
  assert.equal(again.state().fields.body, '<p>Long ago.</p>');
  again.take(again.state().offered[0]!);
  await again.save();
  assert.equal((await draft())?.fields.body, '<p>Even longer ago.</p>');
});

test('what is written after the key for publishing is not published, but becomes a draft', async (t) => {
  const { open, draft, read, network } = await start(t);
  const keeper = await open();
  const { come, letGo } = network.hold('PUT');
  keeper.change({ body: '<p>Soup</p>' });
  const saving = keeper.save();
  await come;
  keeper.change({ body: '<p>Soup and bread</p>' });
  const publishing = keeper.publish();
  keeper.change({ body: '<p>Soup and bread, and half a</p>' });
  letGo();
  await Promise.all([saving, publishing]);
  await keeper.save();
  assert.deepEqual(
    [(await read()).body, (await draft())?.fields.body, keeper.state().status],
    ['<p>Soup and bread</p>', '<p>Soup and bread, and half a</p>', 'saved'],
  );
  await keeper.publish();
  assert.deepEqual([(await read()).body, await draft()], ['<p>Soup and bread, and half a</p>', null]);
});

test('what could not be published is saved as a draft again', async (t) => {
  const { open, draft, network, read, later } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>Soup.</p>' });
  network.loseAnswersTo('POST');
  await assert.rejects(keeper.publish(), { status: 0 });
  network.loseAnswersTo(undefined);
  // The service has published it after all, and has no draft any more.
  assert.equal((await read()).body, '<p>Soup.</p>');
  keeper.change({ body: '<p>Soup and bread.</p>' });
  network.isDown = true;
  await assert.rejects(keeper.publish(), { status: 0 });
  network.isDown = false;
  await later(0);
  assert.equal((await draft())?.fields.body, '<p>Soup and bread.</p>');
});

test('publishing after a save whose answer was lost leaves no draft', async (t) => {
  const { open, draft, network, read } = await start(t);
  const keeper = await open();
  network.loseAnswersTo('PUT');
  keeper.change({ name: 'Food' });
  await keeper.save();
  network.loseAnswersTo(undefined);
  await keeper.publish();
  assert.deepEqual([(await read()).name, await draft(), keeper.state().offered], ['Food', null, []]);
});

test('publishing over what somebody else has published is refused, and one’s own can be put on top of theirs', async (t) => {
  const { open, draft, network, read, person, id } = await start(t);
  const keeper = await open();
  keeper.change({ name: 'Food' });
  await keeper.save();
  await person.patch(`pages/${id}`, { body: '<p>Theirs.</p>' }, { 'If-Match': '*' });
  await assert.rejects(keeper.publish(), { status: 412 });
  assert.equal((await draft())?.fields.name, 'Food', 'the draft is kept');
  const current = await read();
  keeper.rebase(current);
  assert.deepEqual([keeper.state().fields.body, keeper.state().fields.name], ['<p>Theirs.</p>', 'Food']);
  await keeper.publish();
  const published = await read();
  assert.deepEqual([published.name, published.body], ['Food', '<p>Theirs.</p>']);
  assert.ok(network.sent.length > 0);
});

test('what is written while a draft is being discarded is saved when that is gone', async (t) => {
  const { open, draft, network } = await start(t);
  const keeper = await open();
  const saving = network.hold('PUT');
  keeper.change({ body: '<p>Old.</p>' });
  const saved = keeper.save();
  await saving.come;
  const discarding = network.hold('DELETE');
  const discarded = keeper.discard();
  assert.equal(keeper.state().fields.body, '<p>Published.</p>');
  const after = keeper.state().fields;
  saving.letGo();
  await discarding.come;
  keeper.change({ body: '<p>New.</p>' });
  const written = keeper.save();
  discarding.letGo();
  await Promise.all([saved, discarded, written]);
  assert.equal((await draft())?.fields.body, '<p>New.</p>');

  // Undoing that takes nothing away that was written since.
  keeper.putBack({ body: '<p>Old.</p>' }, after);
  assert.deepEqual(
    [keeper.state().fields.body, keeper.state().offered.map(({ fields }) => fields.body)],
    ['<p>Old.</p>', ['<p>New.</p>']],
  );
  await keeper.save();
  assert.equal((await draft())?.fields.body, '<p>Old.</p>');
});

test('a draft that cannot be discarded is there again, with what was written since', async (t) => {
  const { open, draft, network } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>Old.</p>' });
  await keeper.save();
  network.isDown = true;
  const discarding = keeper.discard();
  keeper.change({ name: 'Food' });
  await assert.rejects(discarding, { status: 0 });
  assert.deepEqual([keeper.state().fields.body, keeper.state().fields.name], ['<p>Old.</p>', 'Food']);
  network.isDown = false;
  await keeper.save();
  assert.deepEqual((await draft())?.fields, { name: 'Food', body: '<p>Old.</p>', bodyFormat: 'wysiwyg_format' });
});

test('an undo is for the editor that is open by then', async (t) => {
  const { open, draft, network, saveElsewhere } = await start(t);
  const first = await open();
  network.isDown = true;
  first.change({ body: '<p>Old.</p>' });
  await first.save();
  network.isDown = false;
  await saveElsewhere({ body: '<p>New.</p>' });
  const former = await open({ afterClosing: true });
  const undo = former.take(former.state().offered[0]!);
  await former.save();
  const keeper = await open();
  undo();
  await keeper.save();
  assert.deepEqual(
    [keeper.state().fields.body, keeper.state().offered.map(({ fields }) => fields.body)],
    ['<p>New.</p>', ['<p>Old.</p>']],
  );
  assert.equal((await draft())?.fields.body, '<p>New.</p>');
});

test('undoing publication shows at once what was there before, and keeps what was written since as a draft', async (t) => {
  const { open, draft, network, read } = await start(t);
  const keeper = await open();
  keeper.change({ body: '<p>Wrong.</p>' });
  const { undo } = await keeper.publish();
  keeper.change({ name: 'Food' });
  const { come, letGo } = network.hold('POST');
  const undoing = keeper.unpublish({ body: '<p>Published.</p>' }, () => api.undo(undo!));
  assert.deepEqual([keeper.state().fields.body, keeper.state().fields.name], ['<p>Published.</p>', 'Food']);
  await come;
  letGo();
  await undoing;
  await keeper.save();
  assert.deepEqual([(await read()).body, (await draft())?.fields], ['<p>Published.</p>', { name: 'Food' }]);

  // Where that fails, what was published is there again, with what was written since.
  const again = await keeper.publish();
  network.isDown = true;
  const failing = keeper.unpublish({ name: 'Menu' }, () => api.undo(again.undo!));
  assert.equal(keeper.state().fields.name, 'Menu');
  keeper.change({ body: '<p>Since.</p>' });
  await assert.rejects(failing, { status: 0 });
  assert.deepEqual([keeper.state().fields.name, keeper.state().fields.body], ['Food', '<p>Since.</p>']);
});

test('a tab that is closed sends what is not saved, unless it is too long, nothing new, or being published', async (t) => {
  const { open, draft, network, id } = await start(t);
  const keeper = await open();
  keeper.saveOnLeave();
  assert.deepEqual(network.sent, []);
  keeper.change({ body: '<p>Short.</p>' });
  keeper.saveOnLeave();
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

test('the tree says at once whether a page has a draft', async (t) => {
  const { open, id, list } = await start(t);
  const row = list();
  const keeper = await open();
  assert.equal(row().hasDraft, false);
  keeper.change({ name: 'Food' });
  assert.equal(row().hasDraft, true);
  keeper.change({ name: 'Menu' });
  assert.equal(row().hasDraft, false);
  keeper.change({ name: 'Food' });
  await keeper.save();
  await keeper.discard();
  assert.equal(row().hasDraft, false);
  keeper.change({ name: 'Food' });
  await keeper.publish();
  assert.deepEqual([row().hasDraft, row().id], [false, id]);
});

interface OpenOptions {
  readonly mayEdit?: boolean;
  /** What was written before had no time to be saved. */
  readonly afterClosing?: boolean;
  /** Whether what was found in the browser is sent, as it is when the editor shows. */
  readonly isSent?: boolean;
}

/** A page that somebody may edit, with the service behind it. */
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
  const { id } = made.json as PageJson;
  const read = async () => (await person.get(`pages/${id}`)).json as PageJson;
  // In another test's database a page had the same number.
  new DraftKeeper(await read(), new LocalCopies(userId, id), false).begin();
  return {
    person,
    network,
    userId,
    id,
    read,
    draft: async () => (await read()).draft,
    copies: () => Object.keys(localStorage).filter((key) => key.startsWith('freehold:')),
    /** The editor of the page, opened once more: what was written before is saved first. */
    open: async ({ mayEdit = true, afterClosing = false, isSent = true }: OpenOptions = {}) => {
      if (!afterClosing) await saveWritten(id);
      const keeper = new DraftKeeper(await read(), new LocalCopies(userId, id), mayEdit);
      if (isSent) {
        keeper.begin();
        await keeper.save();
      }
      return keeper;
    },
    /** As another device does, which goes on from what the service has. */
    saveElsewhere: async (fields: object) => {
      const { version, draft } = await read();
      const body = { fields, basedOn: version, draftAt: draft?.updatedAt ?? null };
      assert.equal((await person.put(`pages/${id}/draft`, body)).status, 200);
    },
    /** So many milliseconds later, when what was begun by then is done. */
    later: async (milliseconds: number) => {
      t.mock.timers.tick(milliseconds);
      await network.idle();
    },
    /** The page in the tree, as it is shown. */
    list: () => {
      const key = [...PAGES, 'children', 0];
      const page = { ...(made.json as PageJson), childCount: 0, hasDraft: false };
      queryClient.setQueryData(key, { pages: [page], total: 1 });
      return () => queryClient.getQueryData<{ pages: TreePageJson[] }>(key)!.pages[0]!;
    },
  };
}
