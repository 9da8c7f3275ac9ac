import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../../test/cli.ts';
import { onEachDatabase } from '../../../test/databases.ts';
import { startDnsServer } from '../../../test/dns-server.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { overlapping } from '../../../test/overlap.ts';
import { makeUser, Person, signedInAs, tokenFor } from '../../../test/person.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { restoreApiKey } from '../../api-keys/restore-api-keys.ts';
import type { Trx } from '../../db/database.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { endSessions } from '../../users/end-sessions.ts';
import type { ApiKeyJson, FieldError, LogEntryJson } from './contract.ts';

const HOUR_MS = 60 * 60 * 1000;

onEachDatabase('the settings of an account', (open) => {
  test('each setting can be changed on its own', async (t) => {
    const { service, db, accountId, userId, key } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const before = (await admin.get('settings')).json;
    const changes = [
      { name: 'Acme & Sons' },
      { editor: 'markdown_format' },
      { theme: 'portfolio' },
      { accent: '#AA0055' },
      { secondButton: await makePage(db, accountId, { userId }) },
      { language: 'pt-br' },
      { timeZone: 'europe/berlin' },
    ];
    for (const change of changes) assert.equal((await admin.patch('settings', change)).status, 200);
    assert.deepEqual((await admin.get('settings')).json, {
      ...before,
      name: 'Acme & Sons',
      editor: 'markdown_format',
      theme: 'portfolio',
      accent: '#aa0055',
      secondButton: changes[4]!.secondButton,
      language: 'pt-BR',
      timeZone: 'Europe/Berlin',
    });
    assert.equal((await service.account(key)).name, 'Acme & Sons');
  });

  test('invalid settings are refused with every wrong field, and nothing is changed', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const before = (await admin.get('settings')).json;
    const input = {
      name: '',
      editor: 'word',
      theme: 'pink',
      accent: 'red',
      secondButton: 1e9,
      language: 'english',
      timeZone: '+02:00',
    };
    const { status, json } = await admin.patch('settings', input);
    assert.equal(status, 422);
    const fields = json.error.fields.map(({ field }: FieldError) => field);
    assert.deepEqual(fields.sort(), ['accent', 'editor', 'language', 'name', 'secondButton', 'theme', 'timeZone']);
    assert.equal((await admin.patch('settings', { name: 'Good', theme: 'pink' })).status, 422);
    assert.deepEqual((await admin.get('settings')).json, before);
  });

  test('a key is shown only once, works for some hours after a rotation, and ends at once when revoked', async (t) => {
    const now = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now });
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id: userId } = await makeUser(db, accountId, { role: 'admin', name: 'Ada Admin' });
    const admin = new Person(service, await tokenFor(db, accountId, userId));
    const issued = await admin.post('keys', { name: ' Shop ', expiresAt: null });
    assert.equal(issued.status, 201);
    const { id, key } = issued.json;
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    const listed = await admin.get('keys');
    assert.ok(!listed.text.includes(key));
    const [first]: ApiKeyJson[] = listed.json.keys;
    assert.deepEqual([first!.name, first!.last4, first!.userName], ['Shop', key.slice(-4), 'Ada Admin']);

    const rotated = (await admin.post(`keys/${id}/rotate`, { overlapHours: 2 })).json;
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    assert.equal((await service.get('/api/pages.json', rotated.key)).status, 200);
    t.mock.timers.setTime(now + 2 * HOUR_MS);
    assert.equal((await service.get('/api/pages.json', key)).status, 401);
    assert.equal((await admin.delete(`keys/${rotated.id}`)).status, 204);
    assert.equal((await service.get('/api/pages.json', rotated.key)).status, 401);
    for (const [path, body] of [
      ['keys', { name: '' }],
      ['keys', { name: 'Old', expiresAt: 1 }],
      ['keys', { name: 'Nothing', scopes: [] }],
      ['keys', { name: 'Wrong', scopes: ['pages:own'] }],
      [`keys/${rotated.id}/rotate`, {}],
      [`keys/${id}/rotate`, { overlapHours: -1 }],
    ] as const) {
      assert.equal((await admin.post(path, body)).status, 422);
    }
    assert.ok(!JSON.stringify(await db.selectFrom('audit_log').selectAll().execute()).includes(key));
  });

  test('a key can be limited to scopes, which the list shows', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { key } = (await admin.post('keys', { name: 'Feed', scopes: ['images:read', 'pages:read'] })).json;
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    assert.equal((await service.get('/api/account.json', key)).status, 403);
    const { keys } = (await admin.get('keys')).json;
    assert.deepEqual(
      keys.map(({ scopes }: ApiKeyJson) => scopes),
      [['pages:read', 'images:read'], null],
    );
  });

  test('a revoked key can be restored, unless the operator revoked it', async (t) => {
    const { service, database, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id, key } = (await admin.post('keys', { name: 'Shop' })).json;
    const status = async () => (await service.get('/api/pages.json', key)).status;
    const revoke = async () => [(await admin.delete(`keys/${id}`)).status, await status()];
    assert.deepEqual(await revoke(), [204, 401]);
    assert.deepEqual(await revoke(), [204, 401], 'revoking a key twice is like revoking it once');
    const [one, two] = await Promise.all([admin.post(`keys/${id}/restore`), admin.post(`keys/${id}/restore`)]);
    assert.deepEqual([one.status, two.status].sort(), [204, 404]);
    assert.equal(await status(), 200);
    assert.deepEqual(await revoke(), [204, 401]);
    const { code, error } = await runCli(database.config, 'key', 'revoke', `key_${id}`);
    assert.equal(code, 0, error);
    assert.equal((await admin.post(`keys/${id}/restore`)).status, 404);
    assert.equal(await status(), 401);
    const actions = (await admin.get('log')).json.entries.map(({ action }: LogEntryJson) => action);
    assert.deepEqual(actions, ['key.revoked', 'key.restored', 'key.revoked', 'key.issued', 'account.created']);

    const spare = (await admin.post('keys', { name: 'Spare' })).json;
    await admin.delete(`keys/${spare.id}`);
    const restoring = (trx: Trx) => restoreApiKey(trx, accountId, spare.id);
    await overlapping(db, restoring, () => runCli(database.config, 'key', 'revoke', `key_${spare.id}`));
    assert.equal(
      (await service.get('/api/pages.json', spare.key)).status,
      401,
      'also if it is being restored at the same time',
    );
  });

  test('a key expires in the year 9999 at the latest, even after rotations', async (t) => {
    const now = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now });
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const late = await admin.post('keys', { name: 'Late', expiresAt: Number.MAX_SAFE_INTEGER });
    assert.deepEqual([late.status, late.json.error?.fields], [422, [{ field: 'expiresAt', code: 'not_a_time' }]]);
    const end = Date.parse('9999-12-31T23:59:59.999Z');
    const { id } = (await admin.post('keys', { name: 'Last', expiresAt: end })).json;
    // The same lifetime from now would end in the year 10000.
    t.mock.timers.setTime(now + HOUR_MS);
    const rotated = (await admin.post(`keys/${id}/rotate`)).json;
    const { keys } = (await admin.get('keys')).json;
    assert.equal(keys.find((key: ApiKeyJson) => key.id === rotated.id).expiresAt, end);
    assert.equal((await service.get('/api/pages.json', rotated.key)).status, 200);
  });

  test('a rotated key belongs to the user who rotated it, and ends when that user is removed', async (t) => {
    const { service, db, accountId, key } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { role: 'admin', name: 'Ada Admin' });
    const admin = new Person(service, await tokenFor(db, accountId, id));
    const [first]: ApiKeyJson[] = (await admin.get('keys')).json.keys;
    const rotated = (await admin.post(`keys/${first!.id}/rotate`)).json;
    const owner = await signedInAs(service, db, accountId);
    assert.equal((await owner.delete(`users/${id}`)).status, 204);
    assert.equal((await service.get('/api/pages.json', rotated.key)).status, 401);
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
  });

  test('the list of keys shows when and from where each key was last used', async (t) => {
    const { service, database, db, accountId, key } = await startWithAccount(t, open, { TRUST_PROXY: 'loopback' });
    await service.request('GET', `/api/pages.json?api_key=${key}`, { headers: { 'X-Forwarded-For': '203.0.113.5' } });
    // Uses are recorded once a minute, and when the service stops.
    await service.stop();
    const admin = await signedInAs(await startService(t, database), db, accountId, 'admin');
    const [used]: ApiKeyJson[] = (await admin.get('keys')).json.keys;
    assert.equal(used!.lastUsedIp, '203.0.113.5');
    assert.ok(used!.lastUsedAt);
  });

  test('a domain can be added, verified by its record, removed and restored', async (t) => {
    const dns = await startDnsServer(t);
    const { service, db, accountId } = await startWithAccount(t, open, { DNS_SERVERS: dns.address });
    const admin = await signedInAs(service, db, accountId, 'admin');
    const added = await admin.post('domains', { host: 'https://www.Bäckerei.example/' });
    assert.equal(added.status, 201);
    const { id, host, shownHost, records, verifiedAt } = added.json;
    assert.deepEqual([host, shownHost, verifiedAt], ['www.xn--bckerei-5wa.example', 'www.bäckerei.example', null]);
    const { notes } = (await admin.post(`domains/${id}/verify`)).json;
    assert.deepEqual(
      notes.map(({ code, type }: { code: string; type: string }) => [code, type]),
      [
        ['no_record', 'TXT'],
        ['no_record', 'CNAME'],
      ],
    );
    dns.set(records[0].name, 'TXT', records[0].value);
    const { json } = await admin.post(`domains/${id}/verify`);
    assert.ok(json.verifiedAt);
    assert.deepEqual([json.notes, json.isPrimary], [[], true]);
    assert.equal((await admin.get('session')).json.account.address, `http://${host}:8080`);
    assert.deepEqual((await admin.post('domains', { host })).json.error.fields, [
      { field: 'host', code: 'already_added' },
    ]);
    assert.equal((await admin.delete(`domains/${id}`)).status, 204);
    assert.deepEqual((await admin.get('domains')).json.domains, []);
    const actions = (await admin.get('log')).json.entries.map(({ action }: LogEntryJson) => action);
    assert.deepEqual(actions, ['domain.removed', 'domain.verified', 'domain.added', 'account.created']);
    assert.equal((await admin.post(`domains/${id}/restore`)).status, 204);
    assert.deepEqual((await admin.get('domains')).json.domains, [json], 'the restored domain is still verified');
    assert.equal((await admin.get('session')).json.account.address, `http://${host}:8080`);
  });

  test('a verification of a domain changes nothing if the user is signed out or suspended meanwhile', async (t) => {
    const dns = await startDnsServer(t);
    const { service, db, accountId } = await startWithAccount(t, open, { DNS_SERVERS: dns.address });
    const owner = await signedInAs(service, db, accountId);
    const { id, records } = (await owner.post('domains', { host: 'www.bakery.example' })).json;
    const ends = {
      401: (trx: Trx, userId: number) => endSessions(trx, accountId, userId),
      403: (trx: Trx) => trx.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', accountId).execute(),
    };
    for (const proof of ['another', records[0].value]) {
      dns.set(records[0].name, 'TXT', proof);
      const before = await db.selectFrom('domains').selectAll().execute();
      for (const [status, end] of Object.entries(ends)) {
        const user = await makeUser(db, accountId, { role: 'admin' });
        const person = new Person(service, await tokenFor(db, accountId, user.id));
        let ending: Promise<unknown> | undefined;
        dns.onQuestion = async () => {
          ending ??= db.transaction().execute(async (trx) => end(trx, user.id));
          await ending;
        };
        const reply = await person.post(`domains/${id}/verify`);
        assert.equal(reply.status, Number(status), reply.text);
        assert.deepEqual(await db.selectFrom('domains').selectAll().execute(), before);
        await db.transaction().execute((trx) => trx.updateTable('accounts').set({ status: 'active' }).execute());
      }
      dns.onQuestion = () => {};
    }
    const actions = (await owner.get('log')).json.entries.map(({ action }: LogEntryJson) => action);
    assert.deepEqual(actions, ['domain.added', 'account.created']);
    assert.ok((await owner.post(`domains/${id}/verify`)).json.verifiedAt);
  });

  test('a removed domain cannot be restored if it was added again, or verified by another account', async (t) => {
    const dns = await startDnsServer(t);
    const { service, db, accountId } = await startWithAccount(t, open, { DNS_SERVERS: dns.address });
    const admin = await signedInAs(service, db, accountId, 'admin');
    const other = await signedInAs(service, db, (await makeAccount(db, 'other')).accountId);
    const host = 'www.bakery.example';
    const prove = async (person: Person) => {
      const { id, records } = (await person.post('domains', { host })).json;
      dns.set(records[0].name, 'TXT', records[0].value);
      assert.ok((await person.post(`domains/${id}/verify`)).json.verifiedAt);
      return id;
    };
    const refused = async (id: number) => {
      const { status, json } = await admin.post(`domains/${id}/restore`);
      return [status, json.error.why.reason];
    };
    const first = await prove(admin);
    await admin.delete(`domains/${first}`);
    const again = await prove(admin);
    assert.deepEqual(await refused(first), [409, 'domain_added_since']);
    await admin.delete(`domains/${again}`);
    await prove(other);
    assert.deepEqual(await refused(again), [409, 'domain_lost_since']);
    assert.deepEqual((await admin.get('domains')).json.domains, []);
  });

  test('users can add up to 100 domains to an account, and the operator more; restored domains count', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id } = (await admin.post('domains', { host: 'first.example' })).json;
    const row = (number: number) => ({
      account_id: accountId,
      token: '',
      created_at: 1,
      host: `host-${number}.example`,
    });
    const rows = Array.from({ length: 99 }, (_, number) => row(number));
    await db.transaction().execute((trx) => trx.insertInto('domains').values(rows).execute());
    const refused = await admin.post('domains', { host: 'more.example' });
    assert.deepEqual([refused.status, refused.json.error.why.reason], [409, 'too_many_domains']);
    assert.equal((await admin.delete(`domains/${id}`)).status, 204);
    assert.equal((await admin.post('domains', { host: 'more.example' })).status, 201);
    assert.equal((await admin.post(`domains/${id}/restore`)).status, 409);
    const by = { userId: null, name: 'operator', ip: null };
    await db.transaction().execute((trx) => addDomain(trx, accountId, 'operators.example', by));
  });

  test('an account can have up to 200 keys that work or were issued recently', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const keys = (length: number, state: { created_at: number; revoked_at: number | null }) =>
      Array.from({ length }, (_, number) => ({
        account_id: accountId,
        user_id: userId,
        name: 'k',
        hash: `${state.created_at} ${number}`,
        last4: 'abcd',
        expires_at: null,
        last_used_at: null,
        lifetime: null,
        ...state,
      }));
    const make = (rows: ReturnType<typeof keys>) =>
      db.transaction().execute((trx) => trx.insertInto('api_keys').values(rows).execute());
    const issue = () => admin.post('keys', { name: 'One more', expiresAt: null });
    // The account has one key already.
    await make([...keys(100, { created_at: 1, revoked_at: null }), ...keys(200, { created_at: 2, revoked_at: 3 })]);
    await make(keys(98, { created_at: Date.now(), revoked_at: Date.now() }));
    const { id } = (await issue()).json;
    const refused = await issue();
    assert.deepEqual([refused.status, refused.json.error.why.reason], [409, 'too_many_keys']);
    assert.equal((await admin.post(`keys/${id}/rotate`, {})).status, 409);
  });

  test('a log entry has actor, action, subject, details, IP address and time', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { role: 'admin', name: 'Ada Admin' });
    const admin = new Person(service, await tokenFor(db, accountId, id));
    await admin.patch('settings', { theme: 'business', accent: '#112233' });
    await admin.patch('settings', { theme: 'pink' });
    await admin.patch('settings', {});
    const { entries, hasMore } = (await admin.get('log')).json;
    assert.equal(hasMore, false);
    const [{ id: _id, at, ...entry }] = entries;
    assert.deepEqual(entry, {
      actor: 'Ada Admin',
      userId: id,
      key: null,
      action: 'settings.changed',
      subject: `account_${accountId}`,
      pageId: null,
      isInTrash: false,
      details: { theme: 'business', accent: '#112233' },
      ip: '127.0.0.1',
    });
    assert.ok(Math.abs(at - Date.now()) < HOUR_MS);
    const actions = entries.map(({ action }: LogEntryJson) => action);
    assert.deepEqual(
      actions,
      ['settings.changed', 'account.created'],
      'changes that fail or change nothing are not logged',
    );
  });

  test('log entries have the name that the changed thing had at the time', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { role: 'admin', name: 'Ada Admin' });
    const admin = new Person(service, await tokenFor(db, accountId, id));
    const page = (await admin.post('pages', { name: 'News' })).json;
    await admin.post(`pages/${page.id}/publish`, { fields: { body: 'Text' } }, { 'If-Match': `"${page.version}"` });
    const { undo } = (await admin.patch(`pages/${page.id}`, { name: 'Old news' }, { 'If-Match': '*' })).json;
    await admin.post(`undo/${undo}`);
    const key = (await admin.post('keys', { name: 'Shop' })).json;
    await admin.post(`keys/${key.id}/rotate`);
    await admin.delete(`keys/${key.id}`);
    await admin.post('sign-out');
    const { entries } = (await (await signedInAs(service, db, accountId)).get('log')).json;
    assert.deepEqual(entries.map(({ action, details }: LogEntryJson) => `${action} ${details.name}`).reverse(), [
      ...[
        entries.at(-1).action + ` ${entries.at(-1).details.name}`,
        'page.created News',
        'page.published News',
        'page.changed Old news',
        'page.undone News',
      ],
      ...['key.issued Shop', 'key.rotated Shop', 'key.revoked Shop', 'session.ended Ada Admin'],
    ]);
  });

  test('the log is listed 50 entries at a time', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    for (let number = 0; number < 51; number++) await admin.patch('settings', { name: `Name ${number}` });
    const first = (await admin.get('log')).json;
    assert.deepEqual([first.entries.length, first.hasMore], [50, true]);
    const second = (await admin.get(`log?before=${first.entries.at(-1).id}`)).json;
    assert.deepEqual(
      second.entries.map(({ action, details }: LogEntryJson) => (action === 'settings.changed' ? details : action)),
      [{ name: 'Name 0' }, 'account.created'],
    );
    assert.equal(second.hasMore, false);
    assert.equal((await admin.get('log?before=x')).status, 400);
  });

  test('the log can be filtered by actions of people and actions of programs', async (t) => {
    const { service, db, accountId, key } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    await admin.patch('settings', { name: 'Before' });
    for (let number = 0; number < 60; number++) await service.createPage(key, { name: `Page ${number}` });
    await admin.patch('settings', { name: 'After' });
    const log = async (query: string) => {
      const { entries, hasMore } = (await admin.get(`log${query}`)).json;
      return { hasMore, last: entries.at(-1).id, names: entries.map(({ details }: LogEntryJson) => details.name) };
    };
    const all = await log('');
    assert.deepEqual([all.names.length, all.names[0], all.names[1], all.hasMore], [50, 'After', 'Page 59', true]);
    const people = await log('?by=people');
    assert.deepEqual([people.names.slice(0, 2), people.names.length, people.hasMore], [['After', 'Before'], 3, false]);
    const programs = await log('?by=programs');
    assert.deepEqual([programs.names.length, programs.names[0], programs.hasMore], [50, 'Page 59', true]);
    const rest = await log(`?by=programs&before=${programs.last}`);
    assert.deepEqual([rest.names.length, rest.names.at(-1), rest.hasMore], [10, 'Page 0', false]);
    assert.equal((await admin.get('log?by=ghosts')).status, 400);
  });
});
