import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorAuditEvents, runCli, runCliJson, runCliWith } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { startDnsServer } from '../../test/dns-server.ts';
import { makeAccount } from '../../test/factories.ts';

onEachDatabase('site and domain commands', (open) => {
  test('site show and site change print and change the look of a site', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const { site } = await runCliJson(config, 'site', 'show', 'acme');
    assert.deepEqual(site, {
      id: `account_${accountId}`,
      subdomain: 'acme',
      url: 'http://acme.localhost:8080',
      domains: [],
      status: 'active',
      theme: 'typographic',
      accent: '#1f5fbf',
      language: 'en',
      changed_at: site.changed_at,
    });
    const changed = await runCli(
      config,
      'site',
      'change',
      'acme',
      '--theme',
      'business',
      '--accent',
      '0A7',
      '--language',
      'DE',
    );
    assert.deepEqual(
      [changed.code, changed.out],
      [0, 'The site of "acme" is now business in #00aa77, its language de.\n'],
    );
    const { out } = await runCli(config, 'site', 'show', 'acme');
    assert.match(
      out,
      /^Site: +Account acme \(account_\d+\)\nAddress: +http:\/\/acme\.localhost:8080\nDomains: +none\n/,
    );
    assert.match(out, /^Theme: +business\nAccent: +#00aa77\nLanguage: +de\nChanged: +\d{4}-/m);

    const wrong = await runCli(config, 'site', 'change', 'acme', '--theme', 'baroque', '--accent', 'red');
    assert.deepEqual(
      [wrong.code, wrong.error],
      [
        2,
        '--theme is not one of typographic, business, portfolio, documentation.\n--accent is not a colour like #1f5fbf.\n',
      ],
    );
    const nothing = await runCli(config, 'site', 'change', 'acme');
    assert.equal(nothing.code, 2);
    assert.match(nothing.error, /^Missing: one of --theme, --accent, --language\./);
    assert.equal((await runCli(config, 'site', 'show', 'nobody')).code, 1);
    assert.deepEqual(await operatorAuditEvents(db), ['settings.changed']);
  });

  test('domain commands add domains with the DNS records to create, list and remove them', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const of = ['--account', 'acme'];
    assert.equal((await runCli(config, 'domain', 'list', ...of)).out, 'The account has no domains.\n');
    const added = await runCli(config, 'domain', 'add', 'https://Bücher.example/shop', ...of);
    assert.equal(added.code, 0, added.error);
    assert.match(added.out, /^Added xn--bcher-kva\.example \(bücher\.example\) to "acme"\.\n/);
    assert.match(added.out, /\nTXT +_website\.xn--bcher-kva\.example +website-verify=[0-9a-f]{32}\n/);
    assert.match(added.out, /\nALIAS +xn--bcher-kva\.example +acme\.localhost\n/);
    const { domain } = await runCliJson(config, 'domain', 'add', 'www.example.com', ...of);
    assert.deepEqual(domain, {
      host: 'www.example.com',
      status: 'added',
      verified_at: null,
      checked_at: null,
      last_error: null,
      created_at: domain.created_at,
      is_app: false,
      records: [
        { type: 'TXT', name: '_website.www.example.com', value: domain.records[0].value },
        { type: 'CNAME', name: 'www.example.com', value: 'acme.localhost' },
      ],
    });
    const { domains } = await runCliJson(config, 'domain', 'list', ...of);
    assert.deepEqual(domains[1], { ...domain, is_primary: false });
    assert.match((await runCli(config, 'domain', 'list', ...of)).out, /\nwww\.example\.com +added +- +- +-\n/);

    const again = await runCli(config, 'domain', 'add', 'WWW.example.com', ...of);
    assert.deepEqual([again.code, again.error], [1, 'Host has already been added.\n']);
    const ours = await runCli(config, 'domain', 'add', 'shop.acme.localhost', ...of);
    assert.deepEqual([ours.code, ours.error], [2, 'Host belongs to this installation.\n']);
    const removed = await runCli(config, 'domain', 'remove', 'bücher.example', ...of);
    assert.deepEqual([removed.code, removed.out], [0, 'Removed xn--bcher-kva.example (bücher.example) from "acme".\n']);
    const gone = await runCli(config, 'domain', 'remove', 'bücher.example', ...of);
    assert.deepEqual([gone.code, gone.error], [1, 'The account has no domain "xn--bcher-kva.example".\n']);
    const events = [
      'domain.added xn--bcher-kva.example',
      'domain.added www.example.com',
      'domain.removed xn--bcher-kva.example',
    ];
    assert.deepEqual(await operatorAuditEvents(db), events);
  });

  test('domain verify asks the servers in DNS_SERVERS', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const dns = await startDnsServer(t);
    const of = ['--account', 'acme'];
    const verify = (...args: string[]) =>
      runCliWith({ DNS_SERVERS: dns.address }, config, 'domain', 'verify', 'www.example.com', ...of, ...args);
    const { domain } = await runCliJson(config, 'domain', 'add', 'www.example.com', ...of);
    const early = await verify();
    assert.deepEqual(
      [early.code, early.out, early.error],
      [
        1,
        'There is no TXT record at _website.www.example.com. There is no CNAME record at www.example.com.\n' +
          'www.example.com is not verified.\n',
        '',
      ],
    );
    dns.set(domain.records[0].name, 'TXT', domain.records[0].value);
    const verified = await verify();
    assert.deepEqual([verified.code, verified.out], [0, 'www.example.com is verified for "acme".\n']);
    const { domains } = await runCliJson(config, 'domain', 'list', ...of);
    assert.deepEqual([domains[0].status, domains[0].is_primary, domains[0].last_error], ['verified', true, null]);
    const { site } = await runCliJson(config, 'site', 'show', 'acme');
    assert.deepEqual([site.url, site.domains], ['http://www.example.com:8080', ['www.example.com']]);

    assert.deepEqual((await operatorAuditEvents(db)).at(-1), 'domain.verified www.example.com');

    dns.set(domain.records[0].name, 'TXT');
    const gone = await verify('--json');
    assert.equal(gone.code, 1);
    const kept = JSON.parse(gone.out).domain;
    assert.equal(kept.status, 'verified');
    assert.match(kept.last_error, /^There is no TXT record/);
    assert.match((await runCli(config, 'domain', 'list', ...of)).out, /www\.example\.com +primary .* There is no TXT/);
  });
});
