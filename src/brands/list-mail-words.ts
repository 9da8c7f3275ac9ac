import type { Db, Trx } from '../db/database.ts';
import { defaultWords, type MailKind, type MailWords, mailKinds } from '../mail/mail-words.ts';

export interface StoredMailWords extends MailWords {
  readonly kind: MailKind;
  /** The version; 0 for the default words. */
  readonly version: number;
}

/** Returns the words of every kind of message to the account's customers: its own, or the default ones. */
export async function listMailWords(db: Db | Trx, accountId: number): Promise<StoredMailWords[]> {
  const own = await selectWords(db, accountId).execute();
  return mailKinds.map((kind) => {
    const words = own.find((row) => row.kind === kind);
    return words ? { ...words, kind } : { ...defaultWords[kind], kind, version: 0 };
  });
}

/** Returns the account's own words for a kind of message; undefined for the default. */
export async function findMailWords(
  db: Db | Trx,
  accountId: number,
  kind: MailKind,
): Promise<StoredMailWords | undefined> {
  const row = await selectWords(db, accountId).where('kind', '=', kind).executeTakeFirst();
  return row && { ...row, kind };
}

function selectWords(db: Db | Trx, accountId: number) {
  return db.selectFrom('mail_words').select(['kind', 'subject', 'text', 'version']).where('account_id', '=', accountId);
}
