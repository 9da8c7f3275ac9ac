import type { InferOutput } from 'valibot';
import { AppError } from '../../errors.ts';
import {
  type AuthorizationRequest,
  assistantScopes,
  authorizeClient,
  checkAuthorizationRequest,
} from '../../oauth/authorize-client.ts';
import { isOwnResource } from '../../oauth/resource.ts';
import { queryValues } from '../../query.ts';
import { authorizationQuery, authorizeInput } from './contract/authorization.ts';
import type { AuthorizationJson, AuthorizedJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes by which a user sees a program's request for an API key, and grants it. */
export function authorizationRoutes({ config }: RouteDependencies): AdminRoute[] {
  const { publicUrl } = config;
  return [
    route('GET /admin/authorization', {
      needs: 'update_settings',
      impersonation: 'refused',
      query: authorizationQuery,
      handle: ({ ctx, query }) => {
        checkOnce(ctx.query);
        const request = readRequest(query, publicUrl);
        const { name } = checkAuthorizationRequest(request);
        const wanted = query.scope?.split(' ') ?? [];
        const asked = assistantScopes.filter((scope) => wanted.includes(scope));
        return jsonResponse(200, {
          name,
          host: hostOf(request.redirectUri),
          scopes: asked.length > 0 ? asked : [...assistantScopes],
          deniedUrl: answerUrl(query, publicUrl, { error: 'access_denied' }),
        } satisfies AuthorizationJson);
      },
    }),
    route('POST /admin/authorizations', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: authorizeInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const input = { ...readRequest(body, publicUrl), scopes: body.scopes };
        const code = await change((trx) => authorizeClient(trx, accountId, input, actor));
        return jsonResponse(201, { url: answerUrl(body, publicUrl, { code }) } satisfies AuthorizedJson);
      },
    }),
  ];
}

/** Returns the host of a web URL, or the scheme of an app's URL: an app can put any host into its own. */
function hostOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return ['https:', 'http:'].includes(protocol) ? host : protocol.slice(0, -1);
}

type Query = InferOutput<typeof authorizationQuery>;

/**
 * Checks that no parameter is repeated (RFC 6749, section 3.1): otherwise the user might be shown one program, and the answer be
 * sent to another.
 * @throws AppError `malformed`
 */
function checkOnce(text: string): void {
  for (const name of Object.keys(authorizationQuery.entries)) {
    const [, second] = queryValues(text, name);
    if (second !== undefined) throw new AppError('malformed', `The program sent "${name}" twice.`);
  }
}

/** @throws AppError `malformed` */
function readRequest(query: Query, publicUrl: string): AuthorizationRequest {
  if (query.response_type !== 'code' || query.code_challenge_method !== 'S256') {
    throw new AppError('malformed', 'The program must request a code, with a code_challenge of the method S256.');
  }
  if (query.resource !== undefined && !isOwnResource(query.resource, publicUrl)) {
    throw new AppError('malformed', 'The program asks for a key for another service.');
  }
  return { clientId: query.client_id, redirectUri: query.redirect_uri, challenge: query.code_challenge };
}

/** Returns the redirect URI with the answer. Its `iss` names this service, so that the program knows who answers (RFC 9207). */
function answerUrl(
  { redirect_uri, state }: Query,
  publicUrl: string,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirect_uri);
  const all = { ...answer, ...(state !== undefined && { state }), iss: publicUrl };
  for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
  return url.href;
}
