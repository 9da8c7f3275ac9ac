import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import {
  beforeClosing,
  makeEmptyDatabase,
  onEachDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../test/databases.ts';
import { actor, addresses, makeAccount, makeCustomer, makePage, quota, settings } from '../../test/factories.ts';
import { suspendCustomer } from '../accounts/change-customer.ts';
import { changeSubdomain } from '../accounts/change-subdomain.ts';
import { operator } from '../audit/record-audit-event.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/database.ts';
import { applyMissing, migrate, pendingMigrations } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { snapshot } from '../db/snapshot.ts';
import { addMedia } from '../media/add-media.ts';
import { openMediaStore } from '../media/open-store.ts';
import { refreshSearch } from '../pages/search-index.ts';
import { searchPages } from '../pages/search-pages.ts';
import { undoChange } from '../pages/undo-change.ts';
import { updatePage } from '../pages/update-page.ts';
import { findPage } from '../sites/find-page.ts';
import { findLink, makeLink } from '../users/one-time-links.ts';
import { makeChallenge } from '../users/passkeys/challenges.ts';
import { addPasskey } from '../users/passkeys/register-passkey.ts';
import { beginSecondFactor, confirmSecondFactor } from '../users/second-factor.ts';
import { findSession, startSession } from '../users/sessions.ts';
import { makeSignInLink } from '../users/sign-in-link.ts';
import { codeOf } from '../users/totp.ts';
import { backup } from './backup.ts';
import { examine } from './doctor.ts';
import { restore } from './restore.ts';
import { tableNames, tables } from './tables.ts';

// All tests share one store, because the images' files have the same names in each database, as after a restore.
const folder = mkdtempSync(join(tmpdir(), 'freehold-backup-'));
const images = openMediaStore(readConfig({ DATA_DIR: folder }));
after(() => rmSync(folder, { recursive: true, force: true }));

onEachDatabase('backup and restore', (open, kind) => {
  test('a backup restores to the other kind of database and back with nothing lost', async (t) => {
    const first = await open(t);
    await fill(first.db);
    const before = await contents(first.db);
    const second = await openTestDatabase(t, kind === 'sqlite' ? 'postgres' : 'sqlite');
    await copy(first, second);
    assert.deepEqual(await contents(second.db), before);
    assert.deepEqual((await examine(second.db, images)).problems, []);
    const third = await open(t);
    await copy(second, third);
    assert.deepEqual(await contents(third.db), before);
    assert.deepEqual((await examine(third.db, images)).problems, []);
  });

  test('a restore replaces existing data only when told to', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    const before = await contents(db);
    const { accountId, userId } = await makeAccount(db, 'later');
    await makePage(db, accountId, { userId });
    const changed = await contents(db);
    await assert.rejects(restore(db, file, { replace: false }), { code: 'conflict', message: /not empty/ });
    assert.deepEqual(await contents(db), changed);
    await restore(db, file, { replace: true });
    assert.deepEqual(await contents(db), before);
  });

  test('a backup leaves out the search index, and searches after a restore find the restored pages', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'bakery');
    const id = await makePage(db, accountId, { userId, name: 'Bread', body: 'rye' });
    const find = async (text: string) => {
      await refreshSearch(db, accountId, 1000);
      return (await snapshot(db, (trx) => searchPages(trx, accountId, text))).pages.map(({ name }) => name);
    };
    assert.deepEqual(await find('rye'), ['Bread']);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    await db
      .transaction()
      .execute((trx) =>
        updatePage(trx, accountId, { id, basedOn: undefined, fields: { body: 'spelt' }, quota }, actor(userId)),
      );
    await makePage(db, accountId, { userId, name: 'Rolls', body: 'wheat' });
    assert.deepEqual([await find('spelt'), await find('wheat')], [['Bread'], ['Rolls']]);
    await restore(db, file, { replace: true });
    for (const table of ['search_accounts', 'search_queue', 'search_pages', 'search_vocabulary']) {
      assert.deepEqual((await sql`select * from ${sql.table(table)}`.execute(db)).rows, [], table);
    }
    assert.deepEqual([await find('rye'), await find('spelt'), await find('wheat')], [['Bread'], [], []]);
    assert.deepEqual((await examine(db, images)).problems, []);
  });

  test('sessions, links and passkey challenges in a backup are void after a restore', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: 'Browser' };
    const change = db.transaction();
    const session = await change.execute((trx) => startSession(trx, accountId, { userId, clientInfo }));
    const link = await change.execute((trx) => makeLink(trx, accountId, userId, 'sign_in'));
    await db.transaction().execute((trx) => makeChallenge(trx, undefined));
    assert.ok(await findSession(db, session));
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    await restore(db, file, { replace: true });
    assert.equal(await findSession(db, session), undefined);
    await assert.rejects(findLink(db, link, ['sign_in']), { code: 'not_found' });
    assert.deepEqual(await db.selectFrom('passkey_challenges').selectAll().execute(), []);
  });

  test('a backup is consistent while other connections write', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const writer = await openDatabase(config);
    t.after(() => writer.destroy());
    let isOver = false;
    let count = 0;
    const write = async () => {
      // Each transaction raises the version and creates a page with that version.
      while (!isOver) {
        await makePage(writer, accountId, { userId, body: 'x'.repeat(20_000) });
        count++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const writing = write();
    while (count < 20) await new Promise((resolve) => setImmediate(resolve));
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    isOver = true;
    await writing;

    const rows = rowsOf(await lines(file));
    const account = rows.find(({ table }) => table === 'accounts')!.row;
    const pages = rows.filter(({ table }) => table === 'pages');
    assert.equal(Math.max(...pages.map(({ row }) => Number(row.version))), account.content_version);
    assert.ok(pages.length >= 20 && pages.length <= count);
    await restore(db, file, { replace: true });
    assert.deepEqual((await examine(db, images)).problems, []);
  });

  test('a backup reads rows in batches, whatever their number and the length of their texts', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    for (const length of [3_000_000, 3_000_000, 9_000_000, 10, 10]) {
      await makePage(db, accountId, { userId, body: '\u2028é\r\n'.repeat(length / 10) });
    }
    await db.transaction().execute(async (trx) => {
      // More than two batches of rows.
      for (let position = 6; position <= 2100; position++) {
        await sql`insert into pages (account_id, name, urlname, position, is_hidden, body_format, custom_date, created_at,
          created_by, updated_at, updated_by, version, body)
          values (${accountId}, ${`n${position}`}, ${`n${position}`}, ${position}, 0, '', 1, 1, ${userId}, 1, ${userId}, 1, '')`.execute(
          trx,
        );
      }
    });
    const before = await contents(db);
    const file = join(config.dataDir, 'backup.zst');
    const counts = await backup(db, file);
    assert.equal(counts.pages, 2100);
    await restore(db, file, { replace: true });
    assert.deepEqual(await contents(db), before);
  });

  test('a restore never assigns an id or a version again', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await makePage(db, accountId, { userId });
    const gone = await makePage(db, accountId, { userId });
    await db.transaction().execute((trx) => trx.deleteFrom('pages').where('id', '=', gone).execute());
    const file = join(config.dataDir, 'backup.zst');
    const start = Date.now();
    await backup(db, file);
    const later = await makePage(db, accountId, { userId });
    const other = await open(t);
    await restore(other.db, file, { replace: false });
    assert.ok(
      (await makePage(other.db, accountId, { userId })) > later,
      'an id that the lost database had assigned was assigned again',
    );

    await db.transaction().execute((trx) =>
      trx
        .updateTable('accounts')
        .set({ content_version: 2 ** 50 })
        .execute(),
    );
    await restore(db, file, { replace: true });
    assert.ok(
      (await makePage(db, accountId, { userId })) > later,
      'an id that the replaced database had assigned was assigned again',
    );
    const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    assert.ok(account.content_version > 2 ** 50);
    assert.ok(account.customers_version > start);
    const pages = await db.selectFrom('pages').select('version').execute();
    assert.ok(
      pages.length > 1 && pages.every(({ version }) => version > 2 ** 50 && version <= account.content_version),
    );
    // Clients cannot learn about pages that vanished with the restore.
    assert.ok(account.changes_known_from > 2 ** 50);
  });

  test('a restore keeps every constraint and trigger of the schema', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const schema = await rulesOf(db, kind);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    await restore(db, file, { replace: true });
    assert.deepEqual(await rulesOf(db, kind), schema);
    await assert.rejects(
      db.transaction().execute((trx) => trx.deleteFrom('plan_changes').execute()),
      /plan_changes is append-only/,
    );
    const dangling = sql`update pages set created_by = 999999`;
    await assert.rejects(
      db.transaction().execute((trx) => dangling.execute(trx)),
      /foreign key/i,
    );
  });

  test('a restore replaces tables that other migrations created', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const schema = await rulesOf(db, kind);
    const before = await contents(db);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('migrations').execute();
      await sql`alter table accounts rename column editor to former_editor`.execute(trx);
    });
    await restore(db, file, { replace: true });
    assert.deepEqual(await contents(db), before);
    assert.deepEqual(await rulesOf(db, kind), schema);
    assert.deepEqual((await examine(db, images)).problems, []);
  });

  test('a backup from before pages had a status restores them as published, hidden or in the trash', async (t) => {
    const old = await makeEmptyDatabase(t, kind);
    const before = await openDatabase(old);
    beforeClosing(t, () => before.destroy());
    const earlier = (await pendingMigrations(before)).filter((name) => name < '023');
    await before.transaction().execute(async (trx) => {
      await applyMissing(trx, kind, earlier);
      const columns = sql`id, account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date,
        created_at, created_by, updated_at, updated_by, version, body`;
      const page = (id: number, name: string, isHidden: number, position: number) =>
        sql`(${id}, 1, null, ${name}, ${name}, ${position}, ${isHidden}, '', 0, 1234, 1, 1234, 1, 1, 'rye')`;
      for (const statement of [
        sql`insert into accounts (own_plan_name, own_plan_price_cents, name, subdomain, status, editor, created_at)
          values ('Self-hosted', 0, 'Acme', 'acme', 'active', 'wysiwyg_format', 1234)`,
        sql`insert into users (account_id, name, email, email_key, role, created_at)
          values (1, 'Olivia', 'o@example.com', 'o@example.com', 'owner', 1234)`,
        sql`insert into pages (${columns}) values ${page(1, 'bread', 0, 1)}, ${page(2, 'secret', 1, 2)}`,
        sql`insert into undos (account_id, user_id, kind, payload, created_at)
          values (1, 1, 'delete', '{"pageId":3,"pages":1}', ${Date.now()})`,
        sql`insert into pages (${columns}) values ${page(3, 'cake', 0, 3)}`,
        sql`insert into removed_pages (undo_id, ${columns}) select 1, ${columns} from pages where id = 3`,
        sql`delete from pages where id = 3`,
        sql`insert into domains (account_id, host, token, verified_at, created_at)
          values (1, 'bakery.example', 'a', 1234, 1234), (1, 'www.bakery.example', 'b', null, 1234)`,
      ]) {
        await statement.execute(trx);
      }
    });
    const file = join(old.dataDir, 'backup.zst');
    await backup(before, file);

    const { db } = await open(t);
    const { migrated } = await restore(db, file, { replace: false });
    assert.equal(migrated[0], '023-page-status');
    const pages = await db.selectFrom('pages').select(['name', 'is_hidden', 'status']).orderBy('id').execute();
    assert.deepEqual(
      pages.map(({ name, is_hidden, status }) => [name, is_hidden, status]),
      [
        ['bread', 0, 'published'],
        ['secret', 1, 'published'],
      ],
    );
    await db.transaction().execute((trx) => undoChange(trx, 1, { id: 1, quota }, actor(1)));
    const found = await snapshot(db, (trx) => findPage(trx, 1, ['cake']));
    assert.equal(found?.name, 'cake');
    const domains = await db.selectFrom('domains').select(['host', 'next_check_at']).orderBy('id').execute();
    assert.deepEqual(
      domains.map(({ host, next_check_at }) => [host, next_check_at !== null]),
      [
        ['bakery.example', true],
        ['www.bakery.example', false],
      ],
    );
  });

  test("a backup from before there were sites is migrated to today's schema", async (t) => {
    const old = await makeEmptyDatabase(t, kind);
    const before = await openDatabase(old);
    beforeClosing(t, () => before.destroy());
    await before.transaction().execute(async (trx) => {
      await applyMissing(trx, kind, ['001-initial']);
      await sql`insert into accounts (own_plan_name, own_plan_price_cents, name, subdomain, status, editor, created_at)
        values ('Self-hosted', 0, 'Acme', 'acme', 'active', 'wysiwyg_format', 1234)`.execute(trx);
      await sql`insert into users (account_id, name, email, email_key, role, created_at)
        values (1, 'Olivia', 'o@example.com', 'o@example.com', 'owner', 1234)`.execute(trx);
      await sql`insert into api_keys (account_id, user_id, name, hash, last4, created_at, expires_at)
        values (1, 1, 'Shop', 'a', 'abcd', 1234, 1334), (1, 1, 'Shop', 'b', 'abcd', 1234, null)`.execute(trx);
    });
    const file = join(old.dataDir, 'backup.zst');
    await backup(before, file);
    const later = await migrate(before);
    assert.equal(later[0], '002-sites');
    const account = await before.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    const { theme, accent, language, content_changed_at } = account;
    assert.deepEqual([theme, accent, language, content_changed_at], ['typographic', '#1f5fbf', 'en', 1234]);
    const keys = await before.selectFrom('api_keys').select('lifetime').orderBy('id').execute();
    const lifetimes = keys.map(({ lifetime }) => lifetime);
    assert.deepEqual(lifetimes, [100, null]);

    const { db } = await open(t);
    const { migrated } = await restore(db, file, { replace: false });
    assert.deepEqual(migrated, later);
    assert.deepEqual(await contents(db), await contents(before));
  });

  test('a backup of version 1, with a gzipped line for each row, can be restored', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const before = await contents(db);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    const all = await lines(file);
    const earlier = [
      all[0]!.replace('"version":2', '"version":1'),
      ...rowsOf(all).map((row) => JSON.stringify(row)),
      all.at(-2)!,
    ];
    await writeFile(file, gzipSync(sealed(earlier)));
    await restore(db, file, { replace: true });
    assert.deepEqual(await contents(db), before);
    await writeFile(file, gzipSync(sealed(earlier)).subarray(0, -30));
    await assert.rejects(restore(db, file, { replace: true }), /damaged: its end is missing/);
  });

  test('a damaged backup is refused, and nothing is changed', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    const before = await contents(db);
    const whole = await readFile(file);
    const all = await lines(file);
    const text = all.map((line) => `${line}\n`).join('');
    const resealed = (content: string[]) => zstdCompressSync(sealed(content));
    const flipped = Buffer.from(whole);
    flipped[Math.floor(whole.length / 2)]! ^= 0xff;
    const cases: Array<[string, Buffer, RegExp]> = [
      ['cut off', whole.subarray(0, whole.length - 30), /damaged/],
      ['cut in half', whole.subarray(0, whole.length / 2), /damaged/],
      ['a byte changed', flipped, /damaged/],
      ['empty', Buffer.alloc(0), /The backup is empty/],
      ['not compressed', Buffer.from('hello world'), /not a backup made by Freehold/],
      ['another file', zstdCompressSync('{"some":"json"}\n'), /not a backup made by Freehold/],
      ['another file, gzipped', gzipSync('{"some":"json"}\n'), /not a backup made by Freehold/],
      ['without its last line', zstdCompressSync(`${all.slice(0, -1).join('\n')}\n`), /damaged: its end is missing/],
      ['a value changed', zstdCompressSync(text.replace('Olivia', 'Oliver')), /damaged: its checksum is wrong/],
      ['a row missing', resealed(all.slice(0, -1).toSpliced(1, 1)), /damaged: rows are missing/],
      ['more at the end', zstdCompressSync(`${text}{}\n`), /damaged: it continues after its end/],
      ['not JSON', resealed([all[0]!, 'nonsense']), /damaged: a line is not JSON/],
      [
        'an unknown table',
        resealed([all[0]!, '{"table":"secrets","columns":[],"rows":[[]]}', '{"counts":{"secrets":1},"last_ids":{}}']),
        /there is no table "secrets"/,
      ],
      [
        'from a newer version',
        resealed([all[0]!.replace('"001-initial"', '"001-initial","999-later"'), ...all.slice(1, -1)]),
        /newer version of Freehold \(it has 999-later\)/,
      ],
      ['of a newer format', zstdCompressSync(text.replace('"version":2', '"version":3')), /newer version of Freehold/],
      [
        'a row that lacks a value',
        resealed([all[0]!, '{"table":"users","columns":["id"],"rows":[[]]}', '{"counts":{"users":1},"last_ids":{}}']),
        /damaged: it has a line of an unknown kind/,
      ],
      ['a reference to a missing row', resealed(all.slice(0, -1).map(withUnknownCreator)), /are inconsistent/],
    ];
    for (const [name, bytes, message] of cases) {
      await writeFile(file, bytes);
      await assert.rejects(restore(db, file, { replace: true }), message, name);
    }
    await assert.rejects(restore(db, `${file}.none`, { replace: true }), {
      message: /cannot be read: ".*" does not exist\.$/,
    });
    assert.deepEqual(await contents(db), before);
  });

  test('a backup whose rows cannot be loaded is closed', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    const all = (await lines(file)).slice(0, -1);
    const accounts = all.find((line) => line.startsWith('{"table":"accounts"'))!;
    const [end] = all.splice(-1);
    const count = JSON.parse(accounts).rows.length;
    const twice = end!.replace(`"accounts":${count}`, `"accounts":${2 * count}`);
    await writeFile(file, zstdCompressSync(sealed([...all.toSpliced(1, 0, accounts), twice])));
    await assert.rejects(restore(db, file, { replace: true }), /unique/i);
    const descriptors = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    assert.ok(!(await Promise.all(descriptors)).includes(file));
  });

  test('a backup file replaces an older one only when complete, and only its owner may read it', async (t) => {
    const { db, config } = await open(t);
    await fill(db);
    const file = join(config.dataDir, 'backup.zst');
    await writeFile(file, 'older', { mode: 0o644 });
    await backup(db, file);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok((await stat(file)).size > 100);
    assert.ok(!(await readdir(config.dataDir)).some((name) => name.includes('unfinished')));
    await assert.rejects(backup(db, config.dataDir), { code: 'invalid', message: /is not a file/ });
    await assert.rejects(backup(db, '-'), { code: 'invalid', message: /"-" is not a file/ });
    for (const parent of [join(config.dataDir, 'none'), file]) {
      const message = `The backup cannot be written: there is no folder "${parent}". Create it first.`;
      await assert.rejects(backup(db, join(parent, 'b.zst')), { code: 'invalid', message });
    }
  });

  test('a restore over a database with newer migrations is refused, and the message names the ways out', async (t) => {
    const { db, config } = await open(t);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    await db
      .transaction()
      .execute((trx) => trx.insertInto('migrations').values({ name: '999-later', applied_at: 1 }).execute());
    await assert.rejects(restore(db, file, { replace: true }), {
      code: 'conflict',
      message: /Restore with that version, or into an empty database/,
    });
  });

  test('a damaged SQLite file is not backed up, and the previous backup stays', async (t) => {
    if (kind !== 'sqlite') return;
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    for (const name of ['One', 'Two']) await makePage(db, accountId, { userId, name });
    await db.destroy();
    const whole = await readFile(join(config.dataDir, 'freehold.db'));
    const format = whole.indexOf('wysiwyg_format', whole.indexOf('onewysiwyg_format'));
    assert.ok(format > 0);
    const damages: Array<[damage: () => Promise<void> | void, what: RegExp]> = [
      // Each damaged file can be read without an error, but none of its backups could be restored.
      [
        () => writeFile(join(config.dataDir, 'freehold.db'), whole.with(format, 0x58)),
        /\(CHECK constraint failed in pages\)/,
      ],
      [() => sqlite(config, 'update pages set created_by = 424242'), /\(row 1 of pages refers to a row of users/],
    ];
    for (const [damage, what] of damages) {
      await writeFile(join(config.dataDir, 'freehold.db'), whole);
      const before = join(config.dataDir, 'before.gz');
      const sound = await openDatabase(config);
      await backup(sound, before);
      await sound.destroy();
      await damage();

      const damaged = await openDatabase(config);
      t.after(() => damaged.destroy());
      assert.equal((await damaged.selectFrom('pages').selectAll().execute()).length, 2);
      const untouched = await readFile(before);
      const refusal = { code: 'unavailable', message: what };
      await assert.rejects(backup(damaged, before), refusal);
      await assert.rejects(backup(damaged, join(config.dataDir, 'new.gz')), refusal);
      await assert.rejects(backup(damaged, before), /none was made.*move freehold\.db.*restore a backup/);
      assert.deepEqual(await readFile(before), untouched);
      assert.ok(!(await readdir(config.dataDir)).some((name) => /new|unfinished/.test(name)));
      await damaged.destroy();
    }
  });

  test('a database that a newer version has migrated is not backed up', async (t) => {
    const { db, config } = await open(t);
    await db
      .transaction()
      .execute((trx) => trx.insertInto('migrations').values({ name: '999-later', applied_at: 1 }).execute());
    const file = join(config.dataDir, 'backup.zst');
    await assert.rejects(backup(db, file), { code: 'conflict', message: /newer version/ });
  });

  test('a backup can be restored while other connections read and write', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    await makePage(db, accountId, { userId, name: 'Kept' });
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    const service = await openDatabase(config);
    t.after(() => service.destroy());
    let isOver = false;
    const names = new Set<string | undefined>();
    const read = async () => {
      while (!isOver) {
        const kept = await service
          .transaction()
          .setAccessMode('read only')
          .setIsolationLevel('repeatable read')
          .execute(async (trx) => {
            await trx.selectFrom('accounts').select('id').execute();
            return trx.selectFrom('pages').select('name').where('account_id', '=', accountId).orderBy('id').execute();
          });
        names.add(kept[0]?.name);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const write = async () => {
      while (!isOver) {
        await makePage(service, accountId, { userId });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const work = Promise.all([read(), write()]);
    for (let round = 0; round < 3; round++) await restore(db, file, { replace: true });
    isOver = true;
    await work;
    assert.deepEqual([...names], ['Kept']);
    assert.deepEqual((await examine(db, images)).problems, []);
  });
});

/** Changes SQLite's file without foreign keys, which Freehold itself never does. */
function sqlite({ dataDir }: { dataDir: string }, statements: string): void {
  const file = new DatabaseSync(join(dataDir, 'freehold.db'));
  file.exec('pragma foreign_keys = off');
  file.exec(statements);
  file.close();
}

/** Fills every table. Some parents come after their children. */
async function fill(db: Db): Promise<void> {
  const { accountId, userId } = await makeAccount(db, 'acme');
  const customerId = await makeCustomer(db, accountId, 'bakery');
  await makeCustomer(db, accountId, 'florist');
  const first = await makePage(db, accountId, {
    userId,
    name: 'Prices €\u2028',
    body: '<p>"Ünïcödé"\\\r\n\u2029😀\t\\N\\.</p>\n\\.\n\b\v',
  });
  const second = await makePage(db, accountId, { userId, name: 'About', description: '' });
  await images.put(`${accountId}/${'a'.repeat(32)}-1/${'a'.repeat(32)}-2x1.webp`, Buffer.from('x'));
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('pages').set({ parent_id: second, position: 1 }).where('id', '=', first).execute();
    await trx.updateTable('pages').set({ position: 1 }).where('id', '=', second).execute();
    await suspendCustomer(trx, accountId, customerId, operator);
    await changeSubdomain(trx, accountId, 'acme-web', addresses, operator);
    const key = await trx.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    await trx
      .insertInto('idempotency')
      .values({
        account_id: accountId,
        api_key_id: key.id,
        key: 'k',
        fingerprint: 'f',
        status: 200,
        answer: '{}',
        created_at: Date.now(),
      })
      .execute();
    await trx
      .insertInto('domains')
      .values({ account_id: accountId, host: 'www.example.com', token: 't', created_at: 1 })
      .execute();
    const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: 'Browser' };
    await startSession(trx, accountId, { userId, clientInfo });
    await makeSignInLink(trx, accountId, userId, 'http://localhost');
    const secret = await beginSecondFactor(trx, accountId, userId);
    const code = codeOf(secret, Math.floor(Date.now() / 30_000));
    await confirmSecondFactor(trx, accountId, code, actor(userId), settings);
    const passkey = {
      credentialId: 'c',
      publicKey: 'p',
      counter: 1,
      transports: 'usb',
      mayBeBackedUp: true,
      isBackedUp: false,
    };
    await addPasskey(trx, accountId, { name: 'Phone', ...passkey }, actor(userId), settings);
    const name = `${'a'.repeat(32)}-2x1.webp`;
    const image = { hash: 'a'.repeat(32), kind: 'png', width: 2, height: 1, isMoving: false, name: 'a.png' } as const;
    const files = { folder: `${accountId}/${image.hash}-1`, files: { [name]: 1 } };
    await addMedia(trx, accountId, { ...image, ...files, quota: 10 }, actor(userId));
    await trx.insertInto('sign_in_attempts').values({ key: 'k', failures: 1, failed_at: 1, open_at: 1 }).execute();
  });
}

/**
 * Returns every row without the columns that a restore changes: versions and their times, ends of sessions and uses of
 * links.
 */
async function contents(db: Db): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const name of tableNames) {
    const order = sql.join(tables[name].key.map((column) => sql.ref(column)));
    const { rows } = await sql<object>`select * from ${sql.table(name)} order by ${order}`.execute(db);
    found[name] = rows.map((row) => ({
      ...row,
      content_version: 0,
      content_changed_at: 0,
      customers_version: 0,
      changes_known_from: 0,
      version: 0,
      ...('ended_at' in row && { ended_at: 0 }),
      ...('used_at' in row && { used_at: 0 }),
    }));
  }
  return found;
}

async function copy(from: TestDatabase, to: TestDatabase): Promise<void> {
  const file = join(from.config.dataDir, 'copy.gz');
  await backup(from.db, file);
  await restore(to.db, file, { replace: false });
}

async function lines(file: string): Promise<string[]> {
  return zstdDecompressSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n');
}

/** Returns the rows in the lines of a backup, one by one. */
function rowsOf(all: readonly string[]): { table: string; row: Record<string, unknown> }[] {
  return all.slice(1, -2).flatMap((line) => {
    const { table, columns, rows } = JSON.parse(line) as { table: string; columns: string[]; rows: unknown[][] };
    return rows.map((row) => ({
      table,
      row: Object.fromEntries(columns.map((column, index) => [column, row[index]])),
    }));
  });
}

/** Returns the lines followed by their checksum. */
function sealed(content: readonly string[]): string {
  const body = content.map((line) => `${line}\n`).join('');
  return `${body}${JSON.stringify({ sha256: hash('sha256', body, 'hex') })}\n`;
}

/** Returns the line with rows whose creator does not exist. */
function withUnknownCreator(line: string): string {
  const { columns, rows, ...rest } = JSON.parse(line);
  const index = columns?.indexOf('created_by') ?? -1;
  if (index < 0) return line;
  return JSON.stringify({ ...rest, columns, rows: rows.map((row: unknown[]) => row.with(index, 424242)) });
}

/** Returns the definitions of tables, indexes, constraints and triggers as the database reports them. */
async function rulesOf(db: Db, kind: 'sqlite' | 'postgres'): Promise<unknown[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql`select type, name, sql from sqlite_master where name not like 'sqlite_%' order by name`
    : sql`select 'constraint' as type, conname as name, pg_get_constraintdef(oid) as sql, convalidated::text as state
          from pg_constraint where connamespace = current_schema()::regnamespace
        union all select 'index', indexname, indexdef, '' from pg_indexes where schemaname = current_schema()
        union all select 'trigger', tgname, pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal
        order by 1, 2`
  ).execute(db);
  return rows;
}
