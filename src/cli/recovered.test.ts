import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { signedInAs } from '../../test/person.ts';
import { startWithAccount } from '../../test/service.ts';

onEachDatabase('the command recovered', (open) => {
  test('recovered makes cached answers stale, ends sessions and links, and lists queued mail', async (t) => {
    const { service, database, db, key, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    await service.createPage(key, { name: 'Before' });
    await service.createCustomer(key, { user_email: 'twice@example.com' });
    const before = (await service.pages(key))[0]!.id;
    const list = await service.get('/api/pages.json', key);
    const version = list.headers['pages-version'];
    const stale = { 'If-None-Match': list.headers.etag! };
    const since = () => service.request('GET', `/api/pages.json?api_key=${key}&since=${version}`);

    const told = await runCli(database.config, 'recovered');
    assert.equal(told.code, 1);
    assert.match(told.out, /^The command would:\n- raise the versions of 2 accounts/);
    assert.match(told.out, /- end 1 session and \d+ mailed links?/);
    assert.match(told.out, /- skip ids/);
    assert.match(told.out, /twice@example\.com/);
    assert.match(told.out, /Nothing was changed\. Run the command again with --yes\.$/m);
    assert.equal((await service.get('/api/pages.json', key, stale)).status, 304);
    assert.equal((await person.get('session')).status, 200);
    assert.equal((await since()).status, 200);

    const done = await runCli(database.config, 'recovered', '--yes', '--json');
    assert.equal(done.code, 0);
    const { messages, ...counts } = JSON.parse(done.out);
    assert.deepEqual([counts.done, counts.accounts, counts.sessions], [true, 2, 1]);
    assert.deepEqual(
      messages.map(({ to }: { to: string }) => to),
      ['twice@example.com'],
    );
    assert.equal((await service.get('/api/pages.json', key, stale)).status, 200);
    assert.equal((await person.get('session')).status, 401);
    assert.equal((await since()).status, 410);
    // The skip allows for a minute of clock skew and ten ids a millisecond.
    await service.createPage(key, { name: 'After' });
    const after = (await service.pages(key)).find(({ name }) => name === 'After')!;
    assert.ok(numberOf(after.id) - numberOf(before) > 600_000, `${after.id} comes after ${before}`);
    const links = await db.selectFrom('one_time_links').select('id').where('used_at', 'is', null).execute();
    assert.deepEqual(links, []);
  });
});

function numberOf(id: string): number {
  return Number(id.slice('page_'.length));
}
