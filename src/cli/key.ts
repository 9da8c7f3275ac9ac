import { getAccountBySubdomain } from '../accounts/account.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { listApiKeys } from '../api-keys/list-api-keys.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { rotateApiKey } from '../api-keys/rotate-api-key.ts';
import type { Db } from '../db/database.ts';
import { AppError, notFound } from '../errors.ts';
import { emailKey } from '../users/create-user.ts';
import { listUsers } from '../users/list-users.ts';
import { accountOption, command, type Group, UsageError } from './command.ts';
import { parseDuration } from './duration.ts';
import { table, time } from './output.ts';

const KEYID = 'KEYID is its id (key_7), or its last four characters.';

const issue = command({
  about: 'Issues an API key for an account, and prints it this one time.',
  options: {
    account: accountOption,
    name: { type: 'string', value: 'LABEL', required: true, about: 'What it is for.' },
    user: {
      type: 'string',
      value: 'EMAIL',
      about: 'In whose name it acts: one of the users of the account. Otherwise its first.',
    },
    expires: {
      type: 'string',
      value: '90d',
      about: 'How long it works: 12h, 90d, 52w. Otherwise until it is revoked.',
    },
  },
  example: '--account acme --name "Online shop" --expires 90d',
  database: 'current',
  async run({ db, values }) {
    const lifetime = values.expires === undefined ? undefined : parseDuration(values.expires, 'expires');
    if (lifetime === 0) throw new UsageError('--expires must leave the key some time to work.');
    const { id: accountId } = await getAccountBySubdomain(db, values.account);
    const userId = await findUser(db, accountId, values.user);
    const expiresAt = lifetime === undefined ? null : Date.now() + lifetime;
    const issued = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId, name: values.name, expiresAt }));
    return keyOutput(issued);
  },
});

const list = command({
  about: "Lists an account's API keys.",
  options: { account: accountOption },
  example: '--account acme',
  database: 'current',
  async run({ db, values }) {
    const { id } = await getAccountBySubdomain(db, values.account);
    const now = Date.now();
    const keys = (await listApiKeys(db, id)).map((key) => ({
      id: keyId(key.id),
      name: key.name,
      last4: key.last4,
      user: key.userName,
      status: statusOf(key, now),
      created_at: time(key.created_at),
      expires_at: time(key.expires_at),
      revoked_at: time(key.revoked_at),
      last_used_at: time(key.last_used_at),
    }));
    return {
      text: table(
        ['ID', 'NAME', 'KEY', 'USER', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED'],
        keys.map((key) => [
          key.id,
          key.name,
          `fh_…${key.last4}`,
          key.user,
          key.status,
          key.created_at,
          key.expires_at ?? 'never',
          key.last_used_at ?? 'never',
        ]),
        'It has no API keys.',
      ),
      json: { keys },
    };
  },
});

const rotate = command({
  about: 'Issues the successor of an API key, and prints it this one time.',
  details: KEYID,
  positionals: ['KEYID'],
  options: {
    account: accountOption,
    overlap: { type: 'string', value: '24h', about: 'How long the old key still works: 0m, 24h, 7d. Otherwise 24h.' },
  },
  example: 'key_7 --account acme --overlap 24h',
  database: 'current',
  async run({ db, positionals, values }) {
    const overlap = parseDuration(values.overlap ?? '24h', 'overlap');
    const { id: accountId } = await getAccountBySubdomain(db, values.account);
    const old = await findKey(db, accountId, positionals[0]!);
    const issued = await db.transaction().execute((trx) => rotateApiKey(trx, accountId, old, overlap));
    return keyOutput(issued);
  },
});

const revoke = command({
  about: 'Ends an API key at once.',
  details: KEYID,
  positionals: ['KEYID'],
  options: { account: accountOption },
  example: 'key_7 --account acme',
  database: 'current',
  async run({ db, positionals, values }) {
    const { id: accountId } = await getAccountBySubdomain(db, values.account);
    const id = await findKey(db, accountId, positionals[0]!);
    await db.transaction().execute((trx) => revokeApiKey(trx, accountId, id));
    return { text: `${keyId(id)} is revoked.`, json: { key: { id: keyId(id), status: 'revoked' } } };
  },
});

export const keyCommands: Group = {
  about: 'API keys: what programs use to act for an account.',
  commands: { issue, list, rotate, revoke },
};

function keyId(id: number): string {
  return `key_${id}`;
}

/** The key stands alone on its line, ready for another program. */
function keyOutput({ id, key }: { id: number; key: string }) {
  return { text: key, json: { api_key: key, id: keyId(id) } };
}

function statusOf(key: { revoked_at: number | null; expires_at: number | null }, now: number): string {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

async function findUser(db: Db, accountId: number, email: string | undefined): Promise<number> {
  const users = await listUsers(db, accountId);
  const user = email === undefined ? users[0] : users.find(({ email_key }) => email_key === emailKey(email.trim()));
  if (!user) throw notFound(email === undefined ? 'A user of the account' : `The user "${email}" of the account`);
  return user.id;
}

async function findKey(db: Db, accountId: number, text: string): Promise<number> {
  const wanted = text.trim();
  const keys = await listApiKeys(db, accountId);
  const byId = keys.find(({ id }) => keyId(id) === wanted);
  if (byId) return byId.id;
  // Four digits may be either: then it must be said which is meant.
  const found = keys.filter(({ id, last4 }) => last4 === wanted || `${id}` === wanted);
  if (found.length === 0) throw notFound(`The API key "${wanted}" of the account`);
  if (found.length > 1) {
    const ids = found.map(({ id }) => keyId(id)).join(' or ');
    throw new AppError('conflict', `"${wanted}" may be ${ids}: say which.`);
  }
  return found[0]!.id;
}
