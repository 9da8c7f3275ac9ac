import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import type { Db } from '../../db/database.ts';
import { siteFinder } from '../../sites/find-site.ts';
import { mainMenus } from '../../sites/menus.ts';
import { SiteContents } from './contents.ts';

const settings = {
  publicUrl: 'https://api.example',
  sitesDomain: 'sites.example',
  siteMaxAgeSeconds: 0,
  siteCacheBytes: 1_000_000,
};

onEachDatabase('the contents of sites', (open) => {
  test('missing parts of the sitemap are looked up only once for each version of the site', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const find = siteFinder(db, settings.sitesDomain);
    let reads = 0;
    const contents = new SiteContents(
      counting(db, () => reads++),
      settings,
      mainMenus(),
    );
    const ask = async (part: number) => contents.file((await find('acme.sites.example'))!, `/sitemap-${part}.xml`);
    await makePage(db, accountId, { name: 'Home', userId });
    await Promise.all([1, 2, 3, 4, 5].map(async (part) => assert.equal(await ask(part), undefined)));
    // Two look-ups may have started concurrently.
    assert.ok(reads <= 2, String(reads));
    assert.equal(await ask(6), undefined);
    assert.ok(reads <= 2, String(reads));
    const before = reads;
    await makePage(db, accountId, { name: 'Shop', userId });
    assert.equal(await ask(1), undefined);
    assert.equal(reads, before + 1);
  });
});

/** Returns the database with a hook that is called for each snapshot. */
function counting(db: Db, onRead: () => void): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') onRead();
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
