import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { photo } from '../../test/images.ts';

onEachDatabase('the commands for brands', (open) => {
  test('create, change, show and remove a brand', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    assert.deepEqual(await runCliJson(config, 'brand', 'show', 'acme'), { brand: null });
    assert.equal((await runCli(config, 'brand', 'change', 'acme')).code, 2);
    const { brand } = await runCliJson(config, 'brand', 'change', 'acme', '--name', 'Acme', '--accent', '0a7d4f');
    assert.deepEqual([brand.name, brand.accent, brand.reply_to], ['Acme', '#0a7d4f', null]);
    await runCliJson(
      config,
      'brand',
      'change',
      'acme',
      '--reply-to',
      'desk@acme.example',
      '--terms-url',
      'https://a.example/',
    );
    const shown = (await runCliJson(config, 'brand', 'show', 'acme')).brand;
    assert.deepEqual(
      [shown.name, shown.reply_to, shown.terms_url],
      ['Acme', 'desk@acme.example', 'https://a.example/'],
    );
    const file = join(config.dataDir, 'icon.jpg');
    await writeFile(file, await photo(40, 40));
    assert.match((await runCliJson(config, 'brand', 'change', 'acme', '--icon', file)).brand.icon, /-40x40$/);
    assert.equal((await runCliJson(config, 'brand', 'change', 'acme', '--icon', '')).brand.icon, null);
    assert.equal((await runCli(config, 'brand', 'change', 'acme', '--logo', `${file}.png`)).code, 2);
    assert.deepEqual(await runCliJson(config, 'brand', 'remove', 'acme'), { brand: null });
    assert.deepEqual(await runCliJson(config, 'brand', 'show', 'acme'), { brand: null });
  });
});
