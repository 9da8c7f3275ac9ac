import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Scope } from '../api-keys/scopes.ts';
import { service } from '../audit/record-audit-event.ts';
import { shownName } from '../audit/shown-name.ts';
import type { Db, Trx } from '../db/database.ts';
import type { OauthCodesTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { issueKey } from '../membership/issue-key.ts';
import { revokeKeyAndIssued } from '../membership/revoke-key-and-issued.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { permissionsOf } from '../users/roles.ts';
import { hashToken } from '../users/token.ts';
import { readClient } from './client.ts';

/** How long a key works that a user has allowed a program. Then the user is asked again. */
export const KEY_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;

interface RedeemCodeInput {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The secret whose hash the authorization request contained. */
  readonly verifier: string;
}

interface IssuedKey {
  readonly key: string;
  readonly scopes: readonly Scope[];
}

/**
 * Issues the key that a user has allowed a program, in the user's name and with the program's name. A code can be redeemed
 * once, and is lost if the other values are wrong. A second redemption with the same secret revokes the key: one of the two
 * callers was not the program (RFC 6749, section 4.1.2).
 * @throws AppError `unauthorized`; Refusal for too many keys
 */
export async function redeemCode(db: Db, input: RedeemCodeInput): Promise<IssuedKey> {
  const codeHash = hashToken(input.code);
  const found = await db
    .selectFrom('oauth_codes')
    .select('account_id as accountId')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  const issued = found && (await db.transaction().execute((trx) => redeem(trx, found.accountId, codeHash, input)));
  if (!issued) throw new AppError('unauthorized', 'The code is wrong, has already been redeemed, or has expired.');
  return issued;
}

async function redeem(
  trx: Trx,
  accountId: number,
  codeHash: string,
  { clientId, redirectUri, verifier }: RedeemCodeInput,
): Promise<IssuedKey | undefined> {
  await lockAccount(trx, accountId);
  const code = await trx
    .selectFrom('oauth_codes')
    .select(['id', 'user_id', 'challenge', 'scopes', 'expires_at', 'client_id', 'redirect_uri', 'ip', 'key_id'])
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  if (!code) return undefined;
  const isValid =
    code.client_id === clientId &&
    code.redirect_uri === redirectUri &&
    code.challenge === hash('sha256', verifier, 'base64url');
  if (code.key_id !== null) {
    // A caller who knows only the code, and not the secret, must not be able to revoke the program's key.
    if (isValid) await revokeKeyAndIssued(trx, accountId, code.key_id, service);
    return undefined;
  }
  const issued = isValid && code.expires_at > Date.now() ? await issueKeyForCode(trx, accountId, code) : undefined;
  const codeId = { account_id: accountId, id: code.id };
  if (issued) {
    await trx
      .updateTable('oauth_codes')
      .set({ key_id: issued.id })
      .where((e) => e.and(codeId))
      .execute();
  } else {
    await trx
      .deleteFrom('oauth_codes')
      .where((e) => e.and(codeId))
      .execute();
  }
  return issued;
}

type Code = Pick<Selectable<OauthCodesTable>, 'user_id' | 'scopes' | 'client_id' | 'ip'>;

/** Issues the key; undefined if the user may no longer issue keys. */
async function issueKeyForCode(
  trx: Trx,
  accountId: number,
  code: Code,
): Promise<(IssuedKey & { id: number }) | undefined> {
  const userId = code.user_id;
  const user = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([shownName('users').as('name'), 'users.role'])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .where('users.removed_at', 'is', null)
    .where('accounts.status', '=', 'active')
    .executeTakeFirst();
  if (!user || !permissionsOf(user.role).includes('update_settings')) return undefined;
  const scopes = code.scopes.split(' ') as Scope[];
  const input = { userId, name: readClient(code.client_id).name, expiresAt: Date.now() + KEY_LIFETIME_MS, scopes };
  // Records the user's IP address: the request's address is the program's.
  const { id, key } = await issueKey(trx, accountId, input, { userId, name: user.name, ip: code.ip });
  return { id, key, scopes };
}
