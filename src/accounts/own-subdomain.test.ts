import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCliWith } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { startService } from '../../test/service.ts';
import { readConfig } from '../config.ts';
import { firstStart } from '../service/first-start.ts';
import { listAccounts } from './list-accounts.ts';
import { ownSubdomain } from './subdomain.ts';

test('the service’s own subdomain is the part of its host before the domain of all sites', () => {
  const own = (publicUrl: string, sitesDomain: string) => ownSubdomain({ publicUrl, sitesDomain });
  assert.equal(own('https://office.example.com', 'example.com'), 'office');
  assert.equal(own('https://Office.Example.com.:8443', 'example.com:8080'), 'office');
  assert.equal(own('https://a.office.example.com', 'example.com'), undefined);
  assert.equal(own('https://example.com', 'example.com'), undefined);
  assert.equal(own('https://office.example.com', 'sites.example.com'), undefined);
  assert.equal(own('https://notexample.com', 'example.com'), undefined);
  assert.equal(own('http://localhost:8080', 'localhost:8080'), undefined);
});

onEachDatabase('the service’s own subdomain', (open) => {
  const here = { PUBLIC_URL: 'http://office.example.com', SITES_DOMAIN: 'example.com' };

  test('no account can have the subdomain of the service’s own host', async (t) => {
    const database = await open(t);
    const { key } = await makeAccount(database.db, 'acme');
    const service = await startService(t, database, here);
    const reply = await service.createCustomer(key, { account_subdomain: 'Office' });
    assert.deepEqual(reply.outcome, [422, { response: false, errors: ['Your URL is reserved'] }]);
    assert.equal((await service.createCustomer(key, { account_subdomain: 'offices' })).status, 200);

    const cli = (...args: string[]) => runCliWith(here, database.config, ...args);
    const moved = await cli('account', 'subdomain', 'acme', 'office');
    assert.deepEqual([moved.code, moved.error], [2, 'Subdomain is reserved.\n']);
    const owner = ['--user-name', 'O', '--user-email', 'o@example.com'];
    const set = await cli('setup', '--account-name', 'O', '--subdomain', 'office', ...owner);
    assert.deepEqual([set.code, set.error], [2, '--subdomain is reserved.\n']);
  });

  test('an account that already has the service’s own subdomain is reported by doctor', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'office');
    const { code, out } = await runCliWith(here, config, 'doctor');
    assert.equal(code, 0);
    assert.match(out, /names: account_1: its subdomain is the host of PUBLIC_URL, so its site cannot be seen/);
    assert.doesNotMatch((await runCliWith({}, config, 'doctor')).out, /names/);
  });

  test('the account of the first start gets another subdomain than the service’s own', async (t) => {
    const { db, config } = await open(t);
    const settings = readConfig({ DATA_DIR: config.dataDir, ...here, PUBLIC_URL: 'http://agency.example.com' });
    let text = '';
    await firstStart(db, settings, (shown) => {
      text += shown;
    });
    assert.match(text, /user sign-in-link --account my-agency\n/);
    await firstStart(db, settings, () => assert.fail('a second start must create no account'));
  });

  test('a first start that cannot show the key creates no account', async (t) => {
    const { db, config } = await open(t);
    const settings = readConfig({ DATA_DIR: config.dataDir, ...here });
    const gone = () => {
      throw new Error('nobody reads it');
    };
    await assert.rejects(firstStart(db, settings, gone), /nobody reads it/);
    assert.deepEqual(await listAccounts(db, { all: true, after: 0, limit: 10 }), []);
  });
});
