import { listApiKeys } from '../api-keys/list-api-keys.ts';
import { readScopes, scopes } from '../api-keys/scopes.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, notFound } from '../errors.ts';
import { issueKey } from '../membership/issue-key.ts';
import { revokeKey } from '../membership/revoke-key.ts';
import { revokeKeyAndIssued } from '../membership/revoke-key-and-issued.ts';
import { rotateKey } from '../membership/rotate-key.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { emailKey } from '../users/create-user.ts';
import { listUsers } from '../users/list-users.ts';
import { accountOption, command, type Group, OptionError, onlyAccountOption } from './command.ts';
import { parseDuration } from './duration.ts';
import { findAccount } from './find-account.ts';
import { mapBatches } from './listing.ts';
import { time } from './output.ts';

const keyAccountOption = {
  type: 'string',
  value: 'ACCOUNT',
  about: 'The account of the key. Default: any account.',
} as const;

const KEYID = 'KEYID is its id (key_7), or its last four characters.';

const issue = command({
  about: 'Issues an API key for an account, and prints it once.',
  options: {
    account: accountOption,
    name: { type: 'string', value: 'LABEL', required: true, about: 'What the key is for.' },
    user: {
      type: 'string',
      value: 'EMAIL',
      about: "The user in whose name the key acts. Default: the account's first user.",
    },
    expires: {
      type: 'string',
      value: '90d',
      about: 'How long the key works: 12h, 90d, 52w, never. Default: until it is revoked.',
    },
    scopes: {
      type: 'string',
      value: 'SCOPES',
      about: `What the key may do, separated by commas: ${scopes.join(', ')}. Default: everything.`,
    },
  },
  example: '--account acme --name "Online shop" --expires 90d --scopes pages:write,images:read',
  async run({ db, values }) {
    const lifetime = parseLifetime(values.expires);
    const { id: accountId } = await findAccount(db, values.account);
    const expiresAt = lifetime == null ? null : Date.now() + lifetime;
    const issued = await db.transaction().execute(async (trx) => {
      // Locks the account: a concurrent removal of the user revokes this key, or comes first and is seen.
      await lockAccount(trx, accountId);
      const userId = await findUser(trx, accountId, values.user);
      const input = { userId, name: values.name, expiresAt, scopes: parseScopes(values.scopes) };
      return issueKey(trx, accountId, input, operator);
    });
    return { ...keyOutput({ ...issued, expiresAt }), note: endOf(expiresAt) };
  },
});

const list = command({
  about: 'Lists the API keys of an account, or of all accounts.',
  options: { account: onlyAccountOption },
  example: '--account acme',
  async run({ db, values }) {
    const { account } = values;
    const filter = account === undefined ? {} : { accountId: (await findAccount(db, account)).id };
    const now = Date.now();
    const ofAll = (cell: string) => (account === undefined ? [cell] : []);
    type Key = Awaited<ReturnType<typeof listApiKeys>>[number];
    const keys = readBatches<Key>((last, limit) =>
      listApiKeys(db, { ...filter, ...(last && { before: last.id }), limit }),
    );
    const show = (key: Key) => ({
      id: formatKeyId(key.id),
      account: key.account,
      name: key.name,
      last4: key.last4,
      user: key.userName,
      status: statusOf(key, now),
      scopes: readScopes(key.scopes),
      issued_by: key.issuer === null ? null : formatKeyId(key.issuer),
      created_at: time(key.created_at),
      expires_at: time(key.expires_at),
      revoked_at: time(key.revoked_at),
      last_used_at: time(key.last_used_at),
    });
    return {
      listing: {
        name: 'keys',
        head: ['ID', ...ofAll('ACCOUNT'), 'NAME', 'KEY', 'USER', 'STATUS', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'],
        empty: account === undefined ? 'There are no API keys.' : 'The account has no API keys.',
        parts: mapBatches(mapBatches(keys, show), (key) => ({
          cells: [
            key.id,
            ...ofAll(key.account),
            key.name,
            `fh_…${key.last4}`,
            key.user,
            key.status,
            key.scopes?.join(',') ?? 'all',
            key.created_at,
            key.expires_at ?? 'never',
            key.last_used_at ?? 'never',
          ],
          json: key,
        })),
      },
    };
  },
});

const rotate = command({
  about: 'Replaces an API key with a new one, and prints the new key once.',
  details: KEYID,
  positionals: ['KEYID'],
  options: {
    account: keyAccountOption,
    overlap: { type: 'string', value: '24h', about: 'How long the old key still works, at most 90d. Default: 24h.' },
    expires: {
      type: 'string',
      value: '90d',
      about: 'How long the new key works: 12h, 90d, never. Default: the lifetime of the old key.',
    },
  },
  example: 'key_7 --overlap 24h',
  async run({ db, positionals, values }) {
    const overlap = values.overlap === undefined ? undefined : parseDuration(values.overlap, 'overlap');
    const lifetime = parseLifetime(values.expires);
    const old = await findKey(db, values.account, positionals[0]!);
    const input = { overlapMs: overlap, lifetimeMs: lifetime };
    const { expiresAt, oldExpiresAt, ...issued } = await db
      .transaction()
      .execute((trx) => rotateKey(trx, old.account_id, old.id, input, operator));
    const former = overlap === 0 ? 'no longer works' : `works until ${time(oldExpiresAt)}`;
    return {
      ...keyOutput({ ...issued, expiresAt }),
      note: `${endOf(expiresAt)} ${formatKeyId(old.id)}, which it replaces, ${former}.`,
    };
  },
});

const revoke = command({
  about: 'Revokes an API key at once.',
  details: KEYID,
  positionals: ['KEYID'],
  options: {
    account: keyAccountOption,
    'with-issued': {
      type: 'boolean',
      about: 'Also revoke all keys that were issued with this key, for when somebody else may have used it.',
    },
  },
  example: 'key_7 --with-issued',
  async run({ db, positionals, values }) {
    const { id, account_id } = await findKey(db, values.account, positionals[0]!);
    const key = { id: formatKeyId(id), status: 'revoked' };
    if (!values['with-issued']) {
      await db.transaction().execute((trx) => revokeKey(trx, account_id, id, operator));
      return { text: `${formatKeyId(id)} is revoked.`, json: { key } };
    }
    const ids = await db.transaction().execute((trx) => revokeKeyAndIssued(trx, account_id, id, operator));
    const issued = ids.map(formatKeyId);
    const others =
      issued.length === 0
        ? 'No other working key was issued with it.'
        : `The keys issued with it are revoked, too: ${issued.join(', ')}.`;
    return { text: `${formatKeyId(id)} is revoked. ${others}`, json: { key, issued } };
  },
});

export const keyCommands: Group = {
  about: 'API keys, with which programs act for an account.',
  commands: { issue, list, rotate, revoke },
};

function formatKeyId(id: number): string {
  return `key_${id}`;
}

/** Prints the key alone on its line, ready for another program. */
function keyOutput({ id, key, expiresAt }: { id: number; key: string; expiresAt: number | null }) {
  return { text: key, json: { api_key: key, id: formatKeyId(id), expires_at: time(expiresAt) } };
}

function endOf(expiresAt: number | null): string {
  return expiresAt === null ? 'It works until it is revoked.' : `It works until ${time(expiresAt)}.`;
}

/** Parses a lifetime in milliseconds; null for `never`. */
function parseLifetime(expires: string | undefined): number | null | undefined {
  if (expires === undefined) return undefined;
  if (expires.trim() === 'never') return null;
  const lifetime = parseDuration(expires, 'expires');
  if (lifetime === 0) throw new OptionError('expires', 'must be longer than 0');
  return lifetime;
}

function parseScopes(text: string | undefined): string[] | undefined {
  return text?.split(',').map((scope) => scope.trim());
}

function statusOf(key: { revoked_at: number | null; expires_at: number | null }, now: number): string {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

async function findUser(trx: Trx, accountId: number, email: string | undefined): Promise<number> {
  const users = await listUsers(trx, accountId);
  const user = email === undefined ? users[0] : users.find(({ email_key }) => email_key === emailKey(email.trim()));
  if (!user) throw notFound(email === undefined ? 'A user of the account' : `The user "${email}" of the account`);
  return user.id;
}

async function findKey(db: Db, account: string | undefined, text: string): Promise<{ id: number; account_id: number }> {
  const wanted = text.trim();
  const [, prefix, digits] = /^(key_)?([1-9]\d{0,14})$/.exec(wanted) ?? [];
  const named = { id: Number(digits ?? 0), last4: prefix === undefined ? wanted : '' };
  const filter = account === undefined ? { named } : { named, accountId: (await findAccount(db, account)).id };
  const keys = await listApiKeys(db, filter);
  const [found] = keys;
  if (!found) throw notFound(`The API key "${wanted}"${account === undefined ? '' : ' of the account'}`);
  // Four digits may be an id or the end of a key. If both exist, the user has to say which is meant.
  if (keys.length > 1) {
    const ids = keys.map(({ id }) => formatKeyId(id)).join(' or ');
    throw new AppError('conflict', `"${wanted}" may be ${ids}. Give the id.`);
  }
  return found;
}
