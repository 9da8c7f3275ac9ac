import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { nextVersion } from './next-version.ts';

/**
 * Raises the account's content version. This is the first statement of every transaction that changes the account's pages or
 * settings, except where something else already excludes other writers, as on SQLite (`insert-pages-sqlite.ts`).
 * It locks the account's row until the transaction ends, and makes every cached answer about the account stale.
 * `now` is the time of the change that visitors are told, in milliseconds since 1970. `bytes` is added to
 * `pageBytes`, the storage that the account's pages take up (see `page-bytes.ts`).
 */
export async function raiseContentVersion(trx: Trx, accountId: number, now: number, bytes = 0): Promise<RaisedAccount> {
  const [account] = await raise(trx, { accountId, now, bytes });
  if (!account) throw notFound('The account');
  return account;
}

interface RaisedAccount {
  version: number;
  editor: BodyFormat;
  pageBytes: number;
}

const raise = prepared<{ accountId: number; now: number; bytes: number }, RaisedAccount>((db, parameter) =>
  db
    .updateTable('accounts')
    .set((e) => ({
      content_version: nextVersion('content_version', parameter('now')),
      content_changed_at: parameter('now'),
      page_bytes: e('page_bytes', '+', parameter('bytes')),
    }))
    .where('id', '=', parameter('accountId'))
    .where('deleted_at', 'is', null)
    .returning(['content_version as version', 'editor', 'page_bytes as pageBytes']),
);

/** Returns the account's content version, as the transaction sees it; 0 if there is no such account. */
export async function findContentVersion(trx: Trx, accountId: number): Promise<number> {
  const [row] = await selectVersion(trx, { accountId });
  return row?.version ?? 0;
}

const selectVersion = prepared<{ accountId: number }, { version: number }>((db, parameter) =>
  db.selectFrom('accounts').select('content_version as version').where('id', '=', parameter('accountId')),
);
