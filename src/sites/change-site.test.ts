import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { type ChangeSiteInput, changeSite } from './change-site.ts';
import { siteFinder } from './find-site.ts';

onEachDatabase('changing a site', (open) => {
  test('changing a site’s settings leaves other settings and sites unchanged, and raises the version', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await makeAccount(db, 'other');
    const find = siteFinder(db, 'localhost');
    let version = (await find('acme.localhost'))!.contentVersion;
    const ofOther = (await find('other.localhost'))!.contentVersion;
    const change = async (input: Partial<ChangeSiteInput>) => {
      const whole = { theme: undefined, accent: undefined, language: undefined, ...input };
      await db.transaction().execute((trx) => changeSite(trx, accountId, whole));
      const { theme, accent, language, contentVersion } = (await find('acme.localhost'))!;
      assert.ok(contentVersion > version, `${contentVersion} after ${version}`);
      version = contentVersion;
      return [theme, accent, language];
    };
    assert.deepEqual(await change({ theme: ' Portfolio ' }), ['portfolio', '#1f5fbf', 'en']);
    assert.deepEqual(await change({ accent: '#F0A' }), ['portfolio', '#ff00aa', 'en']);
    assert.deepEqual(await change({ accent: ' 0a7D4f' }), ['portfolio', '#0a7d4f', 'en']);
    assert.deepEqual(await change({ language: 'PT-br' }), ['portfolio', '#0a7d4f', 'pt-BR']);
    assert.deepEqual(await change({ theme: 'documentation', language: 'zh-hant' }), [
      ...['documentation', '#0a7d4f', 'zh-Hant'],
    ]);
    const { theme, contentVersion } = (await find('other.localhost'))!;
    assert.deepEqual([theme, contentVersion], ['typographic', ofOther]);
  });

  test('invalid settings of a site are refused all at once, and nothing is changed', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const versionNow = async () => (await siteFinder(db, 'localhost')('acme.localhost'))!.contentVersion;
    const version = await versionNow();
    const wrong = { theme: 'baroque', accent: 'red', language: 'english' };
    await assert.rejects(
      db.transaction().execute((trx) => changeSite(trx, accountId, wrong)),
      {
        fields: [
          {
            field: 'theme',
            code: 'not_one_of',
            params: { values: ['typographic', 'business', 'portfolio', 'documentation'] },
          },
          { field: 'accent', code: 'not_a_colour' },
          { field: 'language', code: 'not_a_language' },
        ],
      },
    );
    for (const accent of ['', '#', '#12', '#12345', '#1234567', '##123', '#ggg', '#123;}']) {
      const input = { theme: undefined, accent, language: undefined };
      await assert.rejects(
        db.transaction().execute((trx) => changeSite(trx, accountId, input)),
        { code: 'invalid' },
      );
    }
    for (const language of ['', 'e', 'en_US', 'en-', '"><script>', `en${'-latin'.repeat(9)}`, 'x-klingon']) {
      const input = { theme: undefined, accent: undefined, language };
      await assert.rejects(
        db.transaction().execute((trx) => changeSite(trx, accountId, input)),
        { code: 'invalid' },
      );
    }
    assert.equal(await versionNow(), version);
  });
});
