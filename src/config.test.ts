import assert from 'node:assert/strict';
import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configTable, readConfig } from './config.ts';
import { AppError } from './errors.ts';

test('the default configuration works on one machine', () => {
  const config = readConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.dataDir, './data');
  assert.equal(config.databaseUrl, '');
  assert.equal(config.publicUrl, 'http://localhost:8080');
  assert.equal(config.sitesDomain, 'localhost:8080');
  assert.equal(config.mailFrom, 'no-reply@localhost');
  assert.equal(config.trustProxy, undefined);
  assert.ok(Object.isFrozen(config));
});

test('an empty variable counts as unset, and white space around a value is ignored', () => {
  assert.deepEqual(readConfig({ PORT: '', SMTP_URL: '  ', WORKERS: ' ' }), readConfig({}));
  assert.equal(readConfig({ PORT: ' 9000 ' }).port, 9000);
});

test('defaults depend on the options that are set', () => {
  assert.equal(readConfig({ PORT: '9000' }).publicUrl, 'http://localhost:9000');
  assert.equal(readConfig({ PORT: '9000' }).sitesDomain, 'localhost:9000');
  assert.equal(readConfig({ TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }).publicUrl, 'https://localhost:8080');
  assert.equal(readConfig({ PUBLIC_URL: 'https://api.example.com' }).mailFrom, 'no-reply@api.example.com');
});

test('a public address loses its trailing slashes, and a domain its capitals', () => {
  assert.equal(readConfig({ PUBLIC_URL: 'https://example.com/freehold//' }).publicUrl, 'https://example.com/freehold');
  assert.equal(readConfig({ SITES_DOMAIN: 'Sites.Example.COM:8443' }).sitesDomain, 'sites.example.com:8443');
});

test('TRUST_PROXY accepts addresses, networks and "loopback"', () => {
  const list = readConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::/32 ,192.0.2.7' }).trustProxy!;
  for (const address of ['127.0.0.1', '127.8.8.8', '10.1.2.3', '192.0.2.7']) assert.ok(list.check(address), address);
  for (const address of ['::1', '2001:db8::5']) assert.ok(list.check(address, 'ipv6'), address);
  assert.ok(!list.check('192.0.2.8'));
  assert.ok(!list.check('2001:db9::5', 'ipv6'));
});

test('DNS_SERVERS accepts IP addresses with optional ports', () => {
  assert.deepEqual(readConfig({}).dnsServers, []);
  const servers = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:5353'];
  assert.deepEqual(readConfig({ DNS_SERVERS: servers.join(' , ') }).dnsServers, servers);
  new Resolver().setServers(servers);
});

test('SITES_ADDRESSES are normalized to the form of DNS answers', () => {
  assert.deepEqual(readConfig({}).sitesAddresses, []);
  const { sitesAddresses } = readConfig({ SITES_ADDRESSES: '192.0.2.1 , 2001:DB8:0:0::1' });
  assert.deepEqual(sitesAddresses, ['192.0.2.1', '2001:db8::1']);
});

test('collector headers are percent-encoded, and an error in them repeats no value', () => {
  assert.deepEqual(readConfig({}).otlpHeaders, {});
  const { otlpHeaders } = readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b%3D, x-other = c=d' });
  assert.deepEqual(otlpHeaders, { 'api-key': 'a b=', 'x-other': 'c=d' });
  for (const value of ['secret', 'a=secret%', 'a=secret%0D%0Ab: c', 'a b=secret', 'a=secret,']) {
    assert.throws(
      () => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: value }),
      (error: AppError) =>
        /OTEL_EXPORTER_OTLP_HEADERS must be/.test(error.message) && !error.message.includes('secret'),
      value,
    );
  }
});

test("a collector's address loses its trailing slashes, and must not contain a key", () => {
  assert.equal(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318/otlp/' }).otlpEndpoint, 'http://a:4318/otlp');
  for (const value of ['a:4318', 'grpc://a:4317', 'http://u:secret@a', 'http://a?key=secret']) {
    assert.throws(
      () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: value }),
      (error: AppError) =>
        /OTEL_EXPORTER_OTLP_ENDPOINT must be/.test(error.message) && !error.message.includes('secret'),
      value,
    );
  }
});

test("OTEL_TRACES_SAMPLER accepts OpenTelemetry's names, and its argument a ratio from 0 to 1", () => {
  assert.equal(readConfig({ OTEL_TRACES_SAMPLER: 'traceidratio' }).tracesSampler, 'traceidratio');
  assert.equal(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.25' }).tracesSamplerArg, 0.25);
  assert.throws(() => readConfig({ OTEL_TRACES_SAMPLER: 'some' }), /OTEL_TRACES_SAMPLER must be one of/);
  for (const value of ['1.1', '-0.1', 'half', '1e-3', '.']) {
    assert.throws(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: value }), /OTEL_TRACES_SAMPLER_ARG must be/, value);
  }
});

test('MAIL_FROM accepts a name before the address, and ignores it', () => {
  for (const value of [
    'Freehold <no-reply@example.com>',
    '"Free, hold" <no-reply@example.com>',
    '<no-reply@example.com>',
  ]) {
    assert.equal(readConfig({ MAIL_FROM: value }).mailFrom, 'no-reply@example.com');
  }
});

test("DATABASE_URL may name PostgreSQL's socket", () => {
  for (const value of [
    'postgres:///freehold?host=/run/postgresql',
    'postgres://joe@/freehold?host=/run/postgresql',
    'postgresql://joe:secret@%2Frun%2Fpostgresql/freehold',
  ]) {
    assert.equal(readConfig({ DATABASE_URL: value }).databaseUrl, value);
  }
});

test('TRUST_PROXY=true is refused with the values to use instead', () => {
  for (const value of ['true', '1', 'yes', 'TRUE', '2']) {
    const [line] = mistakes({ TRUST_PROXY: value });
    assert.match(line!, /^TRUST_PROXY must be .*"loopback" for a proxy on this machine, or an IP address, not ".*"\.$/);
  }
});

const wrong: Array<[name: string, value: string]> = [
  ['PORT', '65536'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '8080.0'],
  ['DATABASE_URL', 'mysql://host/name'],
  ['DATABASE_URL', 'freehold.db'],
  ['DATABASE_POOL', '1'],
  ['PUBLIC_URL', 'example.com'],
  ['PUBLIC_URL', 'ftp://example.com'],
  ['PUBLIC_URL', 'https://example.com/?a=b'],
  ['PUBLIC_URL', 'https://example.com?'],
  ['PUBLIC_URL', 'https://example.com/#top'],
  ['PUBLIC_URL', 'https://joe:secret@example.com'],
  ['SITES_DOMAIN', 'https://example.com'],
  ['SITES_DOMAIN', '-a.example.com'],
  ['SITES_DOMAIN', 'example.com/'],
  ['SITES_DOMAIN', 'example.com:65536'],
  ['SMTP_URL', 'mail.example.com:587'],
  ['SMTP_URL', 'http://mail.example.com'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp:mail.example.com'],
  ['SMTP_URL', 'smtp:///'],
  ['MAIL_FROM', 'nobody'],
  ['SITES_ADDRESSES', 'sites.example.com'],
  ['SITES_ADDRESSES', '192.0.2.1,,192.0.2.2'],
  ['SITES_ADDRESSES', '192.0.2.1:80'],
  ['DNS_SERVERS', 'dns.example.com'],
  ['DNS_SERVERS', '192.0.2.1:0'],
  ['DNS_SERVERS', '192.0.2.1:65536'],
  ['DNS_SERVERS', '192.0.2.1,,192.0.2.2'],
  ['DNS_SERVERS', '2001:db8::1]:53x'],
  ['MAIL_FROM', 'Freehold <nobody>'],
  ['MAIL_FROM', 'a@example.com, <b@example.com>, <c@example.com>'],
  ['TRUST_PROXY', 'proxy.example.com'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/8,,'],
  ['LOG_LEVEL', 'verbose'],
  ['MEDIA_QUOTA', '-1'],
  ['PAGE_QUOTA', '-1'],
  ['MEDIA_S3_URL', 's3://bucket'],
  ['MEDIA_S3_URL', 'https://key:secret@s3.example.com/bucket'],
  ['MEDIA_S3_URL', 'https://s3.example.com/bucket/folder'],
  ['MEDIA_S3_URL', 'https://s3.example.com/bucket?region=x'],
  ['WORKERS', '0'],
  ['WORKERS', '257'],
  ['RATE_LIMIT', 'none'],
  ['CUSTOMERS_PER_ADDRESS', 'many'],
  ['FAILED_KEY_LIMIT', '1e3'],
  ['METRICS_PORT', 'no'],
  ['MAX_URL_BYTES', '1048575'],
  ['MAX_BODY_BYTES', '1000'],
  ['CACHE_BYTES', '-1'],
  ['REQUEST_TIMEOUT', '0'],
  ['STOP_TIMEOUT', '3600001'],
];

for (const [name, value] of wrong) {
  test(`${name}=${value} is refused with one sentence that says what it must be`, () => {
    const lines = mistakes({ [name]: value });
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, new RegExp(`^${name} must be .*\\.$`));
  });
}

test('all invalid values are reported together, in the order of the table', () => {
  const lines = mistakes({ WORKERS: '0', PORT: 'x', LOG_LEVEL: 'loud', TLS_CERT: 'cert.pem' });
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['PORT', 'LOG_LEVEL', 'WORKERS', 'TLS_CERT'],
  );
});

test('options that require or exclude each other are reported', () => {
  const replica = { DATABASE_REPLICA_URL: 'postgres://db2.example.com/freehold' };
  assert.deepEqual(mistakes(replica), ['DATABASE_REPLICA_URL needs DATABASE_URL.']);
  assert.deepEqual(mistakes({ ...replica, DATABASE_URL: 'postgres://db1.example.com/freehold' }), []);
  assert.deepEqual(mistakes({ TLS_KEY: 'key.pem' }), ['TLS_CERT and TLS_KEY must be set together.']);
  const together = 'MEDIA_S3_URL, MEDIA_S3_KEY and MEDIA_S3_SECRET must be set together.';
  assert.deepEqual(mistakes({ MEDIA_S3_URL: 'https://s3.example.com/bucket', MEDIA_S3_KEY: 'key' }), [together]);
  assert.deepEqual(mistakes({ METRICS_PORT: '8080' }), ['METRICS_PORT must differ from PORT.']);
  assert.deepEqual(mistakes({ METRICS_PORT: '9', PORT: '9' }), ['METRICS_PORT must differ from PORT.']);
});

test('an error never repeats an address, which may contain a password', () => {
  const secret = 'open-sesame';
  const lines = mistakes({
    DATABASE_URL: `mysql://joe:${secret}@db.example.com/freehold`,
    SMTP_URL: `http://joe:${secret}@mail.example.com`,
    PUBLIC_URL: `ftp://joe:${secret}@example.com`,
    MEDIA_S3_URL: `https://joe:${secret}@s3.example.com/bucket`,
  });
  assert.equal(lines.length, 4);
  assert.doesNotMatch(lines.join('\n'), new RegExp(secret));
});

test("docs/configuration.md has this version's table of options", () => {
  const text = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  assert.ok(text.includes(`\n\n${configTable()}\n\n`), `docs/configuration.md must have this table:\n${configTable()}`);
});

function mistakes(values: Record<string, string>): string[] {
  try {
    readConfig(values);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'invalid');
    return error.message.split('\n');
  }
  return [];
}
