import assert from 'node:assert/strict';
import { test } from 'node:test';
import specification from 'commonmark-spec';
import { openDatabase } from '../src/db/database.ts';
import { beforeClosing } from '../test/databases.ts';
import { bodies } from './bodies.ts';
import { openHouse } from './house.ts';
import {
  accountOf,
  beginWriting,
  fillWith,
  html,
  listBodies,
  markdown,
  openAndSave,
  type StoredBody,
} from './writing.ts';

/* Every body goes through the editors of the app in a real browser, on SQLite alone: what is tried here is the browser's. */

test('no byte of a body changes by opening it, or by taking back what was written', async (t) => {
  const house = await openHouse(t, 'sqlite');
  const db = await openDatabase(house.database);
  beforeClosing(t, () => db.destroy());
  const { page, subdomain } = await beginWriting(t, house, { isForeign: true });
  const examples: StoredBody[] = specification.tests.map(({ number, markdown: body }) => ({
    what: `CommonMark ${number}`,
    body,
    format: markdown,
  }));
  const own: StoredBody[] = bodies.flatMap(([what, body]) => [
    { what: `${what} as HTML`, body, format: html },
    { what: `${what} as Markdown`, body, format: markdown },
  ]);
  assert.ok(own.length > 120 && examples.length > 600);
  const accountId = await accountOf(db, subdomain);
  await fillWith(db, accountId, [...examples, ...own]);
  await page.reload();
  await page.getByRole('tree').waitFor();
  const stored = await listBodies(db, accountId);

  await t.test('of every CommonMark example', async (t) => {
    const { editors, problems } = await openAndSave(page, stored.slice(0, examples.length));
    t.diagnostic(JSON.stringify(editors));
    assert.deepEqual(problems, []);
  });
  await t.test('of what people paste and write, with the name changed and published besides', async (t) => {
    const { editors, problems } = await openAndSave(page, stored.slice(examples.length), true);
    t.diagnostic(JSON.stringify(editors));
    assert.deepEqual(problems, []);
  });
  const after = await listBodies(db, accountId);
  for (const [index, { body, what }] of [...examples, ...own].entries()) {
    assert.equal(after[index]!.body, body, what);
    assert.equal(after[index]!.name, index < examples.length ? what : `${what}!`);
  }
  const drafts = await db.selectFrom('drafts').select('page_id').where('account_id', '=', accountId).execute();
  assert.deepEqual(drafts, []);
});
