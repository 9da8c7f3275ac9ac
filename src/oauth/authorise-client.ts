import type { Scope } from '../api-keys/scopes.ts';
import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { hashToken, newToken } from '../users/token.ts';
import { type Client, readClient } from './client.ts';

/** The scopes that an assistant can be allowed: those of the tools that it gets. */
export const assistantScopes = [
  'pages:read',
  'pages:write',
  'customers:read',
  'customers:write',
  'revenue:read',
] as const satisfies readonly Scope[];

/** How long a code can be redeemed: the program is waiting for it. */
const CODE_LIFETIME_MS = 60_000;

/** The request of a program for a key, as it is in the URL that it opens. */
export interface AuthorisationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** SHA-256 of the secret that only the program has (PKCE), in base64url. */
  readonly challenge: string;
}

/** Returns the program that asks. @throws AppError `malformed`: then the person may not be sent back to it */
export function checkAuthorisationRequest({ clientId, redirectUri, challenge }: AuthorisationRequest): Client {
  const client = readClient(clientId);
  if (!client.redirectUris.includes(redirectUri)) {
    throw new AppError('malformed', 'The program wants the answer at an address that it is not registered for.');
  }
  if (!/^[\w-]{43}$/.test(challenge)) throw new AppError('malformed', 'The program sends no code_challenge with S256.');
  return client;
}

/**
 * Notes that a person allows a program the scopes, and returns the code that the program redeems for a key (`redeemCode`). This is
 * the only time it is seen. The key's issue is what is recorded.
 * @throws AppError `malformed`
 */
export async function authoriseClient(
  trx: Trx,
  accountId: number,
  { scopes, ...request }: AuthorisationRequest & { scopes: readonly string[] },
  { userId, ip }: UserActor,
): Promise<string> {
  checkAuthorisationRequest(request);
  const chosen = assistantScopes.filter((scope) => scopes.includes(scope));
  if (chosen.length === 0 || chosen.length !== scopes.length) {
    throw new AppError('malformed', `Choose some of ${assistantScopes.join(', ')}.`);
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
