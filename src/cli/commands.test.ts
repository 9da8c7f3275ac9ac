import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { operatorAuditEvents, runCli, runCliJson, runCliWith, spawnCli } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer, makePage, unique } from '../../test/factories.ts';
import { noImages } from '../../test/images.ts';
import { getAccount } from '../accounts/account.ts';
import { isWellFormedKey } from '../api-keys/api-key.ts';
import { keyFinder } from '../api-keys/find-api-key.ts';
import { examine } from '../operations/doctor.ts';

const KEY = /^fh_[0-9A-Za-z]{32}$/;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/;

onEachDatabase('operator commands', (open, kind) => {
  test('setup creates a first and a second account, each with a key that works', async (t) => {
    const { db, config } = await open(t);
    const first = await runCli(config, ...setup('acme'), '--json');
    assert.equal(first.code, 0, first.error);
    const { account, api_key, ...rest } = JSON.parse(first.out);
    assert.deepEqual(rest, {});
    assert.match(account.created_at, TIME);
    assert.deepEqual(account, {
      id: 'account_1',
      name: 'Acme Agency',
      subdomain: 'acme',
      url: 'http://acme.localhost:8080',
      created_at: account.created_at,
    });
    assert.equal((await keyFinder(db)(api_key))?.accountId, 1);

    const second = await runCli(config, ...setup('Gamma'));
    assert.equal(second.code, 0);
    assert.match(
      second.error,
      /\n(?:DATA_DIR|DATABASE_URL)=\S+ npm run --silent freehold -- user sign-in-link --account gamma\n$/,
    );
    assert.match(second.out, /^Account: +Acme Agency \(account_2\)\nSite: +http:\/\/gamma\.localhost:8080\n/);
    const key = /API key: +(\S+)/.exec(second.out)?.[1];
    assert.equal((await keyFinder(db)(key!))?.accountId, 2);

    const elsewhere = await runCliWith({ PORT: '8081' }, config, ...setup('Delta'));
    assert.match(elsewhere.error, /\nPORT=8081 \S+ npm run --silent freehold -- user sign-in-link --account delta\n$/);

    const inContainer = await runCliWith({ IN_CONTAINER: 'true' }, config, ...setup('Epsilon'));
    assert.match(
      inContainer.error,
      /\nThe owner has no password yet. To sign in, run this in the container:\nnpm run --silent freehold -- user sign-in-link --account epsilon\n$/,
    );
  });

  test('setup creates the database and its folder', async (t) => {
    const { config } = await open(t);
    if (kind !== 'sqlite') return;
    const fresh = { ...config, dataDir: join(config.dataDir, 'new', 'folder') };
    const { account } = await runCliJson(fresh, ...setup('acme'));
    assert.equal(account.id, 'account_1');
  });

  test('setup reports all invalid values at once', async (t) => {
    const { db, config } = await open(t);
    const { code, out, error } = await runCli(config, 'setup', '--subdomain', 'www', '--user-email', 'nobody');
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.equal(
      error,
      "--account-name can't be blank.\n--subdomain is reserved.\n--user-name can't be blank.\n--user-email is not a mail address.\n",
    );
    await makeAccount(db, 'acme');
    const taken = await runCli(config, ...setup('ACME'));
    assert.deepEqual([taken.code, taken.error], [1, '--subdomain has already been taken.\n']);
  });

  test('account list and account show print accounts', async (t) => {
    const { db, config } = await open(t);
    assert.match((await runCli(config, 'account', 'list')).out, /^There are no accounts/);
    const { accountId } = await makeAccount(db, 'acme');
    const customerId = await makeCustomer(db, accountId, 'bakery');
    const { accounts } = await runCliJson(config, 'account', 'list');
    assert.deepEqual(accounts, [
      {
        id: `account_${accountId}`,
        name: 'Account acme',
        subdomain: 'acme',
        url: 'http://acme.localhost:8080',
        status: 'active',
        customer_of: null,
        plan_name: 'Self-hosted',
        plan_price: '0.00',
        customers_count: 1,
        created_at: accounts[0].created_at,
      },
    ]);
    const all = await runCli(config, 'account', 'list', '--all');
    const [head, , line] = all.out.split('\n');
    assert.match(head!, /^ID +SUBDOMAIN +NAME +STATUS/);
    assert.match(line!, new RegExp(`^account_${customerId} +bakery +Customer bakery +active +acme +Free +0\\.00 +0 `));

    const { account } = await runCliJson(config, 'account', 'show', 'acme');
    assert.equal(account.free_customers_count, 1);
    assert.equal(account.annual_revenue, '0.00');
    assert.deepEqual([account.page_bytes, account.page_quota], [0, 2 ** 30]);
    assert.deepEqual(account.users, [{ name: 'Olivia Owner', email: 'olivia@example.com', role: 'owner' }]);
    const { out } = await runCli(config, 'account', 'show', 'bakery');
    assert.match(out, /Customer of: +acme\n/);
    assert.match(out, /Pages: +0 MB of 1 GB\n/);
    for (const args of [
      ['bakery'],
      ['--account', 'bakery'],
      [`account_${customerId}`],
      [`${customerId}`],
      ['--account', `account_${customerId}`],
    ]) {
      const shown = await runCliJson(config, 'account', 'show', ...args);
      assert.equal(shown.account.subdomain, 'bakery', args.join(' '));
    }
    // A name that is a number takes precedence over an id.
    await makeCustomer(db, accountId, `${accountId}`);
    assert.equal((await runCliJson(config, 'account', 'show', `${accountId}`)).account.subdomain, `${accountId}`);
    for (const who of ['account_999999', '999999']) {
      const { code, error } = await runCli(config, 'account', 'show', who);
      assert.equal(code, 1);
      assert.match(error, /^The account ("999999" )?does not exist\.\n$/);
    }
    // Every command that takes an account accepts an id.
    const id = `account_${accountId}`;
    assert.equal((await runCliJson(config, 'site', 'show', id)).site.id, id);
    assert.equal((await runCliJson(config, 'site', 'change', id, '--language', 'de')).site.language, 'de');
    assert.equal((await runCliJson(config, 'account', 'plan', id, '--name', 'Partner', '--price', '9')).account.id, id);
    assert.equal((await runCliJson(config, 'account', 'subdomain', id, 'acme')).account.id, id);
    assert.equal((await runCliJson(config, 'user', 'list', '--account', id)).users.length, 1);
    for (const event of ['add', 'remove'])
      await runCliJson(config, 'domain', event, 'www.example.com', '--account', id);
    const none = await runCli(config, 'account', 'show', 'nobody');
    assert.deepEqual([none.code, none.error], [1, 'The account "nobody" does not exist.\n']);
  });

  test('account subdomain and account plan change an account', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await makeCustomer(db, accountId, 'bakery');
    const moved = await runCliJson(config, 'account', 'subdomain', 'acme', 'Acme-Web');
    assert.deepEqual(moved, {
      account: { id: `account_${accountId}`, subdomain: 'acme-web', url: 'http://acme-web.localhost:8080' },
    });
    const taken = await runCli(config, 'account', 'subdomain', 'acme-web', 'bakery');
    assert.deepEqual([taken.code, taken.error], [1, 'Subdomain has already been taken.\n']);

    const before = await getAccount(db, accountId);
    const { account } = await runCliJson(config, 'account', 'plan', 'acme-web', '--name', 'Partner', '--price', '49');
    assert.deepEqual(account, { id: `account_${accountId}`, plan_name: 'Partner', plan_price: '49.00' });
    assert.ok((await getAccount(db, accountId)).content_version > before.content_version);
    assert.equal((await operatorAuditEvents(db)).at(-1), 'account.plan_changed');
    const wrong = await runCli(config, 'account', 'plan', 'acme-web', '--name', ' ', '--price', '-1');
    assert.equal(wrong.code, 2, 'a value that looks like an option is refused by the parser');
    const invalid = await runCli(config, 'account', 'plan', 'acme-web', '--name', ' ', '--price=-1');
    assert.deepEqual(
      [invalid.code, invalid.error],
      [2, "--name can't be blank.\n--price is not an amount between 0.00 and 9999999.99.\n"],
    );
    const customer = await runCli(config, 'account', 'plan', 'bakery', '--name', 'Partner', '--price', '49');
    assert.match(customer.error, /^"bakery" is a customer/);
  });

  test('customer create mails the user a link to choose a password', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const names = ['--account', 'acme', '--account-name', 'Bakery', '--user-name', 'Ann Baker'];
    const created = await runCli(
      config,
      ...['customer', 'create', ...names, '--subdomain', 'bakery', '--user-email', 'ann@bakery.example'],
      ...['--plan', 'Free', '--language', 'de'],
    );
    assert.deepEqual(
      [created.error, created.out],
      [
        '',
        'Bakery is created: http://bakery.localhost:8080\nThe login instructions are queued for ann@bakery.example.\n',
      ],
    );
    const { customer } = await runCliJson(config, 'customer', 'show', 'bakery');
    assert.deepEqual([customer.people[0].has_password, customer.plan_name], [false, 'Free']);
    assert.ok((await operatorAuditEvents(db)).includes('customer.created Bakery'));
    const twice = await runCli(config, 'customer', 'create', ...names, '--subdomain', 'bakery');
    assert.equal(twice.code, 2);
    assert.match(twice.error, /already been taken/);
  });

  test('customer show prints a customer, and customer resend mails login instructions to a corrected address', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const customerId = await makeCustomer(db, accountId, 'bakery');
    const sent = await runCli(config, 'customer', 'resend', 'bakery', '--email', 'ann@bakery.example');
    assert.deepEqual(
      [sent.error, sent.out],
      ['', 'The login instructions of "bakery" are queued for ann@bakery.example.\n'],
    );
    const shown = await runCli(config, 'customer', 'show', 'bakery');
    assert.match(shown.out, /Plan: +Free at 0\.00 a month/);
    assert.match(shown.out, /Carl Customer +ann@bakery\.example +owner/);
    const { customer } = await runCliJson(config, 'customer', 'show', `account_${customerId}`);
    assert.deepEqual(
      customer.messages.map(({ to, status }: { to: string; status: string }) => [to, status]),
      [
        ['ann@bakery.example', 'queued'],
        ['carl@example.com', 'queued'],
      ],
    );
    assert.deepEqual(
      customer.plan_changes.map(({ kind, from, to }: Record<string, unknown>) => [kind, from, to]),
      [['created', null, 'Free at 0.00 a month']],
    );
    await db
      .transaction()
      .execute((trx) =>
        trx.updateTable('users').set({ address_proved_at: 1 }).where('account_id', '=', customerId).execute(),
      );
    const refused = await runCli(config, 'customer', 'resend', 'bakery');
    assert.match(refused.error, /^The user has chosen a password/);
  });

  test('plan commands rename plans, change the default, and put no customer on a retired plan', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await makeCustomer(db, accountId, 'bakery');
    const account = ['--account', 'acme'];
    await runCli(config, 'plan', 'create', ...account, '--name', 'Business', '--price', '49', '--interval', 'month');
    const renamed = await runCli(config, 'plan', 'rename', 'Business', 'Studio', ...account);
    assert.equal(renamed.out, 'The plan is now called "Studio".\n');
    const refused = await runCli(config, 'plan', 'retire', 'Free', ...account);
    assert.deepEqual(
      [refused.code, refused.error],
      [1, 'New customers are put on the plan "Free". Make another plan the default first.\n'],
    );
    assert.equal(
      (await runCli(config, 'plan', 'default', 'Studio', ...account)).out,
      'New customers are now put on Studio.\n',
    );
    await runCli(config, 'customer', 'plan', 'bakery', 'Studio');
    assert.equal(
      (await runCli(config, 'plan', 'retire', 'Free', ...account)).out,
      'Free is now retired. Active customers who stay on it: 0.\n',
    );
    assert.equal(
      (await runCli(config, 'customer', 'plan', 'bakery', 'Free')).error,
      'The plan "Free" is retired. Restore it first, or choose another plan.\n',
    );
    const { plan } = await runCliJson(config, 'plan', 'restore', 'Free', ...account);
    assert.equal(plan.retired_at, null);
    assert.equal((await runCli(config, 'customer', 'plan', 'bakery', 'Free')).code, 0);
  });

  test('plan commands describe, order and limit plans, and customer show reports exceeded limits', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const customerId = await makeCustomer(db, accountId, 'bakery');
    const { userId } = await db
      .selectFrom('users')
      .select('id as userId')
      .where('account_id', '=', customerId)
      .executeTakeFirstOrThrow();
    for (let count = 0; count < 3; count++) await makePage(db, customerId, { userId });
    const account = ['--account', 'acme'];
    const create = ['plan', 'create', ...account, '--name', 'Small', '--price', '9', '--interval', 'month'];
    const { plan } = await runCliJson(
      config,
      ...create,
      '--pages',
      '10',
      '--storage',
      '500',
      '--description',
      'Simple',
    );
    assert.deepEqual(plan.limits, { pages: 10, people: null, storage_mb: 500, domains: null });
    assert.equal(plan.description, 'Simple');
    assert.equal(
      (await runCli(config, 'plan', 'limits', 'Small', ...account, '--pages', '2', '--storage', 'none')).out,
      'Small now allows each customer: 2 pages.\n',
    );
    const { out: limits } = await runCli(config, 'plan', 'limits', 'Small', ...account, '--people', '1');
    assert.equal(limits, 'Small now allows each customer: 2 pages, 1 person.\n');
    await runCliJson(config, 'plan', 'limits', 'Small', ...account, '--people', 'none');
    const refused = await runCli(config, 'plan', 'limits', 'Small', ...account, '--people', 'many');
    assert.deepEqual([refused.code, refused.error], [2, '--people must be a whole number from 1 to 1000000.\n']);
    assert.equal((await runCli(config, 'plan', 'limits', 'Small', ...account)).code, 2);
    assert.equal((await runCli(config, 'plan', 'describe', 'Small', 'For a start', ...account)).code, 0);
    assert.equal((await runCli(config, 'plan', 'move', 'Small', '1', ...account)).out, 'Small has moved.\n');
    const moved = await runCli(config, 'customer', 'plan', 'bakery', 'Small');
    assert.match(moved.out, /The customer has more than the plan allows: 3 of 2 pages\. Nothing is deleted/);
    const { out } = await runCli(config, 'customer', 'show', 'bakery');
    assert.match(out, /Uses: +3 of 2 pages, 1 person, 0 MB of images, 0 domains$/m);
    const shown = await runCliJson(config, 'customer', 'show', 'bakery');
    assert.deepEqual(shown.customer.limits.pages, { used: 3, limit: 2 });
  });

  test('customer commands suspend with a reason, delete, and restore a customer to its former state', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await makeCustomer(db, accountId, 'bakery');
    const reason = 'The invoice of May is open.';
    assert.equal((await runCli(config, 'customer', 'suspend', 'bakery', '--reason', reason)).code, 0);
    const deleted = await runCli(config, 'customer', 'delete', 'bakery');
    assert.match(deleted.out, /^"bakery" is deleted\. It can be restored until \d{4}-/);
    const { customers } = await runCliJson(config, 'customer', 'list');
    assert.equal(customers[0].status, 'deleted');
    assert.match(customers[0].deletes_at, /^\d{4}-/);
    assert.match((await runCli(config, 'customer', 'list')).out, / deleted +acme +Free /);
    assert.match(
      (await runCli(config, 'customer', 'show', 'bakery')).out,
      /^Status: +deleted, can be restored until \d{4}-/m,
    );
    assert.equal((await runCli(config, 'customer', 'restore', 'bakery')).out, '"bakery" is now suspended.\n');
    assert.equal((await runCli(config, 'customer', 'restore', 'bakery')).out, '"bakery" is now active.\n');
  });

  test('customer list --csv prints the customers of one account or of all', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const id = await makeCustomer(db, accountId, 'bakery');
    const { accountId: other } = await makeAccount(db, 'gamma');
    await makeCustomer(db, other, 'florist');
    const name = '\u001b[31m=Bakery';
    await db.transaction().execute((trx) => trx.updateTable('accounts').set({ name }).where('id', '=', id).execute());
    const { out } = await runCli(config, 'customer', 'list', '--account', 'acme', '--csv');
    const [head, line, ...rest] = out.split('\r\n');
    assert.equal(head, '\ufeffCustomer,Name,Subdomain,Address,State,Plan,Price,Interval,Created,Currency');
    assert.match(
      line!,
      new RegExp(`^${id},\ufffd\\[31m=Bakery,bakery,http://bakery\\.\\S+,active,Free,0\\.00,month,\\S+Z,$`),
    );
    assert.deepEqual(rest, ['']);
    const all = (await runCli(config, 'customer', 'list', '--csv')).out.split('\r\n');
    assert.match(all[0]!, /,Created,Currency,Customer of$/);
    assert.deepEqual(
      all.slice(1).map((line) => line.split(',').at(-1)),
      ['acme', 'gamma', ''],
    );
    const { code, error } = await runCli(config, 'customer', 'list', '--csv', '--json');
    assert.equal(code, 2);
    assert.match(error, /Give --csv or --json, not both\./);
  });

  test('plans are created, and customers are moved between them, suspended and restored', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const customerId = await makeCustomer(db, accountId, 'bakery');
    const { plan } = await runCliJson(
      config,
      ...['plan', 'create', '--account', 'acme', '--name', 'Business', '--price', '49.00', '--interval', 'month'],
    );
    assert.deepEqual(plan, {
      id: plan.id,
      name: 'Business',
      price: '49.00',
      interval: 'month',
      is_default: false,
      active_customers_count: 0,
      created_at: plan.created_at,
      retired_at: null,
      description: '',
      trial_days: 0,
      trial_customers_count: 0,
      limits: { pages: null, people: null, storage_mb: null, domains: null },
    });
    const byAccountId = await runCliJson(config, 'plan', 'list', '--account', `account_${accountId}`);
    assert.deepEqual(byAccountId.plans[1], { ...plan, account: 'acme' });
    const byName = await runCli(config, 'customer', 'plan', 'bakery', 'Business');
    assert.deepEqual([byName.code, byName.out], [0, '"bakery" is now on Business at 49.00 a month.\n']);
    const byId = await runCliJson(config, 'customer', 'plan', `account_${customerId}`, plan.id);
    assert.equal(byId.customer.plan_name, 'Business');

    assert.equal((await runCli(config, 'customer', 'suspend', 'bakery')).out, '"bakery" is now suspended.\n');
    let { customers } = await runCliJson(config, 'customer', 'list', '--account', 'acme');
    assert.equal(customers[0].status, 'suspended');
    const restored = await runCliJson(config, 'customer', 'restore', `account_${customerId}`);
    assert.deepEqual(restored, { customer: { id: `account_${customerId}`, subdomain: 'bakery', status: 'active' } });
    ({ customers } = await runCliJson(config, 'customer', 'list', '--account', 'acme'));
    assert.deepEqual(customers, [
      {
        id: `account_${customerId}`,
        name: 'Customer bakery',
        subdomain: 'bakery',
        url: 'http://bakery.localhost:8080',
        status: 'active',
        deletes_at: null,
        customer_of: 'acme',
        plan_id: plan.id,
        plan_name: 'Business',
        plan_price: '49.00',
        plan_interval: 'month',
        created_at: customers[0].created_at,
      },
    ]);
    const { plans } = await runCliJson(config, 'plan', 'list', '--account', 'acme');
    assert.deepEqual(
      plans.map((entry: { name: string; active_customers_count: number }) => [
        entry.name,
        entry.active_customers_count,
      ]),
      [
        ['Free', 0],
        ['Business', 1],
      ],
    );
    const actors = await db.selectFrom('plan_changes').select(['kind', 'actor']).orderBy('id').execute();
    assert.deepEqual(
      actors.slice(1).map(({ kind, actor }) => [kind, actor]),
      ['moved', 'suspended', 'restored'].map((kind) => [kind, 'operator']),
    );
    const events = await operatorAuditEvents(db);
    assert.deepEqual(events, [
      'plan.created Business',
      ...['plan_changed', 'suspended', 'restored'].flatMap((change) => [
        `customer.${change} Customer bakery`,
        `account.${change} Customer bakery`,
      ]),
    ]);

    for (const [args, message] of [
      [['customer', 'plan', 'bakery', 'Nothing'], 'The plan "Nothing" does not exist.\n'],
      [['customer', 'suspend', 'acme'], '"acme" is a top-level account, not a customer.\n'],
      [['customer', 'suspend', 'account_999999'], 'The account does not exist.\n'],
    ] as const) {
      const { code, error } = await runCli(config, ...args);
      assert.deepEqual([code, error], [1, message]);
    }
    const invalid = await runCli(
      config,
      ...['plan', 'create', '--account', 'acme', '--name', '', '--price', '1.234', '--interval', 'week'],
    );
    assert.equal(
      invalid.error,
      "--name can't be blank.\n--price is not an amount between 0.00 and 9999999.99.\n--interval is not one of month, quarter, year.\n",
    );
  });

  test('key commands issue, list, rotate and revoke keys, and print each key only once', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const find = keyFinder(db);
    const issued = await runCli(config, 'key', 'issue', '--account', 'acme', '--name', 'Shop', '--expires', '90d');
    assert.equal(issued.code, 0);
    assert.match(issued.error, /^It works until .* \+0000\.\n$/);
    const key = issued.out.trim();
    assert.match(key, KEY);
    assert.ok(isWellFormedKey(key));
    const owner = await find(key);
    assert.equal(owner?.accountId, accountId);
    const days = (owner!.expiresAt! - Date.now()) / 86_400_000;
    assert.ok(days > 89.9 && days <= 90);

    const asUser = ['key', 'issue', '--account', 'acme', '--name', 'Other', '--user'];
    const other = await runCliJson(config, ...asUser, 'OLIVIA@example.com');
    assert.deepEqual(Object.keys(other), ['api_key', 'id', 'expires_at']);
    const nobody = await runCli(config, ...asUser, 'nobody@example.com');
    assert.deepEqual(
      [nobody.code, nobody.error],
      [1, 'The user "nobody@example.com" of the account does not exist.\n'],
    );

    const rotated = await runCliJson(config, 'key', 'rotate', key.slice(-4), '--account', 'acme', '--overlap', '0m');
    assert.equal(await find(key), undefined);
    assert.ok(await find(rotated.api_key));
    const again = await runCli(config, 'key', 'rotate', key.slice(-4), '--account', 'acme');
    assert.deepEqual(
      [again.code, again.error],
      [1, 'Key has already been revoked, or its time is over: issue a new one.\n'],
    );

    // A key is found by its id alone. --account only checks that the key belongs to it.
    await makeAccount(db, 'gamma');
    const elsewhere = await runCli(config, 'key', 'revoke', other.id, '--account', 'gamma');
    assert.deepEqual(
      [elsewhere.code, elsewhere.error],
      [1, `The API key "${other.id}" of the account does not exist.\n`],
    );
    const revoked = await runCliJson(config, 'key', 'revoke', other.id);
    assert.deepEqual(revoked, { key: { id: other.id, status: 'revoked' } });
    assert.equal(await find(other.api_key), undefined);

    const list = await runCli(config, 'key', 'list', '--account', 'acme');
    for (const secret of [key, other.api_key, rotated.api_key]) assert.ok(!list.out.includes(secret));
    const { keys } = await runCliJson(config, 'key', 'list', '--account', 'acme');
    assert.deepEqual(
      keys.map((entry: { id: string; name: string; status: string }) => [entry.id, entry.name, entry.status]),
      [
        [rotated.id, 'Shop', 'active'],
        [other.id, 'Other', 'revoked'],
        [`key_${owner!.keyId}`, 'Shop', 'expired'],
        [keys[3].id, 'First key', 'active'],
      ],
    );
    const limited = ['key', 'issue', '--account', 'acme', '--name', 'Feed', '--scopes'];
    const feed = await runCliJson(config, ...limited, 'pages:read, images:write');
    const { keys: withFeed } = await runCliJson(config, 'key', 'list', '--account', 'acme');
    assert.deepEqual(
      [withFeed[0].id, withFeed[0].scopes, withFeed[1].scopes],
      [feed.id, ['pages:read', 'images:write'], null],
    );
    const wrongScope = await runCli(config, ...limited, 'pages');
    assert.deepEqual([wrongScope.code, wrongScope.out], [2, '']);
    assert.match(wrongScope.error, /scopes is not one of pages:read, /);
    for (const expires of ['soon', '0d', '90']) {
      const wrong = await runCli(config, 'key', 'issue', '--account', 'acme', '--name', 'x', '--expires', expires);
      assert.equal(wrong.code, 2);
    }
    const unknown = await runCli(config, 'key', 'revoke', 'key_999999', '--account', 'acme');
    assert.deepEqual([unknown.code, unknown.error], [1, 'The API key "key_999999" of the account does not exist.\n']);
    const nowhere = await runCli(config, 'key', 'revoke', 'key_999999');
    assert.deepEqual([nowhere.code, nowhere.error], [1, 'The API key "key_999999" does not exist.\n']);
    assert.deepEqual(await operatorAuditEvents(db), [
      ...['key.issued Shop', 'key.issued Other', 'key.rotated Shop', 'key.revoked Other', 'key.issued Feed'],
    ]);
  });

  test('a rotated key gets the lifetime of the old key, or the one given', async (t) => {
    // Printed times are precise to the second, so the clock is set to a whole second.
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const find = keyFinder(db);
    const issue = (...args: string[]) =>
      runCliJson(config, 'key', 'issue', '--account', 'acme', '--name', 'Shop', ...args);
    const day = 86_400_000;
    const created = async (id: string) => {
      const { keys } = await runCliJson(config, 'key', 'list');
      return Date.parse(keys.find((key: { id: string }) => key.id === id).created_at);
    };
    for (const [expires, args, days] of [
      ['90d', [], 90],
      ['90d', ['--expires', '30d'], 30],
      ['90d', ['--expires', 'never'], null],
      ['never', [], null],
      ['never', ['--expires', '7d'], 7],
    ] as const) {
      const old = await issue('--expires', expires);
      if (expires === 'never') assert.equal(old.expires_at, null);
      else assert.match(old.expires_at, TIME);
      const rotated = await runCliJson(config, 'key', 'rotate', old.id, ...args);
      const { expiresAt } = (await find(rotated.api_key))!;
      if (days === null) {
        assert.deepEqual([expiresAt, rotated.expires_at], [null, null]);
        continue;
      }
      assert.equal(expiresAt! - (await created(rotated.id)), days * day);
      assert.match(rotated.expires_at, TIME);
    }
    // The old key still works, but only for the rest of the overlap.
    for (const [expires, days] of [
      ['90d', 90],
      ['never', null],
    ] as const) {
      const old = await issue('--expires', expires);
      const ends = [];
      for (let turn = 0; turn < 2; turn++) {
        const { api_key } = await runCliJson(config, 'key', 'rotate', old.id, '--overlap', '1h');
        const { expiresAt } = (await find(api_key))!;
        ends.push(expiresAt === null ? null : (expiresAt - (await created(old.id))) / day);
      }
      assert.deepEqual(ends, [days, days]);
    }
    const { code, error } = await runCli(config, 'key', 'rotate', (await issue()).id, '--expires', '0d');
    assert.equal(code, 2);
    assert.equal(error, '--expires must be longer than 0.\n');
    const rotated = await runCli(config, 'key', 'rotate', (await issue('--expires', '1d')).id);
    assert.match(rotated.out, /^fh_\w{32}\n$/);
    assert.match(rotated.error, /^It works until .* \+0000\. key_\d+, which it replaces, works until .* \+0000\.\n$/);
  });

  test('without --account, customers, plans and keys of all accounts are listed', async (t) => {
    const { db, config } = await open(t);
    for (const name of ['acme', 'gamma']) {
      const { accountId } = await makeAccount(db, name);
      await makeCustomer(db, accountId, `${name}-bakery`);
    }
    const { customers } = await runCliJson(config, 'customer', 'list');
    assert.deepEqual(
      customers.map((customer: Record<string, string>) => [customer.subdomain, customer.customer_of]),
      [
        ['acme-bakery', 'acme'],
        ['gamma-bakery', 'gamma'],
      ],
    );
    const { plans } = await runCliJson(config, 'plan', 'list');
    assert.deepEqual(
      plans.map((plan: Record<string, string>) => plan.account),
      ['acme', 'acme-bakery', 'gamma', 'gamma-bakery'],
    );
    const { keys } = await runCliJson(config, 'key', 'list');
    assert.deepEqual(
      keys.map((key: Record<string, string>) => key.account),
      ['gamma', 'acme'],
    );
    for (const [group, head, line] of [
      ['customer', /^ID +SUBDOMAIN +NAME +STATUS +CUSTOMER OF +PLAN /, / active +gamma +Free /],
      ['plan', /^ID +ACCOUNT +NAME /, / gamma +Free /],
      ['key', /^ID +ACCOUNT +NAME /, / gamma +First key /],
    ] as const) {
      const { out } = await runCli(config, group, 'list');
      assert.match(out, head);
      assert.match(out, line);
      const { out: own } = await runCli(config, group, 'list', '--account', 'gamma');
      assert.doesNotMatch(own, /ACCOUNT|CUSTOMER OF|acme/);
    }
  });

  test('a command refuses the end of a key if two keys end alike', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await runCliJson(config, 'key', 'issue', '--account', 'acme', '--name', 'Second');
    await db.transaction().execute((trx) =>
      trx
        .updateTable('api_keys')
        .set({ last4: 'AbCd' } as object)
        .where('account_id', '=', accountId)
        .execute(),
    );
    const { code, error } = await runCli(config, 'key', 'revoke', 'AbCd', '--account', 'acme');
    assert.equal(code, 1);
    assert.match(error, /^"AbCd" may be key_\d+ or key_\d+\. Give the id\.\n$/);
  });

  test('mail list prints messages, and mail retry sends them again', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const ids = [await makeCustomer(db, accountId, 'bakery'), await makeCustomer(db, accountId, 'florist')];
    await db
      .transaction()
      .execute((trx) =>
        trx
          .updateTable('outbox')
          .set({ status: 'failed', last_error: '550 no such user', attempts: 3 })
          .where('account_id', '=', ids[0]!)
          .execute(),
      );
    const { messages } = await runCliJson(config, 'mail', 'list', '--status', 'failed');
    assert.equal(messages.length, 1);
    assert.deepEqual(messages[0], {
      id: messages[0].id,
      account_id: `account_${ids[0]}`,
      account_subdomain: 'bakery',
      to: 'carl@example.com',
      reply_to: 'olivia@example.com',
      subject: 'Your website Customer bakery is ready',
      status: 'failed',
      attempts: 3,
      created_at: messages[0].created_at,
      due_at: null,
      sent_at: null,
      last_error: '550 no such user',
    });
    const florist = await runCliJson(config, 'mail', 'list', '--account', 'florist', '--limit', '5');
    assert.equal(florist.messages.length, 1);
    assert.match(
      (await runCli(config, 'mail', 'list')).out,
      /^ID +ACCOUNT +TO +SUBJECT.*\nmessage_\d+ +florist +carl@/,
    );

    assert.deepEqual(await runCliJson(config, 'mail', 'retry', messages[0].id), { retried: 1 });
    assert.deepEqual(await runCliJson(config, 'mail', 'retry', '--all-failed'), { retried: 0 });
    assert.deepEqual(await runCliJson(config, 'mail', 'retry'), { retried: 0 });
    assert.equal(
      (await runCli(config, 'mail', 'retry')).out,
      'No messages have failed or are waiting for another attempt.\n',
    );
    assert.deepEqual((await runCliJson(config, 'mail', 'list', '--status', 'failed')).messages, []);
    assert.equal((await runCli(config, 'mail', 'retry', '1', '--all-failed')).code, 2);
    await db.transaction().execute((trx) => trx.updateTable('outbox').set({ status: 'failed' }).execute());
    const all = await runCli(config, 'mail', 'retry');
    assert.deepEqual([all.code, all.out], [0, '2 messages are sent as soon as the service runs.\n']);
    // A message that has backed off for long is retried at once.
    await db.transaction().execute((trx) =>
      trx
        .updateTable('outbox')
        .set({ attempts: 20, due_at: Date.now() + 3_600_000 })
        .where('account_id', '=', ids[0]!)
        .execute(),
    );
    assert.deepEqual(await runCliJson(config, 'mail', 'retry', '--all-failed'), { retried: 0 });
    assert.deepEqual(await runCliJson(config, 'mail', 'retry'), { retried: 1 });
    const due = (await runCliJson(config, 'mail', 'list')).messages.map(
      (message: { due_at: string }) => message.due_at,
    );
    for (const at of due) assert.ok(Date.parse(at) <= Date.now(), at);
    // The clock was a day ahead when the message was queued, and is right again.
    await db.transaction().execute((trx) =>
      trx
        .updateTable('outbox')
        .set({ attempts: 0, due_at: Date.now() + 86_400_000 })
        .execute(),
    );
    assert.deepEqual(await runCliJson(config, 'mail', 'retry'), { retried: 2 });
    assert.deepEqual(await runCliJson(config, 'mail', 'retry'), { retried: 0 });
    // Without a mail server, the worker leaves messages in this state.
    await db
      .transaction()
      .execute((trx) => trx.updateTable('outbox').set({ status: 'kept' }).where('account_id', '=', ids[1]!).execute());
    const kept = await runCliJson(config, 'mail', 'list', '--status', 'kept');
    assert.deepEqual([kept.messages.length, kept.messages[0].status], [1, 'kept']);
    assert.deepEqual((await runCliJson(config, 'mail', 'list', '--status', 'sent')).messages, []);
    assert.deepEqual(await runCliJson(config, 'mail', 'retry', '--all-failed'), { retried: 0 });
    assert.equal((await runCli(config, 'mail', 'retry', '--kept', '--all-failed')).code, 2);
    const without = await runCli(config, 'mail', 'retry', '--kept');
    assert.deepEqual(
      [without.code, without.error],
      [1, 'SMTP_URL is not set: the messages would only be kept again.\n'],
    );
    const retryKept = () => runCliWith({ SMTP_URL: 'smtp://127.0.0.1:1' }, config, 'mail', 'retry', '--kept');
    assert.equal((await retryKept()).out, '1 message is sent as soon as the service runs.\n');
    assert.equal((await retryKept()).out, 'No messages are kept as files.\n');
    assert.deepEqual((await examine(db, noImages)).problems, []);
    const unknown = await runCli(config, 'mail', 'retry', '999999');
    assert.deepEqual([unknown.code, unknown.error], [1, 'The message does not exist.\n']);
  });

  test('every command words an invalid value in the same way', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    for (const [args, message] of [
      [['mail', 'retry', 'x'], 'ID is not the id of a message, like message_7.'],
      [['mail', 'list', '--status', 'lost'], '--status is not one of queued, sent, kept, failed.'],
      [['mail', 'list', '--limit', '0'], '--limit is not a number from 1 to 999999.'],
      [['key', 'issue', '--account', 'acme', '--name', ''], "--name can't be blank."],
      [['key', 'rotate', 'key_1', '--overlap', '91d'], '--overlap must be from 0 to 90 days.'],
      [
        ['plan', 'create', ...'--account acme --name Gold --price 9.00 --interval month --trial-days x'.split(' ')],
        '--trial-days must be a whole number from 0 to 365.',
      ],
      [['plan', 'trial', 'Free', 'x', '--account', 'acme'], 'Trial days must be a whole number from 0 to 365.'],
      [['site', 'change', 'acme', '--accent', 'red'], '--accent is not a colour like #1f5fbf.'],
      [['account', 'subdomain', 'acme', '-'], "Subdomain can't begin or end with a hyphen."],
      [['domain', 'add', 'localhost', '--account', 'acme'], 'Host is not a whole host name like www.example.com.'],
    ] as const) {
      const { code, out, error } = await runCli(config, ...args);
      assert.deepEqual([code, out, error], [2, '', `${message}\n`]);
    }
  });

  test('errors are printed as JSON with --json', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await makeCustomer(db, accountId, 'bakery');
    const price = { name: 'price', message: 'is not an amount between 0.00 and 9999999.99' };
    for (const [args, exitCode, error] of [
      [['account', 'show', 'nobody'], 1, { code: 'not_found', message: 'The account "nobody" does not exist.' }],
      [
        ['account', 'plan', 'acme', '--name', 'Partner', '--price=-1'],
        2,
        { code: 'invalid', message: `--price ${price.message}.`, fields: [price] },
      ],
      [
        ['account', 'subdomain', 'acme', 'bakery'],
        1,
        {
          code: 'conflict',
          message: 'Subdomain has already been taken.',
          fields: [{ name: 'subdomain', message: 'has already been taken' }],
        },
      ],
    ] as const) {
      const result = await runCli(config, ...args, '--json');
      assert.deepEqual([result.code, result.out, JSON.parse(result.error)], [exitCode, '', { error }]);
    }
  });

  test('migrate updates the schema, and other commands ask for it if it is outdated', async (t) => {
    const { db, config } = await open(t);
    assert.deepEqual(await runCliJson(config, 'migrate'), { applied: [] });
    assert.equal((await runCli(config, 'migrate')).out, 'The database is up to date.\n');
    await db.transaction().execute((trx) => trx.deleteFrom('migrations').execute());
    const empty = await runCli(config, 'account', 'list');
    assert.deepEqual([empty.code, empty.error], [1, 'The database is empty. Run setup or migrate first.\n']);
    await db
      .transaction()
      .execute((trx) => trx.insertInto('migrations').values({ name: '999-later', applied_at: 1 }).execute());
    const newer = await runCli(config, 'account', 'list');
    assert.match(newer.error, /^The database was made by a newer version of Freehold \(it has 999-later\)/);
    if (kind === 'sqlite') {
      await rm(join(config.dataDir, 'freehold.db'));
      assert.match(
        (await runCli({ ...config, dataDir: join(config.dataDir, 'new') }, 'migrate')).out,
        /^Applied 001-initial\.\n/,
      );
    }
  });

  test('control characters in names do not reach the terminal', async (t) => {
    const { db, config } = await open(t);
    const subdomain = unique('evil');
    await makeAccount(db, subdomain);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('accounts').set({ name: 'a\u001b[2Jb\u202ec\nd' }).execute());
    const { out } = await runCli(config, 'account', 'list');
    assert.match(out, /a\ufffd\[2Jb\ufffdc\ufffdd/);
    assert.equal((await runCliJson(config, 'account', 'list')).accounts[0].name, 'a\u001b[2Jb\u202ec\nd');
  });

  test('backup, doctor and restore work from the command line', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await makeCustomer(db, accountId, 'bakery');
    const file = join(config.dataDir, 'backup.zst');
    const backup = await runCli(config, 'backup', file);
    assert.deepEqual([backup.code, backup.out], [0, `Backed up 2 accounts and 0 pages to ${file}.\n`]);
    assert.deepEqual(await runCliJson(config, 'doctor'), { ok: true, problems: [], notes: [] });

    const refused = await runCli(config, 'restore', file);
    assert.equal(refused.code, 1);
    assert.match(refused.error, /^The database is not empty\. Use --replace/);
    const restored = await spawnCli(config, 'restore', file, '--replace', '--json');
    assert.equal(restored.code, 0, restored.error);
    assert.equal(JSON.parse(restored.out).rows.accounts, 2);

    await db.transaction().execute((trx) => trx.updateTable('plans').set({ active_customers: 7 }).execute());
    const sick = await runCli(config, 'doctor');
    assert.equal(sick.code, 1);
    assert.match(sick.out, /^plans: plan_\d+ of account_1: 7 active customers are recorded, but it has 1\.$/m);
    const { ok, problems } = JSON.parse((await runCli(config, 'doctor', '--json')).out);
    assert.equal(ok, false);
    assert.deepEqual(Object.keys(problems[0]), ['check', 'message']);
  });
});

function setup(subdomain: string): string[] {
  return [
    ...['setup', '--account-name', 'Acme Agency', '--subdomain', subdomain],
    ...['--user-name', 'Olivia Owner', '--user-email', 'olivia@example.com'],
  ];
}
