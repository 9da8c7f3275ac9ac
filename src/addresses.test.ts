import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteUrl } from './addresses.ts';

test("a site's URL has its primary domain, or else its subdomain, with the installation's scheme and port", () => {
  const subdomain = 'acme';
  const live = { publicUrl: 'https://api.agency.example', sitesDomain: 'sites.agency.example' };
  const local = { publicUrl: 'http://localhost:8080', sitesDomain: 'localhost:8080' };
  assert.equal(siteUrl({ subdomain, primaryHost: null }, live), 'https://acme.sites.agency.example');
  assert.equal(siteUrl({ subdomain, primaryHost: 'www.acme.example' }, live), 'https://www.acme.example');
  assert.equal(siteUrl({ subdomain, primaryHost: null }, local), 'http://acme.localhost:8080');
  assert.equal(siteUrl({ subdomain, primaryHost: 'www.acme.example' }, local), 'http://www.acme.example:8080');
});
