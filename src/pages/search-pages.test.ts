import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { purgeAccount } from '../accounts/purge-accounts.ts';
import { operator } from '../audit/record-audit-event.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { deletePage } from './delete-page.ts';
import { movePage } from './move-page.ts';
import { isSearchComplete, refreshSearch } from './search-index.ts';
import { searchPages } from './search-pages.ts';
import { undoChange } from './undo-change.ts';
import { updatePage } from './update-page.ts';

onEachDatabase('searching pages', (open) => {
  test('a search finds the beginnings of words in names and texts, names first, with an excerpt of the text', async (t) => {
    const { db, accountId, make, find } = await setUp(await open(t));
    await make('About us', '<p>We bake bread.</p>');
    await make(
      'Opening hours',
      '<p>Our <b>Café</b> opens at nine&nbsp;o&rsquo;clock: cr&egrave;me br&#251;l&eacute;e.</p>',
    );
    await make('Our café');
    await make('Cafeteria', undefined, '1');
    assert.deepEqual(await find('cafe'), ['Cafeteria', 'Our café', 'Opening hours']);
    assert.deepEqual(await find('CAFÉ op'), ['Opening hours']);
    assert.deepEqual(await find('creme brulee'), ['Opening hours']);
    assert.deepEqual(await find('café bake'), []);
    // In texts, only beginnings of words are found; in names, any part.
    assert.deepEqual(await find('ening'), ['Opening hours']);
    assert.deepEqual(await find('read'), []);
    await refreshSearch(db, accountId, 1000);
    const { pages } = await snapshot(db, (trx) => searchPages(trx, accountId, 'nine'));
    assert.deepEqual(pages[0]!.excerpt, {
      before: 'Our Café opens at ',
      match: 'nine',
      after: ' o’clock: crème brûlée.',
    });
  });

  test('a search treats NUL characters as spaces', async (t) => {
    const { make, find } = await setUp(await open(t));
    await make('Price list');
    for (const text of ['\0', 'price/\0']) assert.deepEqual(await find(text), []);
    assert.deepEqual(await find('price\0list'), ['Price list']);
  });

  test('a search finds all words of a name in any order, and names with them inside longer words last', async (t) => {
    const { make, find } = await setUp(await open(t));
    await make('Price list for bread');
    await make('Bread');
    await make('Gingerbread prices');
    assert.deepEqual(await find('bread price'), ['Price list for bread', 'Gingerbread prices']);
    assert.deepEqual(await find('bread'), ['Bread', 'Price list for bread', 'Gingerbread prices']);
  });

  test('a search finds parts of names and texts in languages without spaces', async (t) => {
    const { make, find } = await setUp(await open(t));
    await make('東京都庁');
    await make('会社概要', '<p>私たちは東京にある株式会社です</p>');
    assert.deepEqual(await find('京都'), ['東京都庁']);
    assert.deepEqual(await find('株式会社'), ['会社概要']);
    assert.deepEqual(await find('東京'), ['東京都庁', '会社概要']);
  });

  test('a search finds visible text, and neither tags nor addresses', async (t) => {
    const { make, find } = await setUp(await open(t));
    const image = `<img alt="" src="data:image/png;base64,${'secretbytes'.repeat(20_000)}">`;
    await make('HTML', `<p class="cssclass">${image}<script>var hidden;</script><!-- noted -->visible 1 < 2 end`);
    await make(
      'Markdown',
      `# Heading\n\n![](data:image/png;base64,secretbytes) [label](https://target.example) **bold**`,
    );
    for (const word of ['secretbytes', 'cssclass', 'hidden', 'noted', 'target']) assert.deepEqual(await find(word), []);
    assert.deepEqual(await find('visible end'), ['HTML']);
    assert.deepEqual(await find('heading label bold'), ['Markdown']);
  });

  test('a search finds neither the author’s comments nor elements that pages drop', async (t) => {
    const { make, find } = await setUp(await open(t));
    await make('HTML', '<p>seen</p><NOSCRIPT>unseen</NOSCRIPT><select><option>unseen</option></select> <!-- unseen');
    await make('Markdown', 'seen\n\n[//]: # (unseen)\n[note]: <> (unseen)\n\nThe `<video>` element comes last.');
    assert.deepEqual(await find('unseen'), []);
    assert.deepEqual(await find('seen'), ['HTML', 'Markdown']);
    assert.deepEqual(await find('element last'), ['Markdown']);
  });

  test('an excerpt has the words of Markdown links and images without their marks', async (t) => {
    const { db, accountId, make } = await setUp(await open(t));
    await make('Welcome', '![A loaf](/media/loaf.webp) of rye\n\nand [all our cakes](/cakes) daily.');
    await refreshSearch(db, accountId, 1000);
    const { pages } = await snapshot(db, (trx) => searchPages(trx, accountId, 'loaf'));
    const { before, match, after } = pages[0]!.excerpt!;
    assert.equal(before + match + after, 'A loaf of rye and all our cakes daily.');
  });

  test('a search reflects changes, moves, deletions and undos', async (t) => {
    const { db, accountId, userId, make, find } = await setUp(await open(t));
    const change = db.transaction();
    const id = await make('First', 'alpha');
    assert.deepEqual(await find('alpha'), ['First']);
    const fields = { body: 'beta', name: 'Second', urlname: 'elsewhere' };
    await change.execute((trx) => updatePage(trx, accountId, { id, basedOn: undefined, fields, quota }, actor(userId)));
    assert.deepEqual([await find('alpha'), await find('beta'), await find('elsewhere')], [[], ['Second'], ['Second']]);
    const parent = await make('Parent');
    await make('Elsewhere', undefined, undefined, parent);
    await change.execute((trx) => movePage(trx, accountId, { id, parentId: parent, position: 1 }, actor(userId)));
    assert.deepEqual(await find('parent/elsewhere-2'), ['Second']);
    const { undo } = await change.execute((trx) => deletePage(trx, accountId, parent, actor(userId)));
    assert.deepEqual([await find('beta'), await find('Parent')], [[], []]);
    await change.execute((trx) => undoChange(trx, accountId, { id: undo, quota }, actor(userId)));
    assert.deepEqual([await find('beta'), await find('Parent')], [['Second'], ['Parent']]);
  });

  test('a search finds new pages that were changed before anyone searched', async (t) => {
    const { db, accountId, userId, make, find } = await setUp(await open(t));
    await make('First', 'alpha');
    assert.deepEqual(await find('alpha'), ['First']);
    const id = await make('Second', 'beta');
    await make('Third', 'beta');
    const change = { id, basedOn: undefined, fields: { body: 'gamma' }, quota };
    await db.transaction().execute((trx) => updatePage(trx, accountId, change, actor(userId)));
    assert.deepEqual([await find('gamma'), await find('beta')], [['Second'], ['Third']]);
  });

  test('a search finds no pages of other accounts', async (t) => {
    const database = await open(t);
    const { make, find } = await setUp(database);
    const other = await setUp(database);
    await other.make('Bread elsewhere', 'rolls');
    await make('Bread here', 'rolls');
    assert.deepEqual(await other.find('rolls'), ['Bread elsewhere']);
    for (const text of ['bread', 'rolls', 'rolls bread']) assert.deepEqual(await find(text), ['Bread here'], text);
  });

  test('a search for several common beginnings of words finds the pages that have all of them', async (t) => {
    const { db, accountId, userId, find } = await setUp(await open(t));
    const page = { body_format: '', is_hidden: 0, custom_date: 1, created_at: 1, updated_at: 1, version: 1 };
    const rows = Array.from({ length: 400 }, (_, index) => {
      const name = `Item ${index + 1000}`;
      const common = ['alpha', 'beta', 'gamma', 'delta', 'epsil'].map((word) => `${word}${index % 100}`).join(' ');
      const body = `genea${index + 1000} mid${index + 1000} ${common} ${index % 100 === 99 ? '7 rarely' : '8'}`;
      const its = { account_id: accountId, name, urlname: `item-${index}`, position: index + 1, body };
      return { ...page, ...its, parent_id: null, description: null, created_by: userId, updated_by: userId };
    });
    await db.transaction().execute((trx) =>
      trx
        .insertInto('pages')
        .values(rows as never[])
        .execute(),
    );
    const expected = ['Item 1099', 'Item 1199', 'Item 1299', 'Item 1399'];
    for (const text of ['ge 7', 'gene 7', 'genea1 ra', 'ge mi rare', 'mid gen 7', 'alph beta gamm delt epsi rare']) {
      assert.deepEqual((await find(text)).toSorted(), expected, text);
    }
    assert.equal((await find('ge mi')).length, 50);
    assert.equal((await find('alph beta gamm delt epsi')).length, 50);
    for (const text of ['ge xy', 'alph beta gamm delt epsi xyxy']) assert.deepEqual(await find(text), [], text);
    assert.deepEqual(await find('it 1399'), ['Item 1399']);
  });

  test('excerpts read a bounded amount of text', async (t) => {
    const { db, accountId, make } = await setUp(await open(t));
    const long = '<br class="wide">'.repeat(12_000);
    for (let count = 0; count < 10; count++) await make(`Page ${count}`, `<p>early ${long} late ${count}</p>`);
    await refreshSearch(db, accountId, 1000);
    let read = 0;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        for (const { body } of result.rows) if (typeof body === 'string') read += body.length;
        return result;
      },
    });
    const excerpts = async (text: string) => {
      const { pages } = await counting.transaction().execute((trx) => searchPages(trx, accountId, text));
      return pages.map(({ excerpt }) => excerpt?.match);
    };
    assert.deepEqual(await excerpts('late'), Array(10).fill(undefined));
    assert.deepEqual(await excerpts('early'), Array(10).fill('early'));
    assert.deepEqual([read > 500_000, read <= 1_000_000], [true, true], `${read} characters`);
    assert.deepEqual(await excerpts('late 7'), ['late']);
  });

  test('a search for an exact address finds its page among many similar ones', async (t) => {
    const { db, accountId, userId, make, find } = await setUp(await open(t));
    const page = { body: '', body_format: '', is_hidden: 0, custom_date: 1, created_at: 1, updated_at: 1, version: 1 };
    const rows = Array.from({ length: 501 }, (_, index) => {
      const urlname = `part-1-${index}`;
      const its = { account_id: accountId, name: urlname, urlname, position: index + 1 };
      return { ...page, ...its, parent_id: null, description: null, created_by: userId, updated_by: userId };
    });
    await db.transaction().execute((trx) =>
      trx
        .insertInto('pages')
        .values(rows as never[])
        .execute(),
    );
    await make('Part 1');
    assert.deepEqual(await find('/part-1/'), ['Part 1']);
  });

  test('a search finds names while the index is incomplete', async (t) => {
    const { db, accountId, make, search } = await setUp(await open(t));
    for (let count = 1; count <= 120; count++) await make(`Page ${count}`, count === 120 ? 'last words' : 'words');
    assert.deepEqual(await search('page 120'), ['Page 120']);
    assert.equal(await refreshSearch(db, accountId, 1), false);
    assert.deepEqual([await search('page 120'), await search('last words')], [['Page 120'], []]);
    await Promise.all([1, 2, 3].map(() => refreshSearch(db, accountId, 1000)));
    assert.equal(await isSearchComplete(db, accountId), true);
    assert.deepEqual([await search('page 120'), await search('last words')], [['Page 120'], ['Page 120']]);
    const { count } = await db
      .selectFrom('search_pages')
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(count, 120);
  });

  test('indexing takes only few long texts at a time', async (t) => {
    const { db, accountId, make, search } = await setUp(await open(t));
    for (const name of ['One', 'Two', 'Three']) await make(name, 'text '.repeat(30_000));
    const counts: number[] = [];
    for (let isComplete = false; !isComplete; ) {
      isComplete = await refreshSearch(db, accountId, 1);
      counts.push((await db.selectFrom('search_pages').select('page_id').execute()).length);
    }
    assert.deepEqual(counts, [1, 2, 3]);
    assert.equal((await search('text')).length, 3);
  });

  test('purging an account removes its search index', async (t) => {
    const database = await open(t);
    const { db, accountId, make, find } = await setUp(database);
    await make('Bread', 'rolls');
    assert.deepEqual(await find('rolls'), ['Bread']);
    await db.transaction().execute((trx) => deleteAccount(trx, accountId, { releaseSubdomain: true }, operator));
    await purgeAccount(db, accountId, async () => {});
    for (const table of ['search_accounts', 'search_queue', 'search_pages', 'search_vocabulary']) {
      assert.deepEqual((await sql`select * from ${sql.table(table)}`.execute(db)).rows, [], table);
    }
    if (dialectOf(db) === 'sqlite') {
      assert.deepEqual((await sql`select rowid from search_words`.execute(db)).rows, []);
    }
  });
});

async function setUp({ db }: { db: Db }) {
  const { accountId, userId } = await makeAccount(db);
  const make = (name: string, body?: string, isHidden?: string, parent?: number) =>
    makePage(db, accountId, {
      userId,
      name,
      body,
      isHidden,
      parentId: parent === undefined ? undefined : String(parent),
    });
  const search = async (text: string) => {
    const { pages } = await snapshot(db, (trx) => searchPages(trx, accountId, text));
    return pages.map(({ name }) => name);
  };
  const find = async (text: string) => {
    await refreshSearch(db, accountId, 1000);
    return search(text);
  };
  return { db, accountId, userId, make, search, find };
}
