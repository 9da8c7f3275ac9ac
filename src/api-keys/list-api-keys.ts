import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';

interface ApiKeyFilter {
  accountId?: number;
  /** True to include the keys of customers' accounts that were issued to the account. */
  withCustomers?: boolean;
  /** Only keys with this id or with these last four characters. */
  named?: { id: number; last4: string };
  /** Only keys with lower ids. */
  before?: number;
  limit?: number;
}

/**
 * Returns the keys of an account or of all accounts, newest first, without the secret keys or their hashes. Each row names
 * the account's key that issued the key, if a program did, and counts the keys that the key issued and that still work.
 */
export function listApiKeys(db: Db, { accountId, withCustomers = false, named, before, limit }: ApiKeyFilter) {
  let keys = db
    .selectFrom('api_keys')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'api_keys.account_id').onRef('users.id', '=', 'api_keys.user_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .leftJoin('api_keys as issuers', (join) => {
      const issuer = join.onRef('issuers.id', '=', 'api_keys.issued_by');
      // A customer must not see the keys of its agency.
      return accountId === undefined ? issuer : issuer.on('issuers.account_id', '=', accountId);
    })
    .select((e) => [
      'api_keys.id',
      'api_keys.account_id',
      'accounts.subdomain as account',
      'api_keys.name',
      'api_keys.last4',
      // For a user of the seller: `Ana (Acme Agency)`.
      e.fn.coalesce('users.agent', 'users.name').as('userName'),
      'api_keys.created_at',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.last_used_at',
      'api_keys.last_used_ip',
      'api_keys.scopes',
      'issuers.id as issuer',
      'issuers.name as issuerName',
      e
        .selectFrom('api_keys as issued')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('issued.issued_by', '=', 'api_keys.id')
        .where((issued) =>
          issued.or([
            issued('issued.account_id', '=', issued.ref('api_keys.account_id')),
            issued('issued.agency_id', '=', issued.ref('api_keys.account_id')),
          ]),
        )
        .where('issued.revoked_at', 'is', null)
        .where((issued) =>
          issued.or([issued('issued.expires_at', 'is', null), issued('issued.expires_at', '>', Date.now())]),
        )
        .$asScalar()
        .$notNull()
        .as('issuedKeys'),
    ])
    .orderBy('api_keys.id', 'desc');
  if (accountId !== undefined) {
    keys = withCustomers
      ? keys.where('api_keys.id', 'in', latestIds(db, accountId, { before, limit: limit ?? Number.MAX_SAFE_INTEGER }))
      : keys.where('api_keys.account_id', '=', accountId);
  }
  if (before !== undefined) keys = keys.where('api_keys.id', '<', before);
  if (limit !== undefined) keys = keys.limit(limitInIndexOrder(limit));
  if (named) {
    keys = keys.where((e) => e.or([e('api_keys.id', '=', named.id), e('api_keys.last4', '=', named.last4)]));
  }
  return keys.execute();
}

/**
 * Selects the highest ids of the account's keys, and of the keys of customers' accounts that were issued to it. Each part is
 * read from the end of its index, since an agency may have a key for each of its customers.
 */
function latestIds(db: Db, accountId: number, { before, limit }: { before: number | undefined; limit: number }) {
  const latest = (column: 'account_id' | 'agency_id') => {
    const { where, account, id } = latestFirst(db, 'api_keys', accountId, before, column);
    return sql`
      select id from (
        select id from api_keys where ${where} order by ${account} desc, ${id} desc limit ${limitInIndexOrder(limit)}
      ) as latest`;
  };
  return sql<number>`(${latest('account_id')} union all ${latest('agency_id')})`;
}
