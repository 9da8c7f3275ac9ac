import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { photo } from '../../test/images.ts';

onEachDatabase('brand commands', (open) => {
  test('the brand commands create, change, show and remove a brand', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    assert.deepEqual(await runCliJson(config, 'brand', 'show', 'acme'), { brand: null });
    assert.equal((await runCli(config, 'brand', 'change', 'acme')).code, 2);
    const early = await runCli(config, 'brand', 'change-words', 'acme', 'invitation', '--subject', 'Come in');
    assert.deepEqual([early.code, early.error], [1, 'The account has no brand. Create one first.\n']);
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
    const { messages } = await runCliJson(config, 'brand', 'words', 'acme');
    assert.equal(
      messages.every((mail: { is_default: boolean }) => mail.is_default),
      true,
    );
    const text = join(config.dataDir, 'text.txt');
    await writeFile(text, 'Hello {name}\n\n{link}\n');
    const changeWords = ['brand', 'change-words', 'acme', 'invitation'];
    const { message } = await runCliJson(config, ...changeWords, '--subject', 'Come in', '--text-file', text);
    assert.deepEqual([message.subject, message.text, message.is_default], ['Come in', 'Hello {name}\n\n{link}', false]);
    assert.match((await runCli(config, ...changeWords, '--subject', '{nobody}')).error, /cannot have \{nobody\}/);
    assert.equal((await runCli(config, 'brand', 'change-words', 'acme', 'nothing', '--subject', 'x')).code, 2);
    assert.equal((await runCliJson(config, 'brand', 'reset-words', 'acme', 'invitation')).message.is_default, true);
    assert.deepEqual(await runCliJson(config, 'brand', 'remove', 'acme'), { brand: null });
    assert.deepEqual(await runCliJson(config, 'brand', 'show', 'acme'), { brand: null });
  });
});
