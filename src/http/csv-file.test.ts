import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { csvFile } from './csv-file.ts';
import type { StreamedBody } from './request-context.ts';

test('a CSV download breaks off when its reader loses access', async () => {
  let isAdmitted = true;
  const received: string[] = [];
  const target = new Writable({
    highWaterMark: 1,
    write: (chunk, _, done) => {
      received.push(String(chunk));
      // The client reads so slowly that its access is removed meanwhile.
      if (received.length === 2) isAdmitted = false;
      done();
    },
  });
  async function* lines() {
    for (const line of ['head\n', 'first\n', 'second\n', 'third\n']) yield line;
  }
  const assertAdmitted = async () => {
    if (!isAdmitted) throw new AppError('unauthorized', 'Sign in first.');
  };
  const { body } = csvFile(lines(), { fileName: 'list.csv', headers: [], assertAdmitted });
  await assert.rejects((body as StreamedBody).sendTo(target), { code: 'unauthorized' });
  assert.deepEqual(received, ['head\n', 'first\n']);
});
