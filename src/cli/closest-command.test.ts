import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closestCommand } from './closest-command.ts';

const names = ['start', 'account', 'account list', 'key', 'plan', 'mail', 'backup', 'restore'];

describe('suggestions for mistyped commands', () => {
  for (const [typed, meant] of [
    ['acount', 'account'],
    ['acuont', 'account'],
    ['accounts', 'account'],
    ['keys', 'key'],
    ['Backup', 'backup'],
    ['account-list', 'account list'],
    ['restroe', 'restore'],
    ['stat', 'start'],
  ] as const) {
    test(`closestCommand suggests "${meant}" for "${typed}"`, () => assert.equal(closestCommand(typed, names), meant));
  }

  for (const typed of ['foo', 'x', '', 'plain text', 'mysql', 'constructor', 'a'.repeat(100_000)]) {
    test(`closestCommand suggests nothing for "${typed.slice(0, 20)}"`, () =>
      assert.equal(closestCommand(typed, names), undefined));
  }
});
