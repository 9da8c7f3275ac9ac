import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExpressionBuilder } from 'kysely';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { archiveReady } from '../mail/archive-ready.ts';
import { findSender } from '../mail/find-sender.ts';
import { enqueue } from '../mail/outbox.ts';
import { makeFolder } from '../make-folder.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { reserveMail } from '../users/mail-budget.ts';
import { ARCHIVE_RETENTION_MS, type ArchiveRow, archiveFolder } from './requests.ts';

/** How long the claim of a crashed worker stays valid. A running worker renews its claim. */
const LEASE_MS = 5 * 60_000;
const RENEWAL_MS = 60_000;
const RETRY_DELAY_MS = 60_000;
const MAX_ATTEMPTS = 3;
const MESSAGES_PER_DAY = 10;

/** An account to archive, and the path of the archive. */
export interface ArchiveJob {
  readonly accountId: number;
  readonly file: string;
  readonly actor: Actor;
}

interface RunOptions {
  readonly worker: string;
  readonly dataDir: string;
  readonly mailFrom: string;
  readonly signal: AbortSignal;
  /** Writes the archive. */
  readonly build: (job: ArchiveJob) => Promise<void>;
  readonly onMailQueued: () => void;
  readonly onError: (error: unknown) => void;
}

/** Makes the requested archives, one after another. */
export async function runArchiveRequests(db: Db, options: RunOptions): Promise<void> {
  const { worker, signal, onError } = options;
  while (!signal.aborted) {
    const archive = await claim(db, worker);
    if (!archive) return;
    const renewal = setInterval(() => void renew(db, archive, worker).catch(onError), RENEWAL_MS).unref();
    try {
      await make(db, archive, options);
    } catch (error) {
      await giveBack(db, archive, options);
      if (!signal.aborted) onError(error);
    } finally {
      clearInterval(renewal);
    }
  }
}

async function make(db: Db, archive: ArchiveRow, { worker, dataDir, mailFrom, build, onMailQueued }: RunOptions) {
  const { account_id: accountId, user_id: userId, actor: name, ip } = archive;
  const folder = archiveFolder(dataDir);
  makeFolder(folder);
  // The name cannot be guessed, in case another program serves the folder.
  const file = `${accountId}-${randomBytes(16).toString('hex')}.zip`;
  await build({ accountId, file: join(folder, file), actor: { userId, name, ip } });
  const { size: bytes } = await stat(join(folder, file));
  const isKept = await db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const done = await trx
      .updateTable('account_archives')
      .set({ state: 'done', file, bytes, expires_at: Date.now() + ARCHIVE_RETENTION_MS, claimed_by: null })
      .where('account_id', '=', accountId)
      .where('id', '=', archive.id)
      .where('claimed_by', '=', worker)
      .returning('id')
      .executeTakeFirst();
    // The account was deleted, or another worker has made the archive. `pruneArchives` deletes the file.
    if (!done) return false;
    const person = await trx
      .selectFrom('users')
      .select(['name as userName', 'email as userEmail'])
      .where('account_id', '=', accountId)
      .where('id', '=', userId)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (!person) return true;
    const count = { cause: 'archive ready', email: person.userEmail, perDay: MESSAGES_PER_DAY };
    if ((await reserveMail(trx, count)) > 0) return true;
    const sender = await findSender(trx, accountId, 'archive_ready');
    await enqueue(trx, accountId, mailFrom, archiveReady({ ...sender, ...person, bytes }));
    return true;
  });
  onMailQueued();
  if (isKept) await removeEarlier(folder, accountId, file);
}

/**
 * Deletes the account's earlier archives: otherwise it could fill the disk with archives that can no longer be downloaded.
 * A file that is being written has another kind of name.
 */
async function removeEarlier(folder: string, accountId: number, latest: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const isEarlier = name.startsWith(`${accountId}-`) && name.endsWith('.zip') && name !== latest;
    if (isEarlier) await rm(join(folder, name), { force: true });
  }
}

async function claim(db: Db, worker: string): Promise<ArchiveRow | undefined> {
  const now = Date.now();
  const isFree = (e: ExpressionBuilder<Schema, 'account_archives'>) =>
    e.and([e('account_archives.state', '=', 'waiting'), e('account_archives.claimed_until', '<', now)]);
  // A separate query, so that an idle service writes nothing.
  const found = await db
    .selectFrom('account_archives')
    .select('id')
    .where(isFree)
    .orderBy('claimed_until')
    .limit(1)
    .executeTakeFirst();
  if (!found) return undefined;
  return db.transaction().execute((trx) =>
    trx
      .updateTable('account_archives')
      .set((e) => ({ claimed_by: worker, claimed_until: now + LEASE_MS, attempts: e('attempts', '+', 1) }))
      .where('id', '=', found.id)
      .where(isFree)
      .returningAll()
      .executeTakeFirst(),
  );
}

async function renew(db: Db, { account_id, id }: ArchiveRow, worker: string): Promise<void> {
  await db.transaction().execute((trx) =>
    trx
      .updateTable('account_archives')
      .set({ claimed_until: Date.now() + LEASE_MS })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('claimed_by', '=', worker)
      .execute(),
  );
}

/**
 * Releases an archive that could not be made for a later attempt, or at once if the service stops. After the last attempt,
 * the archive has failed.
 */
async function giveBack(db: Db, archive: ArchiveRow, { worker, signal }: RunOptions): Promise<void> {
  const { account_id, id, attempts } = archive;
  const now = Date.now();
  const again = signal.aborted ? { claimed_until: 0, attempts: attempts - 1 } : { claimed_until: now + RETRY_DELAY_MS };
  const isLast = !signal.aborted && attempts >= MAX_ATTEMPTS;
  await db.transaction().execute((trx) =>
    trx
      .updateTable('account_archives')
      .set(isLast ? { state: 'failed', expires_at: now + ARCHIVE_RETENTION_MS } : { ...again, claimed_by: null })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('claimed_by', '=', worker)
      .execute(),
  );
}
