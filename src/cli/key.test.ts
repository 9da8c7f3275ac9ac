import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { overlapping } from '../../test/overlap.ts';
import { makeUser } from '../../test/person.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { revokeKeysOfUser } from '../api-keys/revoke-keys-of-user.ts';
import type { Trx } from '../db/database.ts';
import { removeUser } from '../users/remove-user.ts';

onEachDatabase('key commands', (open) => {
  const commands = {
    'key issue fails for': () => ['issue', '--name', 'Shop', '--account', 'acme', '--user', 'ann@example.com'],
    'key rotate fails for': (keyId: number) => ['rotate', `key_${keyId}`],
  };
  for (const [failure, command] of Object.entries(commands)) {
    test(`${failure} a user who is being removed`, async (t) => {
      const { db, config } = await open(t);
      const { accountId, userId: ownerId } = await makeAccount(db, 'acme');
      const { id: userId } = await makeUser(db, accountId, { email: 'ann@example.com' });
      const { id } = await db
        .transaction()
        .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Ann’s', expiresAt: null }));
      const remove = async (trx: Trx) => {
        const by = { userId: ownerId, role: 'owner' } as const;
        await removeUser(trx, accountId, { userId, by });
        await revokeKeysOfUser(trx, accountId, { userId, by });
      };
      const { code } = await overlapping(db, remove, () => runCli(config, 'key', ...command(id)));
      const keys = await db.selectFrom('api_keys').select(['id', 'revoked_at']).where('user_id', '=', userId).execute();
      assert.deepEqual([code, keys.filter(({ revoked_at }) => revoked_at === null)], [1, []]);
    });
  }
});
