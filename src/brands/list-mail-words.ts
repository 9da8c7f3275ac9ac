import type { Db, Trx } from '../db/database.ts';
import { defaultWords, type MailKind, type MailWords, mailKinds } from '../mail/mail-words.ts';

export interface StoredMailWords extends MailWords {
  readonly kind: MailKind;
  /** 0 for the default words. */
  readonly version: number;
}

/** Returns the words of every kind of message to the account's customers: its own, or the default. */
export async function listMailWords(db: Db | Trx, accountId: number): Promise<StoredMailWords[]> {
  const own = await select(db, accountId).execute();
  return mailKinds.map((kind) => {
    const words = own.find((row) => row.kind === kind);
    return words ? { ...words, kind } : { ...defaultWords[kind], kind, version: 0 };
  });
}

/** Returns the words that the account has chosen for a kind; undefined for the default. */
export async function findMailWords(
  db: Db | Trx,
  accountId: number,
  kind: MailKind,
): Promise<StoredMailWords | undefined> {
  const row = await select(db, accountId).where('kind', '=', kind).executeTakeFirst();
  return row && { ...row, kind };
}

function select(db: Db | Trx, accountId: number) {
  return db.selectFrom('mail_words').select(['kind', 'subject', 'text', 'version']).where('account_id', '=', accountId);
}
