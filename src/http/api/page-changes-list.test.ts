import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, quota } from '../../../test/factories.ts';
import { flatten, type PageJson, type Service, startService, startWithAccount } from '../../../test/service.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { discardDeletedPage } from '../../pages/discard-deleted-pages.ts';
import { duplicatePage } from '../../pages/duplicate-page.ts';
import { parsePageId } from '../../pages/page.ts';
import { purgeDeletedPages } from '../../pages/purge-deleted-pages.ts';
import { undoChange } from '../../pages/undo-change.ts';
import { raiseContentVersion } from '../../tenancy/content-version.ts';
import { changeOwnName } from '../../users/change-own-name.ts';

const path = '/api/pages.json';

const word = fc.constantFrom('A', 'a', 'A!', 'B', 'b', 'B?', 'C', 'C 2', 'c-2');
const some = fc.nat({ max: 30 });
const place = fc.integer({ min: 1, max: 6 });
const flag = fc.boolean();

/** Random changes of an account's pages. The numbers `page` and `parent` choose among the existing pages. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), parent: some, name: word }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('import' as const), parent: some, name: word }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reorder' as const), page: some, position: place }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('move' as const), page: some, parent: some, position: place }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), page: some, name: word, withUrl: flag }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('show' as const), page: some, isHidden: flag, isPublished: flag }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('draft' as const), page: some, name: word }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: some }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), page: some }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), undo: some }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), page: some }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('discard' as const), page: some }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('changeName' as const), name: word }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

onEachDatabase('changes of the page list since a version', (open) => {
  test('applying the changes keeps a copy of the page list identical to the list, after any changes', async (t) => {
    const database = await open(t);
    const service = await startService(t, database);
    let refusals = 0;
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), fc.nat({ max: 5 }), async (steps, pause) => {
        const site = new Site(service, database.db, await makeAccount(database.db));
        // One copy is updated after every step, the other only now and then.
        const copies = [new Copy(service, site.key), new Copy(service, site.key)];
        for (const copy of copies) await copy.read();
        for (const [index, each] of steps.entries()) {
          await site.apply(each);
          for (const copy of index % (pause + 1) === 0 ? copies : copies.slice(0, 1)) {
            if (await copy.update()) answers += 1;
            else refusals += 1;
            assert.equal(
              copy.text,
              (await service.get(path, site.key)).text,
              JSON.stringify(steps.slice(0, index + 1)),
            );
          }
        }
      }),
      { numRuns: 25 },
    );
    // The whole list has to be read again only after changes of users' names, and after deleted pages were purged.
    assert.ok(refusals < answers / 4, `${refusals} of ${answers}`);
  });

  test('the changes list new, moved and deleted pages, with the version of the list', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.push(await create(service, key, name));
    const since = await versionOf(service, key);
    const changes = async (rest = '') => (await service.get(path, `${key}&since=${since}${rest}`)).json;
    assert.deepEqual(await changes(), { version: since, changed: [], deleted: [] });

    await send(service, key, 'PATCH', `${ids[2]}.json`, 'page[position]=1');
    await send(service, key, 'DELETE', `${ids[1]}.json`);
    const four = await create(service, key, 'Four');
    const { version, ...rest } = await changes('&fields=id,position');
    // The first page only made room for another, and is not listed.
    assert.deepEqual(rest, {
      changed: [
        { id: ids[2], position: '1' },
        { id: four, position: '3' },
      ],
      deleted: [ids[1]],
    });
    assert.equal(version, await versionOf(service, key));
    const whole = (await service.pages(key)).map(({ children: _, ...page }) => page);
    assert.deepEqual((await changes()).changed, [whole[0], whole[2]]);
    await send(service, key, 'POST', `${ids[1]}/restore.json`);
    assert.deepEqual((await changes('&fields=name')).deleted, []);
  });

  test('pages that are restored with their parent are listed as changed', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const parent = await create(service, key, 'Parent');
    await create(service, key, 'Child', parent);
    await send(service, key, 'DELETE', `${parent}.json`);
    const since = await versionOf(service, key);
    await send(service, key, 'POST', `${parent}/restore.json`);
    const { json } = await service.get(path, `${key}&since=${since}&fields=name`);
    assert.deepEqual(json.changed, [{ name: 'Parent' }, { name: 'Child' }]);
  });

  test('a page that was deleted with its parent, and then purged alone, is listed as deleted', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const parent = await create(service, key, 'Parent');
    const child = await create(service, key, 'Child', parent);
    const since = await versionOf(service, key);
    await send(service, key, 'DELETE', `${parent}.json`);
    const id = parsePageId(child)!;
    await db.transaction().execute((trx) => discardDeletedPage(trx, accountId, id, actor(userId)));
    const { json } = await service.get(path, `${key}&since=${since}`);
    assert.deepEqual(json.deleted.toSorted(), [parent, child].toSorted());
  });

  test('the changes have an ETag, and are answered with 304 until the list changes', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const since = await versionOf(service, key);
    const query = `${key}&since=${since}`;
    const { headers } = await service.get(path, query);
    assert.equal(headers['pages-version'], String(since));
    assert.equal((await service.get(path, query, { 'If-None-Match': headers.etag! })).status, 304);
    await create(service, key, 'One');
    assert.equal((await service.get(path, query, { 'If-None-Match': headers.etag! })).status, 200);
  });

  test('if the changes since a version are no longer known, the client is told to read the whole list', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const page = await create(service, key, 'One');
    const asked = async (since: number) => {
      const { status, json } = await service.get(path, `${key}&since=${since}`);
      return [status, json.errors ?? null];
    };
    const refused = (since: number) => [
      410,
      `What has changed since version ${since} is not known. Read the whole list.`,
    ];
    const first = await versionOf(service, key);
    assert.deepEqual(await asked(first + 1), refused(first + 1));

    // Pages contain the names of their users.
    await db.transaction().execute((trx) => changeOwnName(trx, accountId, 'Olive', actor(userId)));
    const second = await versionOf(service, key);
    assert.deepEqual(await asked(first), refused(first));
    assert.deepEqual(await asked(second), [200, null]);

    await send(service, key, 'DELETE', `${page}.json`);
    const third = await versionOf(service, key);
    assert.deepEqual(await asked(second), [200, null]);
    await purgeDeletedPages(db, Date.now() + MONTH_MS);
    // Raise the version, so that cached answers are not used.
    await db.transaction().execute((trx) => raiseContentVersion(trx, accountId, Date.now()));
    assert.deepEqual(await asked(second), refused(second));
    assert.deepEqual(await asked(third), [200, null]);
  });

  test('if too many or too long pages have changed, the client is told to read the whole list', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const since = await versionOf(service, key);
    const asked = async (rest = '') => {
      const { status, json } = await service.get(path, `${key}&since=${since}${rest}`);
      return [status, json.errors ?? json.changed.length];
    };
    const many = (count: number, first: number) =>
      JSON.stringify({ pages: Array.from({ length: count }, (_, index) => ({ name: `Page ${first + index}` })) });
    await importPages(service, key, many(1000, 0));
    assert.deepEqual(await asked(), [200, 1000]);
    await importPages(service, key, many(1, 1000));
    assert.deepEqual(await asked(), [410, `Very many pages have changed since version ${since}. Read the whole list.`]);

    const next = await versionOf(service, key);
    const body = 'x'.repeat(3 * 1024 * 1024);
    for (const name of ['a', 'b', 'c']) await importPages(service, key, JSON.stringify({ pages: [{ name, body }] }));
    const { status, json } = await service.get(path, `${key}&since=${next}`);
    assert.deepEqual(
      [status, json.errors],
      [410, `The pages that have changed since version ${next} are too long to list. Read the whole list.`],
    );
    const names = await service.get(path, `${key}&since=${next}&fields=name`);
    assert.deepEqual(names.json.changed, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });

  test('an invalid version, and a depth for changes, are refused', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const [query, errors] of [
      ['since=', '"since" must be a version of the list, as its header "Pages-Version" has it.'],
      ['since=-1', '"since" must be a version of the list, as its header "Pages-Version" has it.'],
      ['since=9999999999999999', '"since" must be a version of the list, as its header "Pages-Version" has it.'],
      ['since=1&depth=1', '"since" and "depth" cannot be in one request.'],
    ] as const) {
      const { status, json } = await service.get(path, `${key}&${query}`);
      assert.deepEqual([status, json], [400, { response: false, errors }], query);
    }
  });

  test("another account's pages are not among the changes", async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    const since = await versionOf(service, key);
    const theirs = await create(service, other.key, 'Theirs');
    await create(service, other.key, 'Theirs, too');
    await send(service, other.key, 'DELETE', `${theirs}.json`);
    const own = await create(service, key, 'Own');
    const { json } = await service.get(path, `${key}&since=${since}&fields=id`);
    assert.deepEqual([json.changed, json.deleted], [[{ id: own }], []]);
  });
});

const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** Applies steps to an account's pages, and ignores those that the service refuses. */
class Site {
  readonly key: string;
  readonly #service: Service;
  readonly #db: Db;
  readonly #accountId: number;
  readonly #userId: number;

  constructor(service: Service, db: Db, { key, accountId, userId }: Awaited<ReturnType<typeof makeAccount>>) {
    this.key = key;
    this.#service = service;
    this.#db = db;
    this.#accountId = accountId;
    this.#userId = userId;
  }

  async apply(step: Step): Promise<void> {
    const pages = [...flatten(await this.#service.pages(this.key))].map(({ id }) => id);
    const page = (chosen: number) => pages[chosen % pages.length];
    /** Returns one of the pages, or the root. */
    const parent = (chosen: number) => pages[chosen % (pages.length + 1)] ?? '0';
    const by = actor(this.#userId);
    switch (step.kind) {
      case 'create':
        return this.#send('POST', '', { name: step.name, parent_id: parent(step.parent) });
      case 'import': {
        const names = [step.name, `${step.name} 3`];
        const tree = names.map((name) => ({ name, children: [{ name: `${name} below` }] }));
        await importPages(this.#service, this.key, JSON.stringify({ pages: tree }), parent(step.parent));
        return;
      }
      case 'reorder':
        return this.#send('PATCH', page(step.page), { position: step.position });
      case 'move':
        return this.#send('PATCH', page(step.page), { parent_id: parent(step.parent), position: step.position });
      case 'rename':
        return this.#send('PATCH', page(step.page), { name: step.name, ...(step.withUrl && { urlname: '' }) });
      case 'show':
        return this.#send('PATCH', page(step.page), { is_hidden: step.isHidden, is_published: step.isPublished });
      case 'draft':
        await this.#send('PATCH', `${page(step.page)}/draft`, { name: step.name, body: step.name });
        return this.#send('POST', `${page(step.page)}/publish`);
      case 'delete':
        return this.#send('DELETE', page(step.page));
      case 'restore':
        return this.#send('POST', `page_${await this.#deleted(step.page)}/restore`);
      case 'undo': {
        const id = await this.#undo(step.undo);
        return this.#try(() =>
          this.#db.transaction().execute((trx) => undoChange(trx, this.#accountId, { id, quota }, by)),
        );
      }
      case 'copy': {
        const id = parsePageId(page(step.page) ?? '') ?? 0;
        return this.#try(() =>
          this.#db.transaction().execute((trx) => duplicatePage(trx, this.#accountId, { id, quota }, by)),
        );
      }
      case 'discard': {
        const id = await this.#deleted(step.page);
        return this.#try(() =>
          this.#db.transaction().execute((trx) => discardDeletedPage(trx, this.#accountId, id, by)),
        );
      }
      case 'purge':
        await purgeDeletedPages(this.#db);
        return;
      case 'changeName':
        return this.#try(() =>
          this.#db.transaction().execute((trx) => changeOwnName(trx, this.#accountId, step.name, by)),
        );
    }
  }

  async #send(method: string, end: string | undefined, fields: Record<string, unknown> = {}): Promise<void> {
    if (end === undefined) return;
    const body = new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [`page[${name}]`, String(value)]),
    ).toString();
    const { status, text } = await send(this.#service, this.key, method, end === '' ? '' : `${end}.json`, body);
    assert.ok(status < 500, text);
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => assert.ok(error instanceof AppError, String(error)));
  }

  async #deleted(chosen: number): Promise<number> {
    const rows = await this.#db
      .selectFrom('removed_pages')
      .select('id')
      .where('account_id', '=', this.#accountId)
      .orderBy('id')
      .execute();
    return rows[chosen % rows.length]?.id ?? 0;
  }

  async #undo(chosen: number): Promise<number> {
    const rows = await this.#db
      .selectFrom('undos')
      .select('id')
      .where('account_id', '=', this.#accountId)
      .orderBy('id', 'desc')
      .execute();
    return rows[chosen % rows.length]?.id ?? 0;
  }
}

/** A client's copy of the list, updated as the documentation says. */
class Copy {
  readonly #service: Service;
  readonly #key: string;
  #version = '';
  readonly #pages = new Map<string, PageJson>();
  /** The ids of each page's children, in their order. */
  readonly #order = new Map<string, string[]>();

  constructor(service: Service, key: string) {
    this.#service = service;
    this.#key = key;
  }

  async read(): Promise<void> {
    const { headers, json } = await this.#service.get(path, this.#key);
    this.#version = headers['pages-version'] as string;
    this.#pages.clear();
    this.#order.clear();
    for (const page of flatten(json.pages)) this.#put(page);
  }

  /** Returns false if the whole list had to be read. */
  async update(): Promise<boolean> {
    const { status, json } = await this.#service.get(path, `${this.#key}&since=${this.#version}`);
    if (status === 410) {
      await this.read();
      return false;
    }
    for (const { id } of json.changed) this.#take(id);
    for (const id of json.deleted) {
      this.#take(id);
      this.#pages.delete(id);
    }
    for (const page of json.changed) this.#put(page);
    this.#version = String(json.version);
    return true;
  }

  get text(): string {
    return JSON.stringify({ pages: this.#below('0', '') });
  }

  #take(id: string): void {
    const page = this.#pages.get(id);
    if (!page) return;
    const siblings = this.#order.get(page.parent_id)!;
    siblings.splice(siblings.indexOf(id), 1);
  }

  #put(page: PageJson): void {
    this.#pages.set(page.id, page);
    const siblings = this.#order.getOrInsertComputed(page.parent_id, () => []);
    siblings.splice(Number(page.position) - 1, 0, page.id);
  }

  #below(parent: string, parentUrl: string): PageJson[] {
    return (this.#order.get(parent) ?? []).map((id, index) => {
      const page = this.#pages.get(id)!;
      const url = `${parentUrl}/${page.urlname}`;
      return { ...page, position: String(index + 1), url, children: this.#below(id, url) };
    });
  }
}

async function versionOf(service: Service, key: string): Promise<number> {
  return Number((await service.get(path, key)).headers['pages-version']);
}

async function create(service: Service, key: string, name: string, parent = '0'): Promise<string> {
  const body = new URLSearchParams({ 'page[name]': name, 'page[parent_id]': parent }).toString();
  return (await send(service, key, 'POST', '', body, { Prefer: 'return=representation' })).json.id;
}

function send(
  service: Service,
  key: string,
  method: string,
  end: string,
  body = '',
  headers: Record<string, string> = {},
) {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const place = end === '' ? path : `/api/pages/${end}`;
  return service.request(method, `${place}?api_key=${key}`, { headers: { ...form, ...headers }, body });
}

function importPages(service: Service, key: string, body: string, parent = '0') {
  return service.request('POST', `/api/pages/import.json?api_key=${key}&import%5Bparent_id%5D=${parent}`, {
    headers: { 'Content-Type': 'application/json' },
    body,
  });
}
