import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { configWarnings } from './config-warnings.ts';

const doubts = (environment: Record<string, string>) => configWarnings(readConfig(environment));
const proxy = { PUBLIC_URL: 'https://api.example.com', TRUST_PROXY: 'loopback' };

test('settings that leave customers with addresses of this machine are doubted, and no others', () => {
  assert.deepEqual(doubts({}), []);
  assert.match(doubts(proxy).join(), /^SITES_DOMAIN is localhost:8080/);
  assert.deepEqual(doubts({ ...proxy, SITES_DOMAIN: 'sites.example.com' }), []);
  assert.match(doubts({ SMTP_URL: 'smtp://joe:open-sesame@mail.example.com' }).join(), /^SMTP_URL is set/);
  assert.match(
    doubts({ SMTP_URL: 'smtp://mail.example.com', PUBLIC_URL: 'http://127.0.0.1:8080' }).join(),
    /^SMTP_URL/,
  );
  assert.deepEqual(doubts({ ...proxy, SITES_DOMAIN: 'sites.example.com', SMTP_URL: 'smtp://mail.example.com' }), []);
  assert.doesNotMatch(doubts({ SMTP_URL: 'smtp://joe:open-sesame@mail.example.com' }).join(), /open-sesame/);
});

test('an https address that nobody serves https for is doubted', () => {
  const https = { PUBLIC_URL: 'https://api.example.com', SITES_DOMAIN: 'sites.example.com' };
  assert.match(doubts(https).join(), /^PUBLIC_URL is https/);
  assert.deepEqual(doubts({ ...https, TRUST_PROXY: '10.0.0.1' }), []);
  assert.deepEqual(doubts({ ...https, TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }), []);
});
