import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../errors.ts';
import { changeEach } from './change-each.ts';

const outage = new Error('The connection is lost');

async function change(ids: readonly number[]) {
  const failures: unknown[] = [];
  const make = async (id: number) => {
    if (id === 404) throw notFound('The page');
    if (id === 500) throw outage;
    return { id };
  };
  const options = { max: 10, idOf: (id: number) => id, make, onFailure: (error: unknown) => void failures.push(error) };
  return { results: await changeEach(ids, options), failures };
}

test('an unexpected error ends changes in a row, is reported, and the changes before it are returned', async () => {
  const { results, failures } = await change([1, 404, 500, 2]);
  assert.deepEqual(results, [{ id: 1 }, { id: 404, code: 'not_found', why: null }]);
  assert.deepEqual(failures, [outage]);
});

test('an unexpected error of the first change fails the whole request', async () => {
  await assert.rejects(change([500, 1]), outage);
});
