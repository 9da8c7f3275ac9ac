import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  accountOf,
  beginWriting,
  fillWith,
  listBodies,
  openAndSave,
  type StoredBody,
  startAppWithDatabase,
} from './writing.ts';

interface Part {
  readonly what: string;
  readonly bodies: readonly StoredBody[];
  /** True if each page is also renamed and published. */
  readonly rename: boolean;
}

/** Has every eighth body renamed and published as well, which doubles the time for a page and sends no body. */
export function openedAndPublished(bodies: readonly StoredBody[]): Part[] {
  const [opened, published] = [[] as StoredBody[], [] as StoredBody[]];
  for (const [index, body] of bodies.entries()) (index % 8 === 0 ? published : opened).push(body);
  return [
    { what: 'bodies that people paste and write stay as they are', bodies: opened, rename: false },
    { what: 'so do bodies of pages that get another name and are published', bodies: published, rename: true },
  ];
}

/** Checks that no body changes when it is opened in the app in a real browser, and when an edit is undone. */
export async function keepBodies(t: TestContext, parts: readonly Part[]): Promise<void> {
  const { app, db } = await startAppWithDatabase(t, []);
  const { page, subdomain } = await beginWriting(t, app, {
    isForeign: true,
    viewport: { width: 800, height: 400 },
  });
  const accountId = await accountOf(db, subdomain);
  const all = parts.flatMap(({ bodies, rename }) => bodies.map((one) => ({ ...one, rename })));
  await fillWith(db, accountId, all);
  await page.reload();
  await page.getByRole('tree').waitFor();
  const left = await listBodies(db, accountId);

  for (const { what, bodies, rename } of parts) {
    await t.test(what, async (t) => {
      const { editors, problems } = await openAndSave(page, left.splice(0, bodies.length), rename);
      t.diagnostic(JSON.stringify(editors));
      assert.deepEqual(problems, []);
    });
  }
  const after = await listBodies(db, accountId);
  for (const [index, { body, what, rename }] of all.entries()) {
    assert.equal(after[index]!.body, body, what);
    assert.equal(after[index]!.name, rename ? `${what}!` : what);
  }
  const drafts = await db.selectFrom('drafts').select('page_id').where('account_id', '=', accountId).execute();
  assert.deepEqual(drafts, []);
}
