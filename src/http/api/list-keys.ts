import { formatAccountId } from '../../accounts/account.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { readScopes, scopes } from '../../api-keys/scopes.ts';
import { partWithNext } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { wrongParameter } from './answers.ts';
import { idSchema, objectSchema, ref, textOrNull, textSchema, timeOrNull } from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import { readOperation } from './operation.ts';
import { readId, wrongId } from './query-parameters.ts';
import { reading } from './reading.ts';
import { isoTime } from './times.ts';

export const keyIdSchema = idSchema('key', 'Identifier of the key.');
export const listKeysOperation = readOperation('GET /api/keys.json', {
  id: 'listKeys',
  tag: 'Keys',
  scope: 'keys:read',
  summary: 'List keys',
  description:
    "The account's keys, and the keys of customers' accounts that were issued to it, newest first, in parts. The list does not contain the keys themselves.",
  queryParameters: {
    ...partParameters('before', 'key_12'),
  },
  answers: [{ status: 200, schema: 'KeyList', description: 'The keys.' }, wrongParameter(wrongId('before', 'key'))],
  schemas: {
    KeyList: objectSchema({
      keys: { type: 'array', items: ref('Key'), description: 'Newest first.' },
      next: nextSchema('before'),
    }),
    Key: objectSchema({
      id: keyIdSchema,
      account_id: textSchema('Identifier of the account in which the key works.', 'account_1'),
      name: textSchema('Purpose of the key.', 'Online shop'),
      last4: textSchema('Last four characters of the key.', 'x7Kq'),
      user: textSchema('Name of the user in whose name the key acts.', 'Olivia Owner'),
      scopes: {
        type: ['array', 'null'],
        items: { type: 'string', enum: scopes },
        description: 'Scopes of the key; null if the key is not limited to scopes.',
        examples: [['pages:write']],
      },
      created_at: { ...textSchema('When the key was issued.', '2026-11-27T08:56:03.000Z'), format: 'date-time' },
      issued_by: textOrNull('The key that a program used to issue this key; null if a person issued it.'),
      expires_at: timeOrNull('When the key expires; null if it does not expire.'),
      revoked_at: timeOrNull('When the key was revoked; null if it was not revoked.'),
      last_used_at: timeOrNull('When the key was last used, accurate to a minute; null if it was never used.'),
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const limit = readLimit(ctx.query);
    const before = readId(ctx.query, 'before', 'key');
    const filter = { accountId, withCustomers: true, limit: limit + 1, ...(before !== undefined && { before }) };
    const found = await snapshot(db, (trx) => listApiKeys(trx, filter));
    const { shown, next } = partWithNext(found, limit, ({ id }) => `key_${id}`);
    return { keys: shown.map(keyJson), next };
  }),
});

function keyJson(key: Awaited<ReturnType<typeof listApiKeys>>[number]) {
  return {
    id: `key_${key.id}`,
    account_id: formatAccountId(key.account_id),
    name: key.name,
    last4: key.last4,
    user: key.userName,
    scopes: readScopes(key.scopes),
    created_at: isoTime(key.created_at),
    issued_by: key.issuer === null ? null : `key_${key.issuer}`,
    expires_at: isoTime(key.expires_at),
    revoked_at: isoTime(key.revoked_at),
    last_used_at: isoTime(key.last_used_at),
  };
}
