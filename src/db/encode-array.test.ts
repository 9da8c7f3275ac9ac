import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { encodeArray } from './encode-array.ts';

test('PostgreSQL decodes an encoded array to the original values', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const read = async (type: 'bigint' | 'text', values: ReadonlyArray<number | string | null>) => {
    const query = CompiledQuery.raw(`select to_json(cast($1 as ${type}[])) as read`, [encodeArray(type, values)]);
    return (await db.executeQuery<{ read: unknown }>(query)).rows[0]!.read;
  };
  const numbers = [0, 1, -1, null, 2 ** 31, 2 ** 32 + 1, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  assert.deepEqual(await read('bigint', numbers), numbers);
  const texts = ['a', null, 'a', '', '', 'ä', null, '🙂', '"\\', 'NULL', 'ä'.repeat(5000)];
  assert.deepEqual(await read('text', texts), texts);
  assert.deepEqual(await read('text', [null, null]), [null, null]);
});

test('an array with a number that is not whole is refused', () => {
  for (const number of [1.5, Number.NaN]) assert.throws(() => encodeArray('bigint', [number]), RangeError);
});
