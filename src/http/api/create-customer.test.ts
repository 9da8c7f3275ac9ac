import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { onEachDatabase, onSqlite } from '../../../test/databases.ts';
import { addresses, makeAccount, makeCustomer } from '../../../test/factories.ts';
import { openMailbox } from '../../../test/mailbox.ts';
import { bracketed, customerFields, flatten, startService, startWithAccount } from '../../../test/service.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { openTransport } from '../../mail/open-transport.ts';
import { OutboxWorker } from '../../mail/outbox-worker.ts';
import { reserveMail } from '../../users/mail-budget.ts';
import { verifyPassword } from '../../users/password.ts';

const success = [200, { response: true, errors: null }];
const incorrect = [400, { response: false, errors: 'Incorrect parameters.' }];
const failure = (...errors: string[]) => [422, { response: false, errors }];
const taken = failure('Your URL has already been taken');

onEachDatabase('creating a customer', (open) => {
  test('a successful creation is answered with response true and errors null', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const reply = await service.createCustomer(key, {});
    assert.deepEqual(reply.outcome, success);
    assert.equal(reply.text, '{"response":true,"errors":null}');
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'private, no-cache');
  });

  test('a customer is created under the key’s account, on its default plan, with an owner', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await service.createCustomer(key, {
      account_name: '  Acme & Sons ',
      account_subdomain: ' Acme-Sons ',
      user_name: ' Ann <Baker> ',
      user_email: ' Ann@Example.com ',
      user_password: ' spaces are kept ',
    });
    const account = await findAccount(db, 'acme-sons');
    assert.equal(account.parent_id, accountId);
    assert.equal(account.name, 'Acme & Sons');
    const users = await db.selectFrom('users').selectAll().where('account_id', '=', account.id).execute();
    assert.deepEqual(
      users.map(({ name, email, role }) => [name, email, role]),
      [['Ann <Baker>', 'Ann@Example.com', 'owner']],
    );
    assert.match(users[0]!.password_hash!, /^\$argon2id\$/);
    assert.equal(await verifyPassword(users[0]!.password_hash!, ' spaces are kept ', 1), true);
    assert.equal((await service.account(key)).free_customers_count, 1);
  });

  test('a subdomain already in use, in any case, is refused with an array of strings', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const other = await makeAccount(db, 'somebody');
    assert.deepEqual((await service.createCustomer(key, { account_subdomain: 'acme' })).outcome, success);
    for (const subdomain of ['acme', 'ACME', ' Acme ', 'somebody', 'SomeBody']) {
      assert.deepEqual((await service.createCustomer(key, { account_subdomain: subdomain })).outcome, taken, subdomain);
      assert.deepEqual((await service.createCustomer(other.key, { account_subdomain: subdomain })).outcome, taken);
    }
  });

  test('a released subdomain is not given to another account for 90 days', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    const customer = await makeCustomer(db, accountId, 'before');
    await db.transaction().execute((trx) => changeSubdomain(trx, customer, 'after', addresses, operator));
    assert.deepEqual((await service.createCustomer(key, { account_subdomain: 'before' })).outcome, taken);
    await db.transaction().execute((trx) =>
      trx
        .updateTable('released_subdomains')
        .set({ released_at: Date.now() - 90 * 24 * 60 * 60 * 1000 - 1 })
        .execute(),
    );
    assert.deepEqual((await service.createCustomer(key, { account_subdomain: 'before' })).outcome, success);
  });

  test('a taken subdomain is reported together with the other failures', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createCustomer(key, { account_subdomain: 'acme' });
    const reply = await service.createCustomer(key, { account_subdomain: 'acme', user_name: ' ' });
    assert.deepEqual(reply.outcome, failure('Your URL has already been taken', "User name can't be blank"));
  });

  test('one mail address may have users in many accounts, with separate passwords', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    await service.createCustomer(key, { account_subdomain: 'one', user_password: 'first password' });
    const before = await userOf(db, 'one');
    assert.deepEqual(
      (
        await service.createCustomer(key, {
          account_subdomain: 'two',
          user_password: 'second password',
          user_name: 'Ann Other',
        })
      ).outcome,
      success,
    );
    assert.deepEqual(await userOf(db, 'one'), before);
    const second = await userOf(db, 'two');
    assert.equal(second.email, before.email);
    assert.equal(await verifyPassword(second.password_hash!, 'second password', 1), true);
    assert.equal(await verifyPassword(second.password_hash!, 'first password', 1), false);
  });

  test('skip_default_pages=1 creates no default pages, and any other value or none creates them', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const cases: Array<[string | undefined, boolean]> = [
      ['1', false],
      [undefined, true],
      ['0', true],
      ['', true],
      ['true', true],
      ['01', true],
      [' 1', true],
      ['1 ', true],
      ['2', true],
    ];
    for (const [index, [value, expected]] of cases.entries()) {
      const subdomain = `case-${index}`;
      const reply = await service.createCustomer(key, {
        account_subdomain: subdomain,
        ...(value === undefined ? {} : { skip_default_pages: value }),
      });
      assert.deepEqual(reply.outcome, success);
      const { key: customerKey } = await issueKey(db, subdomain);
      const pages = await service.pages(customerKey);
      assert.equal(pages.length > 0, expected, `skip_default_pages=${value}`);
    }
    const { key: customerKey } = await issueKey(db, 'case-1');
    const pages = [...flatten(await service.pages(customerKey))];
    assert.equal(new Set(pages.map(({ created_by }) => created_by)).size, 1);
    assert.equal(pages[0]!.created_by, 'Ann Baker');
    assert.deepEqual(
      pages.map(({ position }) => position),
      pages.map((_, index) => String(index + 1)),
    );
  });

  test('a NUL character is a field error in every field', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const [field, message] of [
      ['account_name', 'Account name contains a NUL character'],
      ['account_subdomain', 'Your URL can only have letters, digits and hyphens'],
      ['user_name', 'User name contains a NUL character'],
      ['user_email', 'User email is not a mail address'],
      ['user_password', 'User password contains a NUL character'],
      ['skip_default_pages', 'Skip default pages contains a NUL character'],
    ] as const) {
      const reply = await service.createCustomer(key, { [field]: '1\0' });
      assert.equal(reply.status, 422, field);
      assert.ok(reply.json.errors.includes(message), `${field}: ${reply.text}`);
    }
    assert.equal((await service.account(key)).free_customers_count, 0);
  });

  test('one mail address may have 50 new customers a day, and more after Retry-After', async (t) => {
    const database = await open(t);
    const { db } = database;
    const agency = await makeAccount(db);
    for (const subdomain of ['one', 'other']) await makeCustomer(db, agency.accountId, subdomain);
    const [one, other] = [await issueKey(db, 'one'), await issueKey(db, 'other')];
    const service = await startService(t, database);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const user_email = 'Ann+shop@example.com';
    const taking = { cause: 'customer', email: user_email, perDay: 50 };
    const create = (key: string, account_subdomain: string, user_email: string, headers = {}) =>
      service.createCustomer(key, { account_subdomain, user_email }, headers);
    // Reserve mail for 48 customers, because creating them would take long to hash their passwords.
    await db.transaction().execute(async (trx) => {
      for (let count = 0; count < 48; count++) await reserveMail(trx, taking);
    });
    assert.equal((await create(one.key, 'first', user_email)).status, 200);
    assert.equal((await create(other.key, 'second', 'ann@EXAMPLE.com')).status, 200);
    const messages = () => db.selectFrom('outbox').selectAll().execute();
    const [queued, summary] = [await messages(), await service.account(one.key)];
    const refused = await create(one.key, 'third', user_email, { 'Idempotency-Key': 'third' });
    assert.deepEqual(refused.outcome, [
      429,
      {
        response: false,
        errors: 'Too many such messages have been sent to this mail address. Try again in 29 minutes.',
      },
    ]);
    assert.equal(refused.headers['retry-after'], '1728');
    assert.equal((await create(other.key, 'third', 'ANN@example.com')).status, 429, 'over all accounts');
    assert.deepEqual([await messages(), await service.account(one.key)], [queued, summary], 'nothing was created');
    assert.equal((await create(one.key, 'fourth', 'bob@example.com')).status, 200, 'other addresses are not affected');
    assert.equal(
      (await create(agency.key, 'fifth', user_email)).status,
      200,
      "customers do not use up the agency's budget",
    );
    t.mock.timers.setTime(Date.now() + 1728 * 1000);
    const again = await create(one.key, 'third', user_email, { 'Idempotency-Key': 'third' });
    assert.deepEqual(again.outcome, [200, { response: true, errors: null }], 'the refusal is not stored as the answer');
  });

  test('each top-level account has its own mail budget for one address', async (t) => {
    const database = await open(t);
    const agencies = [await makeAccount(database.db), await makeAccount(database.db)];
    const service = await startService(t, database, { CUSTOMERS_PER_ADDRESS: '1' });
    for (const [index, { key }] of agencies.entries()) {
      const create = (word: string) => service.createCustomer(key, { account_subdomain: `${word}-${index}` });
      assert.deepEqual([(await create('first')).status, (await create('second')).status], [200, 429]);
    }
  });

  test('CUSTOMERS_PER_ADDRESS limits the new customers of one mail address, and 0 means no limit', async (t) => {
    const database = await open(t);
    const { key } = await makeAccount(database.db);
    for (const [most, statuses] of [
      ['1', [200, 429]],
      ['0', [200, 200]],
    ] as const) {
      const service = await startService(t, database, { CUSTOMERS_PER_ADDRESS: most });
      const create = (word: string) =>
        service.createCustomer(key, { account_subdomain: `${word}-${most}`, user_email: `ann${most}@example.com` });
      assert.deepEqual([(await create('first')).status, (await create('second')).status], statuses);
    }
  });

  test('the new user is sent one mail with login instructions, without the password', async (t) => {
    const database = await open(t);
    const mailbox = await openMailbox(t);
    const { key, accountId } = await makeAccount(database.db);
    await database.db.transaction().execute((trx) => {
      return trx.updateTable('accounts').set({ accent: '#7a1fa2' }).where('id', '=', accountId).execute();
    });
    const addresses = { publicUrl: 'http://service.test', sitesDomain: 'sites.test' };
    const mailFrom = 'no-reply@freehold.test';
    const transport = openTransport({ smtpUrl: mailbox.url, mailFrom, dataDir: '', ...addresses });
    const worker = new OutboxWorker(database.db, transport, pino({ level: 'silent' }));
    worker.start();
    const service = await startService(
      t,
      database,
      { PUBLIC_URL: 'http://service.test', SITES_DOMAIN: 'sites.test', MAIL_FROM: 'no-reply@freehold.test' },
      () => worker.nudge(),
    );
    const password = 'never <in> a mail & 1';
    await service.createCustomer(key, { user_password: 'short', user_email: 'refused@example.com' });
    await service.createCustomer(key, { user_password: password, user_email: 'ann@example.com' });
    const [message] = await mailbox.received(1);
    await worker.stop();
    await transport.close();

    assert.equal(mailbox.messages.length, 1);
    assert.deepEqual(message!.to, ['ann@example.com']);
    const { subject, text, html, replyTo } = message!.email;
    assert.deepEqual(replyTo, [{ name: '', address: 'olivia@example.com' }], "the agency's owner");
    assert.match(html!, /background:#7a1fa2;color:#ffffff/, "the agency's colour");
    assert.match(subject!, /Acme Bakery/);
    assert.match(text!, /Ann Baker/);
    assert.match(text!, /http:\/\/service\.test\/sign-in\?account=acme-bakery/);
    assert.match(text!, /http:\/\/acme-bakery\.sites\.test/);
    const link = /http:\/\/service\.test\/reset-password#token=([\w-]{43})\n/.exec(text!);
    assert.ok(html!.includes(`href="${link![0].trim()}"`));
    for (const part of [message!.raw, text!, html!]) {
      assert.ok(!part.includes(password));
      assert.ok(!part.includes('never &lt;in&gt;'));
    }
    const rows = await database.db.selectFrom('outbox').select(['to_email', 'status', 'secret']).execute();
    assert.deepEqual(
      rows.map(({ to_email, status, secret }) => [to_email, status, secret]),
      [['ann@example.com', 'sent', null]],
    );
  });

  test('a customer is created with its user, pages and mail, or not at all', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const count = async () => {
      const tables = ['accounts', 'users', 'pages', 'plans', 'outbox', 'plan_changes'] as const;
      return Promise.all(tables.map(async (table) => (await db.selectFrom(table).select('id').execute()).length));
    };
    const before = await count();
    await service.createCustomer(key, { account_subdomain: 'www' });
    await service.createCustomer(key, { user_password: 'short' });
    assert.deepEqual(await count(), before);
    await service.createCustomer(key, { skip_default_pages: '1' });
    assert.deepEqual(
      await count(),
      before.map((number, index) => number + (index === 2 ? 0 : 1)),
    );
  });

  test('concurrent creations of customers and pages through two processes all succeed and are counted', async (t) => {
    const { service, key, database } = await startWithAccount(t, open);
    const db = await openDatabase(database.config);
    const second = await startService(t, { ...database, db });
    const replies = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const one = index % 2 ? service : second;
        const customer = { account_subdomain: `c-${index >> 1}`, skip_default_pages: String(index % 3) };
        const [first, then] = [
          await one.createCustomer(key, customer),
          await one.createPage(key, { name: `P ${index}` }),
        ];
        return [first.status, then.status];
      }),
    );
    // Each subdomain was requested from both processes.
    assert.equal(replies.filter(([status]) => status === 200).length, 12);
    assert.ok(replies.every(([customer, page]) => [200, 422].includes(customer!) && page === 200));
    for (const one of [service, second]) {
      assert.equal((await one.account(key)).free_customers_count, 12);
      const pages = await one.pages(key);
      assert.deepEqual(
        pages.map(({ position }) => position),
        Array.from({ length: 24 }, (_, index) => String(index + 1)),
      );
    }
    assert.equal((await db.selectFrom('outbox').select('id').execute()).length, 12);
    await second.stop();
    await db.destroy();
  });

  test('exactly one of 50 concurrent creations of one subdomain succeeds', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.createCustomer(key, { account_subdomain: index % 2 ? 'acme' : 'ACME' }),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const reply of replies) assert.deepEqual(reply.outcome, reply.status === 200 ? success : taken);
    assert.equal((await service.account(key)).free_customers_count, 1);
    assert.equal((await db.selectFrom('outbox').select('id').execute()).length, 1);
  });
});

onSqlite('validation of a new customer', (open) => {
  test('a subdomain must be 1 to 63 letters, digits and hyphens, with no hyphen first or last', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const right of ['a', '7', 'a--b', 'A-1', 'x'.repeat(63)]) {
      assert.deepEqual((await service.createCustomer(key, { account_subdomain: right })).outcome, success, right);
    }
    const wrong: Array<[string, string]> = [
      ['', "can't be blank"],
      ['  ', "can't be blank"],
      ['x'.repeat(64), 'is too long (maximum is 63 characters)'],
      ['-a', "can't begin or end with a hyphen"],
      ['a-', "can't begin or end with a hyphen"],
      ['-', "can't begin or end with a hyphen"],
      ...['a b', 'a.b', 'a_b', 'bäcker', 'a\0b', 'a\nb', 'ａ', '日本', '<b>', 'a/b'].map((bad): [string, string] => [
        bad,
        'can only have letters, digits and hyphens',
      ]),
    ];
    for (const [subdomain, message] of wrong) {
      const reply = await service.createCustomer(key, { account_subdomain: subdomain });
      assert.deepEqual(reply.outcome, failure(`Your URL ${message}`), JSON.stringify(subdomain));
    }
  });

  test('reserved subdomains and xn-- forms are refused', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const name of [
      'www',
      'api',
      'admin',
      'mail',
      'smtp',
      'ns1',
      'autodiscover',
      'wpad',
      'WWW',
      'xn--bcker-gra',
      'XN--A',
      'login',
      'support',
      'billing',
      'postmaster',
      ...['mx1', 'ns6', 'mail1', 'smtp1', 'imap2', 'pop3', 'dns1', 'ftp12', 'www2', 'www007'],
    ]) {
      const reply = await service.createCustomer(key, { account_subdomain: name });
      assert.deepEqual(reply.outcome, failure('Your URL is reserved'), name);
    }
    const everyday =
      'test shop blog news store team media partner services site my wiki sales info www-2 mailbox 1mail';
    for (const name of everyday.split(' ')) {
      assert.deepEqual((await service.createCustomer(key, { account_subdomain: name })).outcome, success, name);
    }
  });

  test('missing, blank and invalid fields are all reported together', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const everything = failure(
      "Account name can't be blank",
      "Your URL can't be blank",
      "User name can't be blank",
      "User email can't be blank",
      "User password can't be blank",
      "User password confirmation can't be blank",
    );
    const missing = await service.post('/api/customers.json', key, { 'customer[skip_default_pages]': '1' });
    assert.deepEqual(missing.outcome, everything);
    const blank = Object.fromEntries(Object.keys(customerFields()).map((name) => [name, '']));
    assert.deepEqual((await service.createCustomer(key, blank)).outcome, everything);
    const wrong = await service.createCustomer(key, {
      account_name: 'n'.repeat(256),
      account_subdomain: 'www',
      user_name: 'a\0b',
      user_email: 'nobody',
      user_password: 'short',
      user_password_confirmation: 'other',
    });
    assert.deepEqual(
      wrong.outcome,
      failure(
        'Account name is too long (maximum is 255 characters)',
        'Your URL is reserved',
        'User name contains a NUL character',
        'User email is not a mail address',
        'User password is too short (minimum is 8 characters)',
        "User password confirmation doesn't match",
      ),
    );
    assert.equal((await service.account(key)).free_customers_count, 0);
  });

  test('the password confirmation must be exactly equal to the password', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const mismatch = failure("User password confirmation doesn't match");
    for (const confirmation of ['', 'Pässword-1', 'pässword-1 ', ' pässword-1', 'pa\u0308ssword-1']) {
      const reply = await service.createCustomer(key, {
        user_password: 'pässword-1',
        user_password_confirmation: confirmation,
      });
      assert.deepEqual(reply.outcome, mismatch, JSON.stringify(confirmation));
    }
  });

  test('a password must have at least 8 characters of any Unicode, and at most 1,024 bytes', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const create = (password: string) =>
      service.createCustomer(key, { account_subdomain: `s${[...password].length}`, user_password: password });
    assert.deepEqual(
      (await create('1234567')).outcome,
      failure('User password is too short (minimum is 8 characters)'),
    );
    assert.deepEqual(
      (await create('😀'.repeat(7))).outcome,
      failure('User password is too short (minimum is 8 characters)'),
    );
    assert.deepEqual(
      (await create('x'.repeat(1025))).outcome,
      failure('User password is too long (maximum is 1024 bytes)'),
    );
    assert.deepEqual(
      (await create('😀'.repeat(257))).outcome,
      failure('User password is too long (maximum is 1024 bytes)'),
    );
    assert.deepEqual((await create('1234\u00005678')).outcome, failure('User password contains a NUL character'));
    for (const password of ['😀'.repeat(8), '+%20&=;\r\n\t', 'x'.repeat(1024), '\u202eпароль12', 'password1234']) {
      assert.deepEqual((await create(password)).outcome, success, password);
      const { password_hash } = await userOf(db, `s${[...password].length}`);
      assert.equal(await verifyPassword(password_hash!, password, 1), true);
    }
  });

  test('malformed and ambiguous mail addresses are refused', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const wrong = [
      'ann',
      '@example.com',
      'ann@',
      'ann@@example.com',
      'a b@example.com',
      'ann@exa mple.com',
      'ann@example.com,eve@example.com',
      'ann@example.com\r\nBcc: eve@example.com',
      'Ann <ann@example.com>',
      'ann@example..com',
      'ann@-example.com',
      'ann@example.com\0',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(260)}.com`,
    ];
    for (const address of wrong) {
      const reply = await service.createCustomer(key, { user_email: address });
      assert.deepEqual(reply.outcome, failure('User email is not a mail address'), JSON.stringify(address));
    }
    const right = ["o'neil+tag@mail.example.co.uk", 'jürgen@bäcker.example', 'a@localhost', 'A.B-c_d@xn--bcker-gra.de'];
    for (const [index, address] of right.entries()) {
      const reply = await service.createCustomer(key, { account_subdomain: `right-${index}`, user_email: address });
      assert.deepEqual(reply.outcome, success, address);
    }
  });

  test('skip_default_pages may be the JSON number 1, and other numbers and booleans are incorrect parameters', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const send = (fields: object) =>
      service.request('POST', `/api/customers.json?api_key=${key}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ customer: { ...customerFields(), ...fields } }),
      });
    for (const fields of [
      { skip_default_pages: true },
      { skip_default_pages: 0 },
      { skip_default_pages: 2 },
      { account_name: 5 },
      { account_name: true },
      { user_password: 12345678, user_password_confirmation: 12345678 },
      { user_email: ['ann@example.com'] },
      { account_subdomain: { a: 'b' } },
    ]) {
      assert.deepEqual((await send(fields)).outcome, incorrect, JSON.stringify(fields));
    }
    assert.deepEqual((await send({ skip_default_pages: 1 })).outcome, success);
    const { key: customerKey } = await issueKey(db, 'acme-bakery');
    assert.deepEqual(await service.pages(customerKey), []);
  });

  test('incorrectly formatted parameters are answered with a string instead of an array', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const path = '/api/customers.json';
    assert.deepEqual((await service.post(path, key, {})).outcome, incorrect);
    assert.deepEqual((await service.post(path, key, { customer: 'Acme' })).outcome, incorrect);
    assert.deepEqual((await service.post(path, key, customerFields())).outcome, incorrect);
    assert.deepEqual((await service.post(path, key, bracketed('page', customerFields()))).outcome, incorrect);
  });
});

function findAccount(db: Db, subdomain: string) {
  return db.selectFrom('accounts').selectAll().where('subdomain', '=', subdomain).executeTakeFirstOrThrow();
}

async function userOf(db: Db, subdomain: string) {
  const { id } = await findAccount(db, subdomain);
  return db.selectFrom('users').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
}

/** Issues a key for the customer with the subdomain, as the operator would. */
async function issueKey(db: Db, subdomain: string) {
  const { account_id, id } = await userOf(db, subdomain);
  return db.transaction().execute((trx) => issueApiKey(trx, account_id, { userId: id, name: 'Test', expiresAt: null }));
}
