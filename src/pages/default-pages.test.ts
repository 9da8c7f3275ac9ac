import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { titleOf } from '../sites/page-title.ts';
import { buildDefaultPages, createDefaultPages } from './default-pages.ts';
import { toUrlname } from './urlname.ts';

const languages = (folder: string) => readdirSync(new URL(folder, import.meta.url)).map((file) => file.split('.')[0]!);

test('every language of the themes has default pages', () => {
  const own = new Set(languages('./default-words/'));
  const missing = languages('../http/site/words/').filter((language) => !own.has(language));
  assert.deepEqual(missing, []);
  assert.equal(buildDefaultPages({ name: 'Acme', language: 'de-AT' })[0]!.name, 'Startseite');
  assert.equal(buildDefaultPages({ name: 'Acme', language: 'tlh' })[0]!.name, 'Home');
});

for (const language of languages('./default-words/')) {
  test(`the default pages in ${language} are four different pages, the home page first, without missing words`, () => {
    const name = 'Smith & <$&>';
    const pages = buildDefaultPages({ name, language });
    assert.equal(pages.length, 4);
    assert.equal(new Set(pages.map((page) => toUrlname(page.name))).size, 4);
    assert.equal(titleOf({ name: pages[0]!.name, isHome: true, site: { name } }), name);
    for (const { name: pageName, description, body } of pages) {
      assert.ok(description.includes(name), pageName);
      assert.match(body, /^<h1>[^<>]+<\/h1>\n<p>[^<>]+<\/p>$/);
      assert.doesNotMatch(pageName + description + body, /\{|undefined/);
    }
    assert.ok(pages[0]!.body.includes('Smith &amp; &lt;$&amp;&gt;'));
  });
}

onEachDatabase('the default pages', (open) => {
  test('the default pages are Home, About, Services and Contact, and are not published', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const owner = { name: 'Acme', language: 'en' };
    await db.transaction().execute((trx) => createDefaultPages(trx, accountId, { ...owner, userId }));
    const pages = await db
      .selectFrom('pages')
      .select(['name', 'description', 'body', 'is_hidden', 'status'])
      .where('account_id', '=', accountId)
      .orderBy('position')
      .execute();
    assert.deepEqual(
      pages.map((page) => ({ ...page })),
      buildDefaultPages(owner).map((page) => ({ ...page, is_hidden: 0, status: 'default' })),
    );
    assert.deepEqual(
      pages.map(({ name }) => name),
      ['Home', 'About', 'Services', 'Contact'],
    );
  });
});
