import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameInZone, zoneOf } from './zone.ts';

for (const [host, zone, name] of [
  ['example.com', 'example.com', '@'],
  ['www.example.com', 'example.com', 'www'],
  ['a.b.example.com', 'example.com', 'a.b'],
  ['example.co.uk', 'example.co.uk', '@'],
  ['www.example.co.uk', 'example.co.uk', 'www'],
  ['co.uk', 'co.uk', '@'],
  ['www.com.example', 'com.example', 'www'],
] as const) {
  test(`${host} is ${name} in the zone ${zone}`, () => {
    assert.deepEqual([zoneOf(host), nameInZone(host, zoneOf(host))], [zone, name]);
  });
}
