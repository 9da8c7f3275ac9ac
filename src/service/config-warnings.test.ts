import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { configWarnings } from './config-warnings.ts';

const warnings = (environment: Record<string, string>) => configWarnings(readConfig(environment));
const proxy = { PUBLIC_URL: 'https://api.example.com', TRUST_PROXY: 'loopback' };

test('settings that give customers addresses of the local machine cause a warning, and no others do', () => {
  assert.deepEqual(warnings({}), []);
  assert.match(warnings(proxy).join(), /^SITES_DOMAIN is localhost:8080/);
  assert.deepEqual(warnings({ ...proxy, SITES_DOMAIN: 'sites.example.com' }), []);
  assert.match(warnings({ SMTP_URL: 'smtp://joe:open-sesame@mail.example.com' }).join(), /^SMTP_URL is set/);
  assert.match(
    warnings({ SMTP_URL: 'smtp://mail.example.com', PUBLIC_URL: 'http://127.0.0.1:8080' }).join(),
    /^SMTP_URL/,
  );
  assert.deepEqual(warnings({ ...proxy, SITES_DOMAIN: 'sites.example.com', SMTP_URL: 'smtp://mail.example.com' }), []);
  assert.doesNotMatch(warnings({ SMTP_URL: 'smtp://joe:open-sesame@mail.example.com' }).join(), /open-sesame/);
});

test('an https PUBLIC_URL without a certificate or proxy causes a warning', () => {
  const https = { PUBLIC_URL: 'https://api.example.com', SITES_DOMAIN: 'sites.example.com' };
  assert.match(warnings(https).join(), /^PUBLIC_URL is https/);
  assert.deepEqual(warnings({ ...https, TRUST_PROXY: '10.0.0.1' }), []);
  assert.deepEqual(warnings({ ...https, TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }), []);
});
