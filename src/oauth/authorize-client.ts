import type { Scope } from '../api-keys/scopes.ts';
import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { hashToken, newToken } from '../users/token.ts';
import { type Client, readClient } from './client.ts';

/** The scopes that a user can allow an assistant: those of the tools that it gets. */
export const assistantScopes = [
  'pages:read',
  'pages:write',
  'customers:read',
  'customers:write',
  'revenue:read',
] as const satisfies readonly Scope[];

/** How long a code can be redeemed: the program is waiting for it. */
const CODE_LIFETIME_MS = 60_000;

/** The authorization request of a program, as it is in the URL that the program opens. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The SHA-256 of a secret that only the program has (PKCE), in base64url. */
  readonly challenge: string;
}

/**
 * Checks an authorization request, and returns the requesting program.
 * @throws AppError `malformed`: the user must then not be redirected to it
 */
export function checkAuthorizationRequest({ clientId, redirectUri, challenge }: AuthorizationRequest): Client {
  const client = readClient(clientId);
  if (!client.redirectUris.includes(redirectUri)) {
    throw new AppError('malformed', 'The redirect_uri is not registered for this program. Connect the program again.');
  }
  if (!/^[\w-]{43}$/.test(challenge))
    throw new AppError('malformed', 'The program must send a code_challenge with the method S256.');
  return client;
}

/**
 * Records that a user allows a program the scopes, and returns the code that the program redeems for a key (`redeemCode`).
 * The code cannot be read again. The audit log records the key when it is issued.
 * @throws AppError `malformed`
 */
export async function authorizeClient(
  trx: Trx,
  accountId: number,
  { scopes, ...request }: AuthorizationRequest & { scopes: readonly string[] },
  { userId, ip }: UserActor,
): Promise<string> {
  checkAuthorizationRequest(request);
  const chosen = assistantScopes.filter((scope) => scopes.includes(scope));
  if (chosen.length === 0 || chosen.length !== scopes.length) {
    throw new AppError('malformed', `Choose one or more of ${assistantScopes.join(', ')}.`);
  }
  const now = Date.now();
  await trx.deleteFrom('oauth_codes').where('account_id', '=', accountId).where('expires_at', '<=', now).execute();
  const code = newToken();
  await trx
    .insertInto('oauth_codes')
    .values({
      account_id: accountId,
      user_id: userId,
      code_hash: hashToken(code),
      challenge: request.challenge,
      scopes: chosen.join(' '),
      expires_at: now + CODE_LIFETIME_MS,
      client_id: request.clientId,
      redirect_uri: request.redirectUri,
      ip,
    })
    .execute();
  return code;
}
