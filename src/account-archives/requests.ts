import { join } from 'node:path';
import type { Selectable } from 'kysely';
import { formatAccountId } from '../accounts/account.ts';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import type { AccountArchivesTable } from '../db/schema.ts';
import { notFound, RateLimited } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { reserveShare } from '../users/mail-budget.ts';
import { durationInWords } from '../users/throttle.ts';

export type ArchiveRow = Selectable<AccountArchivesTable>;

/** How many archives an account may request in a day. Each reads and writes the whole account. */
const MAX_PER_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How long an archive can be downloaded, and a failure is shown. */
export const ARCHIVE_RETENTION_MS = 7 * DAY_MS;

/** Returns the folder of requested archives. */
export function archiveFolder(dataDir: string): string {
  return join(dataDir, 'archives');
}

/**
 * Requests an archive of an account, without secrets. The service makes the archive and tells the user by mail. It replaces
 * an earlier archive.
 * @throws Refusal if one is already being made; RateLimited
 */
export async function requestArchive(trx: Trx, accountId: number, by: UserActor): Promise<ArchiveRow> {
  await lockAccount(trx, accountId);
  const before = await findArchive(trx, accountId);
  if (before?.state === 'waiting') throw new Refusal('conflict', { reason: 'archive_under_way' });
  const wait = await reserveShare(trx, { key: `archive ${accountId}`, count: MAX_PER_DAY, periodMs: DAY_MS });
  if (wait > 0) {
    throw new RateLimited(`Too many archives were made recently. Try again in ${durationInWords(wait)}.`, wait);
  }
  await trx.deleteFrom('account_archives').where('account_id', '=', accountId).execute();
  const archive = await trx
    .insertInto('account_archives')
    .values({
      account_id: accountId,
      user_id: by.userId,
      actor: by.name,
      ip: by.ip,
      state: 'waiting',
      created_at: Date.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAuditEvent(trx, accountId, by, {
    action: 'account.archive_requested',
    subject: formatAccountId(accountId),
    details: {},
  });
  return archive;
}

/** Returns the archive for a download, and records the download. @throws AppError `not_found` */
export async function takeArchive(trx: Trx, accountId: number, by: UserActor): Promise<ArchiveRow & { file: string }> {
  const archive = await findArchive(trx, accountId);
  if (!archive?.file) throw notFound('The archive');
  const event = { action: 'account.archive_downloaded', subject: formatAccountId(accountId) };
  await recordAuditEvent(trx, accountId, by, { ...event, details: { made_at: archive.created_at } });
  return { ...archive, file: archive.file };
}

/** Returns the last requested archive; undefined if there is none, or it has expired. */
export async function findArchive(db: Db | Trx, accountId: number): Promise<ArchiveRow | undefined> {
  return db
    .selectFrom('account_archives')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', Date.now())]))
    .executeTakeFirst();
}
