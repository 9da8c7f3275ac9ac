import type { Trx } from '../db/database.ts';

/** Returns the current name of an event's subject, or undefined if it has none or does not exist. */
export async function subjectName(trx: Trx, accountId: number, subject: string): Promise<string | undefined> {
  const [, kind = '', digits] = /^([a-z]+)_(\d+)$/.exec(subject) ?? [];
  const id = Number(digits);
  if (kind === 'session') {
    const ofSession = trx
      .selectFrom('sessions')
      .select('user_id')
      .where('account_id', '=', accountId)
      .where('id', '=', id);
    const user = trx.selectFrom('users').select('name').where('account_id', '=', accountId).where('id', '=', ofSession);
    return (await user.executeTakeFirst())?.name;
  }
  const table = tables.get(kind);
  if (!table) return undefined;
  const thing = trx.selectFrom(table).select('name').where('account_id', '=', accountId).where('id', '=', id);
  return (await thing.executeTakeFirst())?.name;
}

const tables = new Map<string, 'pages' | 'users' | 'api_keys' | 'passkeys' | 'media'>([
  ['page', 'pages'],
  ['user', 'users'],
  ['key', 'api_keys'],
  ['passkey', 'passkeys'],
  ['media', 'media'],
]);
