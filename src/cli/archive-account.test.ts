import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { operatorAuditEvents, runCli, runCliJson, runCliWith } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer, makePage } from '../../test/factories.ts';

onEachDatabase('account export and import', (open) => {
  test('account export writes a private file, and import creates a customer of another installation from it', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const customer = await makeCustomer(db, accountId, 'bakery');
    const user = await db.selectFrom('users').select('id').where('account_id', '=', customer).executeTakeFirstOrThrow();
    await makePage(db, customer, { userId: user.id, name: 'Bread' });
    const file = join(config.dataDir, 'bakery.zip');
    await writeFile(file, 'an older one');
    assert.deepEqual(await runCli(config, 'account', 'export', 'bakery', file), {
      code: 0,
      out: `"bakery" is in ${file}: 1 page and 0 images.\n`,
      error: '',
    });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok((await operatorAuditEvents(db)).includes('account.exported Customer bakery'));
    assert.match(
      (await runCli(config, 'account', 'import', file)).error,
      /^The account's former subdomain is taken here\. Choose another with --subdomain\.$/m,
    );

    const there = await open(t);
    await makeAccount(there.db, 'seller');
    const imported = await runCli(there.config, 'account', 'import', file, '--under', 'seller', '--subdomain', 'cakes');
    assert.equal(
      imported.out,
      `Customer bakery (account_2) is created: http://cakes.localhost:8080
It has 1 page and 0 images, on the plan "Free".
Its people have no passwords yet: each can request a link on the sign-in page.
`,
    );
    assert.deepEqual(await operatorAuditEvents(there.db), [
      'customer.created Customer bakery',
      'account.imported Customer bakery',
    ]);
    const again = await runCliJson(there.config, 'account', 'import', file);
    assert.deepEqual([again.account.subdomain, again.account.plan, again.lines.pages], ['bakery', null, 1]);
    assert.equal((await runCli(there.config, 'doctor')).code, 0);
  });

  test('account export and import say what is wrong with a plan, an archive or a path', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const file = join(config.dataDir, 'acme.zip');
    const planless = await runCli(config, 'account', 'import', file, '--plan', 'Free');
    assert.deepEqual([planless.code, /--plan needs --under/.test(planless.error)], [2, true]);
    const missing = await runCli(config, 'account', 'import', file);
    assert.match(missing.error, /The archive cannot be read: ".*" does not exist\./);
    const folder = await runCli(config, 'account', 'export', 'acme', config.dataDir);
    assert.match(folder.error, /is not a file, as the archive has to be/);
    await runCli(config, 'account', 'export', 'acme', file);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    const cut = await runCli(config, 'account', 'import', file, '--subdomain', 'other');
    assert.deepEqual([cut.code, /not a readable ZIP file/.test(cut.error)], [1, true]);
  });

  test('account import respects PAGE_QUOTA', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    await makePage(db, accountId, { userId, body: 'rye and spelt' });
    const file = join(config.dataDir, 'acme.zip');
    await runCli(config, 'account', 'export', 'acme', file);
    const full = await runCliWith({ PAGE_QUOTA: '5' }, config, 'account', 'import', file, '--subdomain', 'other');
    assert.match(full.error, /more than the 5 bytes that an account may have \(PAGE_QUOTA\)/);
  });
});
