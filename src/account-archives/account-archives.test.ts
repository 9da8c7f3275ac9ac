import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { environmentOf, onEachDatabase, openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, makePage, quota, unique } from '../../test/factories.ts';
import { type ZipFile, zip } from '../../test/zip.ts';
import { changeSettings } from '../accounts/change-settings.ts';
import { operator } from '../audit/record-audit-event.ts';
import { changeBrand } from '../brands/change-brand.ts';
import { changeMailWords } from '../brands/change-mail-words.ts';
import { storeBrandImage } from '../brands/upload-brand-image.ts';
import { readConfig } from '../config.ts';
import type { Trx } from '../db/database.ts';
import { addDomain } from '../domains/add-domain.ts';
import { AppError } from '../errors.ts';
import { upsertActingUser } from '../impersonations/acting-user.ts';
import { defaultWords } from '../mail/mail-words.ts';
import { addMedia } from '../media/add-media.ts';
import { changeMedia } from '../media/change-media.ts';
import { findMediaFile } from '../media/find-media-file.ts';
import { openMediaStore } from '../media/open-store.ts';
import { removeMedia } from '../media/remove-media.ts';
import { examine } from '../operations/doctor.ts';
import { deletePage } from '../pages/delete-page.ts';
import { saveDraft } from '../pages/drafts.ts';
import { movePage } from '../pages/move-page.ts';
import { findMovedPage } from '../pages/redirects.ts';
import { undoChange } from '../pages/undo-change.ts';
import { unpublishPage } from '../pages/unpublish-page.ts';
import { updatePage } from '../pages/update-page.ts';
import { createPlan } from '../plans/plans.ts';
import { createUser } from '../users/create-user.ts';
import { getUser } from '../users/get-user.ts';
import { hashPassword } from '../users/password.ts';
import { removeUser } from '../users/remove-user.ts';
import { exportAccount } from './export-account.ts';
import { importAccount } from './import-account.ts';

const step = fc.record({
  action: fc.constantFrom(
    ...(['page', 'page', 'page', 'update', 'update', 'move', 'move', 'delete', 'undo', 'draft', 'unpublish'] as const),
    ...(['person', 'remove person', 'agency', 'image', 'remove image', 'plan', 'domain', 'brand', 'settings'] as const),
  ),
  which: fc.nat(20),
  other: fc.nat(20),
  text: anyText({ maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
  flag: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

onEachDatabase('account archives', (open, kind) => {
  test('an archive of any content, imported into the other database and back, stays equal byte for byte', async (t) => {
    const here = await start(await open(t));
    const there = await start(await openTestDatabase(t, kind === 'sqlite' ? 'postgres' : 'sqlite'));
    const back = await start(await open(t));
    await makeAccount(there.db);
    const run = async (steps: Step[], withSecrets: boolean) => {
      const { accountId, userId } = await makeAccount(here.db);
      for (const each of steps) await runStep(here, { accountId, userId }, each);
      const first = await here.export(accountId, withSecrets);
      const other = await there.import(first);
      const second = await there.export(other.id, withSecrets);
      assert.deepEqual(await readFile(second), await readFile(first));
      const third = await back.export((await back.import(second)).id, withSecrets);
      assert.deepEqual(await readFile(third), await readFile(first));
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), fc.boolean(), run), {
      numRuns: 5,
    });
    for (const { db, store } of [there, back]) assert.deepEqual((await examine(db, store)).problems, []);
  });

  test('an import restores pages with image links, redirects, drafts, the trash, and authors', async (t) => {
    const { db, change, addImage, ...here } = await start(await open(t));
    const { accountId, userId } = await makeAccount(db, 'acme');
    const by = actor(userId);
    const name = await addImage(accountId, userId, 1);
    const parent = await makePage(db, accountId, { userId, name: 'Shop' });
    const page = await makePage(db, accountId, { userId, name: 'Bread', body: `<img src="/media/${name}">` });
    const gone = await makePage(db, accountId, { userId, name: 'Cake' });
    await change((trx) => movePage(trx, accountId, { id: page, parentId: parent, position: 1 }, by));
    const draft = { id: page, userId, fields: { name: 'Breads' }, basedOn: 1, draftAt: null, quota };
    await change((trx) => saveDraft(trx, accountId, draft));
    await change((trx) => deletePage(trx, accountId, gone, by));

    const there = await start(await open(t));
    const { id } = await there.import(await here.export(accountId));
    assert.ok(await findMediaFile(there.db, id, name));
    assert.equal((await there.change((trx) => findMovedPage(trx, id, '/bread')))?.length, 2);
    const [deletion] = await there.db.selectFrom('undos').select(['id', 'user_id']).execute();
    await there.change((trx) => undoChange(trx, id, { id: deletion!.id, quota }, actor(deletion!.user_id)));
    const pages = await there.db
      .selectFrom('pages')
      .innerJoin('users', 'users.id', 'pages.created_by')
      .select(['pages.name', 'pages.urlname', 'users.name as author', 'pages.position'])
      .orderBy('pages.name')
      .execute();
    assert.deepEqual(
      pages.map((row) => Object.values(row).join(' ')),
      ['Bread bread Olivia Owner 1', 'Cake cake Olivia Owner 2', 'Shop shop Olivia Owner 1'],
    );
    const [restored] = await there.db.selectFrom('drafts').select('fields').execute();
    assert.equal(restored?.fields, '{"name":"Breads"}');
    const images = await there.db.selectFrom('page_images').select('hash').execute();
    assert.equal(images.length, 1);
    const log = await there.db
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .where('account_id', '=', id)
      .execute();
    assert.ok(log.some(({ actor, action }) => actor === 'operator' && action === 'account.imported'));
    const exports = await db
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', 'account.exported')
      .execute();
    assert.equal(exports.length, 1);
  });

  test('an archive has secrets only if told to, and users can then sign in as before', async (t) => {
    const { db, change, ...here } = await start(await open(t));
    const { accountId, userId } = await makeAccount(db, 'acme');
    const hash = await hashPassword('correct horse', accountId);
    const confirmed = {
      account_id: accountId,
      user_id: userId,
      secret: 'A'.repeat(32),
      confirmed_at: 5,
      created_at: 5,
    };
    await change(async (trx) => {
      await trx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute();
      await trx.insertInto('second_factors').values(confirmed).execute();
      const code = { account_id: accountId, user_id: userId, hash: 'b'.repeat(64), used_at: null };
      await trx.insertInto('recovery_codes').values(code).execute();
    });
    const there = await start(await open(t));
    const plain = await there.import(await here.export(accountId));
    const file = await here.export(accountId, true);
    const secret = await there.import(file, { subdomain: 'acme-2' });
    const hashes = await there.db.selectFrom('users').select(['account_id', 'password_hash']).orderBy('id').execute();
    assert.deepEqual(
      hashes.map(({ account_id, password_hash }) => [account_id, password_hash]),
      [
        [plain.id, null],
        [secret.id, hash],
      ],
    );
    assert.equal((await there.db.selectFrom('second_factors').select('secret').execute()).length, 1);
    assert.equal((await there.db.selectFrom('recovery_codes').select('hash').execute()).length, 1);
    assert.doesNotMatch(JSON.stringify(await here.lines(await here.export(accountId))), /argon2id/);
  });

  test('an import creates a customer on the plan of the same name or a chosen one, within its limits', async (t) => {
    const { db, change, ...here } = await start(await open(t));
    const { accountId } = await makeAccount(db, 'acme');
    const customer = await makeCustomer(db, accountId, 'bakery');
    const file = await here.export(customer);

    const there = await start(await open(t));
    const seller = (await makeAccount(there.db, 'seller')).accountId;
    const small = {
      name: 'Small',
      price: '5.00',
      interval: 'month',
      isDefault: false,
      people: 1,
      pages: 1,
      trialDays: 14,
    };
    await there.change((trx) => createPlan(trx, seller, small, operator));
    const free = await there.import(file, { sellerId: seller });
    assert.equal(free.plan, 'Free');
    const other = await there.import(file, { sellerId: seller, plan: 'Small', subdomain: 'bakery-2' });
    assert.equal(other.plan, 'Small');
    const plans = await there.db
      .selectFrom('plans')
      .select(['name', 'active_customers', 'trial_customers'])
      .where('account_id', '=', seller)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      plans.map(({ name, active_customers, trial_customers }) => [name, active_customers, trial_customers]),
      [
        ['Free', 1, 0],
        ['Small', 1, 1],
      ],
    );
    await assert.rejects(there.import(file, { sellerId: seller, plan: 'Large', subdomain: 'bakery-3' }), {
      code: 'not_found',
      message: /no plan "Large".*"Free", "Small"/,
    });
    const userId = (
      await db.selectFrom('users').select('id').where('account_id', '=', customer).executeTakeFirstOrThrow()
    ).id;
    for (let count = 0; count < 2; count++) await makePage(db, customer, { userId });
    const large = await here.export(customer);
    await assert.rejects(there.import(large, { sellerId: seller, plan: 'Small', subdomain: 'bakery-3' }), {
      message: 'plan: plan_limit',
    });
    assert.equal((await there.db.selectFrom('accounts').select('id').execute()).length, 3);
    assert.deepEqual((await examine(there.db, there.store)).problems, []);
  });

  test('an import as a customer leaves out what only top-level accounts may have, and reports it', async (t) => {
    const { db, change, ...here } = await start(await open(t));
    const { accountId } = await makeAccount(db, 'acme');
    await change(async (trx) => {
      await changeBrand(trx, accountId, { name: 'Acme', replyTo: 'help@acme.example' }, operator);
      const words = { ...defaultWords.invitation, subject: 'Hello' };
      await changeMailWords(trx, accountId, { kind: 'invitation', ...words }, operator);
      const domain = await addDomain(trx, accountId, 'app.acme.example', operator);
      await trx.updateTable('domains').set({ is_app: 1, verified_at: 5 }).where('id', '=', domain.id).execute();
    });
    const file = await here.export(accountId);
    const there = await start(await open(t));
    const seller = (await makeAccount(there.db, 'seller')).accountId;
    const { notes } = await there.import(file, { sellerId: seller, plan: 'Free' });
    assert.deepEqual(notes, [
      { code: 'reply_to', value: 'help@acme.example' },
      { code: 'mail_words', value: 'invitation' },
      { code: 'app_domain', value: 'app.acme.example' },
    ]);
    const top = await there.import(file, { subdomain: 'acme-2' });
    assert.deepEqual(top.notes, []);
    const domains = await there.db.selectFrom('domains').select(['is_app', 'verified_at']).orderBy('id').execute();
    assert.deepEqual(
      domains.map(({ is_app, verified_at }) => [is_app, verified_at]),
      [
        [0, null],
        [1, null],
      ],
      'a domain has to be proved again',
    );
  });

  test('an export leaves out images whose files are missing, and names them', async (t) => {
    const { db, store, addImage, ...here } = await start(await open(t));
    const { accountId, userId } = await makeAccount(db, 'acme');
    const [lost, kept] = [await addImage(accountId, userId, 1), await addImage(accountId, userId, 2)];
    const { key } = (await findMediaFile(db, accountId, lost))!;
    await store.remove([key]);
    const file = join(here.folder, 'account.zip');
    const { missingImages, lines } = await exportAccount(
      { db, store },
      accountId,
      { file, withSecrets: false },
      operator,
    );
    assert.deepEqual([missingImages.map(({ name }) => name), lines.images], [['image-1.png'], 1]);
    const there = await start(await open(t));
    const { id } = await there.import(file);
    assert.ok(await findMediaFile(there.db, id, kept));
  });

  test('an import refuses an invalid archive with every wrong place, and changes nothing', async (t) => {
    const { db, addImage, change, ...here } = await start(await open(t));
    const { accountId, userId } = await makeAccount(db, 'acme');
    const by = actor(userId);
    const image = await addImage(accountId, userId, 1);
    const page = await makePage(db, accountId, { userId, name: 'Bread', body: 'rye' });
    await makePage(db, accountId, { userId, name: 'Cake' });
    await change((trx) =>
      updatePage(trx, accountId, { id: page, basedOn: undefined, fields: { body: '' }, quota }, by),
    );
    const good = await here.lines(await here.export(accountId, true));
    const there = await start(await open(t));
    const images = { [`images/${image}`]: webp(1) };
    await makeAccount(there.db, 'taken');
    const before = await there.db.selectFrom('accounts').select('id').execute();
    const refuse = async (edits: Readonly<Record<string, unknown>>, message: RegExp, more: readonly ZipFile[] = []) => {
      const files = Object.entries({ ...good, ...images, ...edits }).flatMap(([name, content]) =>
        content === undefined ? [] : [{ name, content: content as string | Uint8Array }],
      );
      const file = join(there.folder, 'bad.zip');
      await writeFile(file, zip([...files, ...more]));
      await assert.rejects(there.import(file), (error: Error) => {
        assert.match(error.message, message);
        return true;
      });
      assert.deepEqual(await there.db.selectFrom('accounts').select('id').execute(), before);
      assert.deepEqual(await Array.fromAsync(there.store.list()), []);
    };
    const edit = (name: string, field: string, value: unknown, line = 0) => {
      const lines = good[name]!.trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
      lines[line][field] = value;
      return { [name]: lines.map((each) => `${JSON.stringify(each)}\n`).join('') };
    };
    const manifest = JSON.parse(good['manifest.json']!);
    const manifestWith = (changes: object) => ({ 'manifest.json': JSON.stringify({ ...manifest, ...changes }) });

    await refuse(edit('pages.jsonl', 'parent', 2), /pages\.jsonl, line 1: "parent" must be a page in an earlier line/);
    await refuse(edit('pages.jsonl', 'parent', 9), /line 1: "parent" must be the number of one of the 2 pages/);
    await refuse(edit('pages.jsonl', 'name', 'Cake'), /line 2: "name" is the name of another page/);
    await refuse(edit('pages.jsonl', 'position', 3), /positions of the pages at the root must be 1 to 2/);
    await refuse(edit('pages.jsonl', 'urlname', '../x'), /line 1: "urlname" cannot be part of an address/);
    await refuse(edit('pages.jsonl', 'body', 5), /line 1: "body" must be a string/);
    await refuse(edit('pages.jsonl', 'account_id', 1), /line 1: "account_id" is not known/);
    await refuse(
      { ...edit('pages.jsonl', 'is_hidden', 1), ...edit('people.jsonl', 'email', 'x') },
      /people\.jsonl, line 1.*pages\.jsonl, line 1/s,
    );
    const redirect = '{"path":"/old","page":1,"version":1}\n';
    await refuse(
      { 'redirects.jsonl': redirect.repeat(2), ...manifestWith({ lines: { ...manifest.lines, redirects: 2 } }) },
      /redirects\.jsonl, line 2: it is a duplicate/,
    );
    await refuse(edit('people.jsonl', 'role', 'viewer'), /there is no owner/);
    await refuse(
      edit('people.jsonl', 'password_hash', '$argon2id$v=19$m=4194304,t=9,p=1$x$x'),
      /secrets have the wrong form/,
    );
    await refuse(edit('account.jsonl', 'subdomain', 'taken'), /account_subdomain: taken/);
    await refuse(edit('account.jsonl', 'accent', 'red;'), /"accent" is not a colour/);
    await refuse(edit('images.jsonl', 'files', { 'x.webp': 1 }), /images\.jsonl, line 1: the names in "files"/);
    await refuse({ [`images/${image}`]: Buffer.from('<svg>'.padEnd(webp(1).length)) }, /is not an image of its type/);
    await refuse({ [`images/${image}`]: 'short' }, /is missing or has another size/);
    await refuse({ 'redirects.jsonl': undefined }, /redirects\.jsonl is missing/);
    await refuse({ 'pages.jsonl': good['pages.jsonl']!.trimEnd() }, /pages\.jsonl, line 2: it is cut off/);
    await refuse({ 'pages.jsonl': `[]\n${good['pages.jsonl']}` }, /pages\.jsonl, line 1: it is not an object/);
    await refuse({ 'pages.jsonl': `{}${good['pages.jsonl']}` }, /pages\.jsonl, line 1: it is not JSON/);
    await refuse({ 'pages.jsonl': '' }, /pages\.jsonl has 0 lines instead of 2/);
    await refuse(manifestWith({ version: 2 }), /made by a newer version/);
    await refuse(manifestWith({ format: 'other' }), /does not describe the archive of an account/);
    await refuse(manifestWith({ lines: { ...manifest.lines, pages: -1 } }), /manifest\.json is invalid/);
    await refuse(manifestWith({ lines: { ...manifest.lines, plans: 5000 } }), /plans\.jsonl has more than 1000 lines/);
    await refuse({}, /"\.\.\/evil\.jsonl" does not belong in an archive/, [{ name: '../evil.jsonl', content: '' }]);
    await refuse({}, /"pages\.jsonl" is in it twice/, [{ name: 'pages.jsonl', content: '' }]);
    await refuse({}, /"images\/a{32}-2x1\.webp" is a link/, [
      { name: `images/${'a'.repeat(32)}-2x1.webp`, mode: 0o120777 },
    ]);
    await refuse({}, /there are files that do not belong to an image/, [
      { name: `images/${'a'.repeat(32)}-2x1.webp`, content: 'x' },
    ]);
    const shared = Array.from({ length: 50 }, (_, index) => `images/${String(index).padStart(32, '0')}-2x1.webp`);
    await refuse(
      {},
      /files overlap/,
      shared.map((name) => ({ name, content: good['pages.jsonl']!, sharesWith: 'pages.jsonl' })),
    );
  });

  test('an archive with changed bytes is imported, or refused with a message', async (t) => {
    const { db, addImage, ...here } = await start(await open(t));
    const { accountId, userId } = await makeAccount(db, 'acme');
    await addImage(accountId, userId, 1);
    await makePage(db, accountId, { userId, name: 'Bread', body: 'rye' });
    const file = await here.export(accountId, true);
    const good = await readFile(file);
    const change = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) });
    const run = async (changes: Array<{ at: number; byte: number }>, length: number) => {
      const bytes = Buffer.from(good.subarray(0, length));
      for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
      await writeFile(file, bytes);
      await here.import(file, { subdomain: unique('fuzz') }).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    };
    const length = fc.oneof({ weight: 9, arbitrary: fc.constant(good.length) }, fc.nat(good.length));
    await fc.assert(fc.asyncProperty(fc.array(change, { maxLength: 3 }), length, run), { numRuns: 60 });
    assert.deepEqual((await examine(db, here.store)).problems, []);
  });

  test('an archive that unpacks beyond a quota is refused before it is unpacked further', async (t) => {
    const { db, ...here } = await start(await open(t));
    const { accountId, userId } = await makeAccount(db, 'acme');
    for (let count = 0; count < 3; count++) await makePage(db, accountId, { userId, body: 'x'.repeat(1_000_000) });
    const file = await here.export(accountId);
    const small = { ...here.config, pageQuota: 2_500_000 };
    await assert.rejects(
      importAccount({ db, store: here.store, config: small }, { file, subdomain: 'other' }, operator),
      {
        code: 'invalid',
        message: /more than the 2500000 bytes/,
      },
    );
    const short = { ...here.config, pageQuota: -400_000_000 };
    await assert.rejects(
      importAccount({ db, store: here.store, config: short }, { file, subdomain: 'other' }, operator),
      {
        code: 'invalid',
      },
    );
    await assert.rejects(here.import(join(here.folder, 'none.zip')), { code: 'not_found' });
    await writeFile(file, 'PK');
    await assert.rejects(here.import(file), { code: 'invalid', message: /not a readable ZIP file/ });
  });
});

/** Returns the content of a file that begins like a WebP. */
function webp(seed: number): Buffer {
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), Buffer.from(`image ${seed}`)]);
}

async function start({ db, config: database }: TestDatabase) {
  const config = readConfig(environmentOf(database));
  const store = openMediaStore(config);
  const change = <R>(work: (trx: Trx) => Promise<R>) => db.transaction().execute(work);
  return {
    db,
    config,
    store,
    change,
    folder: database.dataDir,
    async export(accountId: number, withSecrets = false): Promise<string> {
      const file = join(database.dataDir, `${unique('archive')}.zip`);
      await exportAccount({ db, store }, accountId, { file, withSecrets }, operator);
      return file;
    },
    import: (file: string, input: { sellerId?: number; plan?: string; subdomain?: string } = {}) =>
      importAccount({ db, store, config }, { file, ...input }, operator),
    /** Returns the texts of an archive's files by name, without images. */
    async lines(file: string): Promise<Record<string, string>> {
      const { fromBufferPromise } = await import('../page-archives/library.ts');
      const { text } = await import('node:stream/consumers');
      const archive = await fromBufferPromise(await readFile(file), { lazyEntries: true });
      const texts: Record<string, string> = {};
      for await (const entry of archive.eachEntry()) {
        if (entry.fileName.startsWith('images/')) continue;
        texts[entry.fileName] = await text(await archive.openReadStreamPromise(entry));
      }
      return texts;
    },
    /** Adds an image. Returns the name of its file. */
    async addImage(accountId: number, userId: number, seed: number): Promise<string> {
      const hash = createHash('sha256').update(`${seed}`).digest('hex').slice(0, 32);
      const [name, content] = [`${hash}-2x1.webp`, webp(seed)];
      const folder = `${accountId}/${hash}-1`;
      await store.put(`${folder}/${name}`, content);
      const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: `image-${seed}.png` } as const;
      const files = { folder, files: { [name]: content.length } };
      await change((trx) => addMedia(trx, accountId, { ...image, ...files, quota }, actor(userId)));
      return name;
    },
  };
}

/** Runs one step in the account. Ignores steps that are refused. */
async function runStep(
  { db, change, addImage }: Awaited<ReturnType<typeof start>>,
  { accountId, userId: ownerId }: { accountId: number; userId: number },
  { action, which, other, text, flag }: Step,
): Promise<void> {
  const some = async (table: 'pages' | 'users' | 'media' | 'undos', number: number): Promise<number> => {
    const rows = await db.selectFrom(table).select('id').where('account_id', '=', accountId).orderBy('id').execute();
    return rows[number % Math.max(rows.length, 1)]?.id ?? 0;
  };
  const [page, near] = [await some('pages', which), await some('pages', other)];
  const userId = await some('users', other);
  const by = actor(userId);
  const doing = async (): Promise<unknown> => {
    switch (action) {
      case 'page': {
        const parentId = flag && page ? String(page) : undefined;
        const body = `${text}<img src="/media/${String(which).padStart(32, 'a')}-1x1.webp">`;
        const description = flag ? text : undefined;
        return makePage(db, accountId, { userId, parentId, body, description, name: unique(text.trim() || 'Page') });
      }
      case 'update': {
        const fields = { body: text, isHidden: flag, ...(flag && { name: unique('Other') }) };
        return change((trx) => updatePage(trx, accountId, { id: page, basedOn: undefined, fields, quota }, by));
      }
      case 'move':
        return change((trx) =>
          movePage(trx, accountId, { id: page, parentId: flag ? near : null, position: (other % 3) + 1 }, by),
        );
      case 'delete':
        return change((trx) => deletePage(trx, accountId, page, by));
      case 'undo':
        return change(async (trx) => undoChange(trx, accountId, { id: await some('undos', which), quota }, by));
      case 'draft': {
        const draft = { id: page, userId, fields: { name: text, body: text }, basedOn: 1, draftAt: null, quota };
        return change((trx) => saveDraft(trx, accountId, draft));
      }
      case 'unpublish':
        return change((trx) => unpublishPage(trx, accountId, page, by));
      case 'person': {
        const person = {
          name: `${text}.`,
          email: `${unique('p')}@example.com`,
          role: 'editor',
          passwordHash: null,
        } as const;
        return change((trx) => createUser(trx, accountId, person));
      }
      case 'remove person':
        return change((trx) => removeUser(trx, accountId, { userId, by: { userId: ownerId, role: 'owner' } }));
      case 'agency':
        // A user of the seller changes a page on behalf of a user of the account.
        return change(async (trx) => {
          const person = await getUser(trx, accountId, userId);
          const agent = { agentId: which, agent: 'Ana (Acme)' };
          const actingId = await upsertActingUser(trx, person, agent);
          await updatePage(
            trx,
            accountId,
            { id: page, basedOn: undefined, fields: { body: text }, quota },
            actor(actingId),
          );
        });
      case 'image':
        return addImage(accountId, ownerId, which);
      case 'remove image': {
        const id = await some('media', which);
        return change((trx) =>
          flag ? removeMedia(trx, accountId, id, by) : changeMedia(trx, accountId, { id, alt: text }, by),
        );
      }
      case 'plan': {
        const plan = { name: unique('Plan'), price: '9.50', interval: 'year', isDefault: flag, pages: which + 1 };
        return change((trx) => createPlan(trx, accountId, plan, by));
      }
      case 'domain':
        return change((trx) => addDomain(trx, accountId, `${unique('www')}.example.com`, by));
      case 'brand':
        return change(async (trx) => {
          const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)]);
          const logo = await storeBrandImage(trx, accountId, { png, width: 9, height: 9 }, by);
          await changeBrand(trx, accountId, { name: 'Acme', logo, replyTo: flag ? 'help@acme.example' : '' }, by);
          const words = { ...defaultWords.invitation, subject: `Hello ${which}` };
          await changeMailWords(trx, accountId, { kind: 'invitation', ...words }, by);
        });
      case 'settings':
        return change((trx) =>
          changeSettings(
            trx,
            accountId,
            { theme: 'portfolio', accent: '#123', language: 'pt-BR', secondButton: flag ? page : null },
            by,
          ),
        );
    }
  };
  await doing().catch((error: Error) => {
    if (error.name === 'TypeError' || error.name === 'Error') throw error;
  });
}
