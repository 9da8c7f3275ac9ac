import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiFacts, REQUIRES } from '../../../test/api-facts.ts';
import { readConfig } from '../../config.ts';
import { openApi } from './openapi.ts';

const file = join(import.meta.dirname, '../../../test/released-api.txt');

/** Compares the API with the facts of the last release that programs rely on. `RELEASE=1` writes the file again. */
test('programs that work with the last release still work with this one', () => {
  const document = JSON.parse(JSON.stringify(openApi(readConfig({}))));
  const present = apiFacts(document);
  if (process.env.RELEASE) writeFileSync(file, `${present.join('\n')}\n`);
  const released = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.ok(released.length > 500);
  const promised = new Set(released);
  const kept = new Set(present);
  const operations = new Set(released.filter((fact) => /^[A-Z]+ \S+$/.test(fact)));
  const isNewOperation = (fact: string) => !operations.has(/^\S+ \S+/.exec(fact)![0]);
  const broken = [
    ...released.filter((fact) => !fact.includes(REQUIRES) && !kept.has(fact)).map((fact) => `gone: ${fact}`),
    ...present
      .filter((fact) => fact.includes(REQUIRES) && !promised.has(fact) && !isNewOperation(fact))
      .map((fact) => `new: ${fact}`),
  ];
  assert.deepEqual(broken, []);
});
