import type { Trx } from '../db/database.ts';

/** What the subject of an audit event is called at this moment; undefined for what has no name, or is not there. */
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

const tables = new Map<string, 'pages' | 'users' | 'api_keys' | 'passkeys'>([
  ['page', 'pages'],
  ['user', 'users'],
  ['key', 'api_keys'],
  ['passkey', 'passkeys'],
]);
