import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { zip } from '../../../test/zip.ts';
import { keyFinder } from '../../api-keys/find-api-key.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { readConfig } from '../../config.ts';
import { formatPageId } from '../../pages/page.ts';
import type { RequestContext } from '../request-context.ts';
import { largeApiAnswerer } from './answer-large.ts';

onEachDatabase('large requests to the API in their thread', (open) => {
  test('a page is not read with a key that was revoked while the request was queued', async (t) => {
    const { db, accountId, userId, revoke, statusOf } = await start(t, open);
    const path = `/api/pages/${formatPageId(await makePage(db, accountId, { userId }))}.json`;
    assert.equal(await statusOf({ method: 'GET', path }), 200);
    await revoke();
    assert.equal(await statusOf({ method: 'GET', path }), 401);
  });

  for (const [what, type, body] of [
    ['a page tree', 'application/json', Buffer.from('{"pages":[{"name":"News"}]}')],
    ['an archive', 'application/zip', zip([{ name: 'news.md', content: '# News' }])],
  ] as const) {
    test(`a dry run of importing ${what} is refused if the key was revoked while it was sent`, async (t) => {
      const { revoke, statusOf } = await start(t, open);
      const request = { method: 'POST', path: '/api/pages/import.json', query: 'import[dry_run]=1', type, body };
      assert.equal(await statusOf(request), 200);
      await revoke();
      assert.equal(await statusOf(request), 401);
    });
  }
});

interface LargeRequest {
  method: string;
  path: string;
  query?: string;
  type?: string;
  body?: Buffer;
}

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const { db } = await open(t);
  const { accountId, userId, key } = await makeAccount(db);
  const keyOwner = (await keyFinder(db)(key))!;
  const log = { error: (_: object, message: string) => assert.fail(message) };
  const answer = largeApiAnswerer({ db, config: readConfig({}), log, onMailQueued: () => {} });
  const statusOf = async ({ method, path, query = '', type, body }: LargeRequest) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const request = { method, headers, rawHeaders: [] } as unknown as IncomingMessage;
    const ctx = { request, path, query, ip: '192.0.2.1', keyOwner, extraHeaders: [] } as Partial<RequestContext>;
    return (await answer(ctx as RequestContext, body)).status;
  };
  const revoke = () =>
    db.transaction().execute((trx) => revokeApiKey(trx, accountId, { keyId: keyOwner.keyId, userId: null }));
  return { db, accountId, userId, statusOf, revoke };
}
