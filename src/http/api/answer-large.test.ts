import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { keyFinder } from '../../api-keys/find-api-key.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { readConfig } from '../../config.ts';
import { pageId } from '../../pages/page.ts';
import type { RequestContext } from '../request-context.ts';
import { largeApiAnswerer } from './answer-large.ts';

onEachDatabase('large requests to the API, in their thread', (open) => {
  test('a page is not read with a key that was revoked while the request waited', async (t) => {
    const { db } = await open(t);
    const { accountId, userId, key } = await makeAccount(db);
    const path = `/api/pages/${pageId(await makePage(db, accountId, { userId }))}.json`;
    const caller = (await keyFinder(db)(key))!;
    const log = { error: (_: object, message: string) => assert.fail(message) };
    const answer = largeApiAnswerer({ db, config: readConfig({}), log, onMailQueued: () => {} });
    const request = { method: 'GET', headers: {}, rawHeaders: [] } as unknown as IncomingMessage;
    const ctx = { request, path, query: '', ip: '192.0.2.1', caller, extraHeaders: [] } as Partial<RequestContext>;
    const statusOf = async () => (await answer(ctx as RequestContext, undefined)).status;
    assert.equal(await statusOf(), 200);
    await db.transaction().execute((trx) => revokeApiKey(trx, accountId, { keyId: caller.keyId, userId: null }));
    assert.equal(await statusOf(), 401);
  });
});
