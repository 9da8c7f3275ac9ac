import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryValue, queryValues } from './query.ts';

test('queryValue returns the same values as URLSearchParams', () => {
  const queries = [
    '',
    'a',
    'a=',
    'a=1',
    'a=1&a=2',
    'b&a=1',
    '&&a=1&',
    'aa=1&a=2',
    'a=1=2',
    '=1&a=2',
    '%61=1',
    'b=a=1',
    'a=x+y%20z',
    'a=%',
    'a=%4',
    'a=%zz%41',
    'a=%2541',
    'a=%E4%BD%A0',
    'a=%FF%e4',
    'a=%EF%BB%BFx',
    'a=é',
    'a=\ud800',
    'a;b=1&a=2',
    '%E4%BD%A0=2&a%3D=3',
    'a b=1&a+b=2',
  ];
  for (const query of queries) {
    for (const name of ['a', 'b', 'aa', 'a b', '你', 'a=', 'zz']) {
      assert.equal(queryValue(query, name), new URLSearchParams(query).get(name) ?? undefined, `${name} of ${query}`);
      assert.deepEqual([...queryValues(query, name)], new URLSearchParams(query).getAll(name), `${name} of ${query}`);
    }
  }
});

test('queryValue decodes only values of the requested name', (t) => {
  const decode = t.mock.method(TextDecoder.prototype, 'decode');
  for (const name of ['page%5Bbody%5D', '%61pi_kez', 'api%5Fke', '%zz']) {
    assert.equal(queryValue(`${name}=&`.repeat(1000), 'api_key'), undefined);
  }
  assert.equal(decode.mock.callCount(), 0);
});
