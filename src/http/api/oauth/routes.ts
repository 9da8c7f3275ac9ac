import { AppError } from '../../../errors.ts';
import { assistantScopes } from '../../../oauth/authorize-client.ts';
import { registerClient } from '../../../oauth/client.ts';
import { KEY_LIFETIME_MS, redeemCode } from '../../../oauth/redeem-code.ts';
import { isOwnResource } from '../../../oauth/resource.ts';
import { strangerHolderFinder } from '../../../tenancy/holder.ts';
import { withBody } from '../../body.ts';
import { network } from '../../client.ts';
import { decodeUtf8 } from '../../form.ts';
import { json, jsonHeaders } from '../../json.ts';
import { rateLimitHeaders } from '../../limits.ts';
import { byteString, type HttpResponse, type RequestContext } from '../../request-context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { failure } from '../failure.ts';
import { MCP_PATH, RESOURCE_METADATA_PATH } from '../mcp.ts';

/*
 * OAuth 2.1 with PKCE, by which a program gets a key without a user having to copy one, as the Model Context Protocol
 * requires. The program discovers the endpoints (RFC 9728, RFC 8414), registers itself (RFC 7591), and opens the app's
 * screen /authorize in the user's browser. It then redeems the code that it receives for an API key.
 */

/** More than a registration or a token request has. */
const MAX_BODY_BYTES = 16 * 1024;

type Handler = (ctx: RequestContext) => HttpResponse | Promise<HttpResponse>;

/** Returns the handler for programs that need a key. It needs no key itself, and returns undefined for other paths. */
export function oauthHandler(dependencies: ApiDependencies): (ctx: RequestContext) => ReturnType<Handler> | undefined {
  const { publicUrl } = dependencies.config;
  const resource = {
    resource: `${publicUrl}${MCP_PATH}`,
    authorization_servers: [publicUrl],
    scopes_supported: assistantScopes,
    bearer_methods_supported: ['header'],
  };
  const server = {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    scopes_supported: assistantScopes,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  const routes: Readonly<Record<string, readonly [method: 'GET' | 'POST', handle: Handler]>> = {
    '/.well-known/oauth-protected-resource': ['GET', () => json(200, resource)],
    [RESOURCE_METADATA_PATH]: ['GET', () => json(200, resource)],
    '/.well-known/oauth-authorization-server': ['GET', () => json(200, server)],
    '/oauth/register': ['POST', (ctx) => withText(ctx, (text) => register(text))],
    '/oauth/token': ['POST', (ctx) => withText(ctx, (text) => issueToken(dependencies, ctx, text))],
  };
  return (ctx) => {
    if (!Object.hasOwn(routes, ctx.path)) return undefined;
    ctx.route = ctx.path;
    const [method, handle] = routes[ctx.path]!;
    if (ctx.request.method !== method) {
      return failure(405, `Method not allowed here. Allowed: ${method}.`, ['Allow', method]);
    }
    if (dependencies.httpsOnly && !ctx.isHttps) throw new AppError('forbidden', 'HTTPS is required.');
    return handle(ctx);
  };
}

function withText(ctx: RequestContext, work: (text: string) => HttpResponse | Promise<HttpResponse>) {
  const options = { limit: MAX_BODY_BYTES, findHolder: strangerHolderFinder(network(ctx.ip)) };
  return withBody(ctx.request, options, (bytes) => work(decodeUtf8(bytes)));
}

function register(text: string): HttpResponse {
  const { client_name: name = 'Assistant', redirect_uris: redirectUris } = readObject(text);
  try {
    if (!Array.isArray(redirectUris)) throw new AppError('malformed', 'redirect_uris must be a list of addresses.');
    const id = registerClient({ name: name as string, redirectUris });
    return unstored(201, {
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusal('invalid_client_metadata', error.message);
  }
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AppError('malformed', 'The body must be a JSON object.');
}

async function issueToken(
  { db, config, failedKeyLimit }: ApiDependencies,
  ctx: RequestContext,
  text: string,
): Promise<HttpResponse> {
  const form = new URLSearchParams(text);
  const field = (name: string) => form.get(name) ?? '';
  if (field('grant_type') !== 'authorization_code') {
    return refusal('unsupported_grant_type', 'grant_type must be authorization_code.');
  }
  const resource = form.get('resource');
  if (resource !== null && !isOwnResource(resource, config.publicUrl)) {
    return refusal('invalid_target', `resource must be ${config.publicUrl}${MCP_PATH}.`);
  }
  const input = { code: field('code'), clientId: field('client_id'), redirectUri: field('redirect_uri') };
  try {
    const { key, scopes } = await redeemCode(db, { ...input, verifier: field('code_verifier') });
    return unstored(200, {
      access_token: key,
      token_type: 'Bearer',
      expires_in: KEY_LIFETIME_MS / 1000,
      scope: scopes.join(' '),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    const verdict = failedKeyLimit.enabled ? await failedKeyLimit.take(network(ctx.ip)) : undefined;
    if (verdict && !verdict.isAllowed) {
      return failure(429, 'Too many requests with a wrong code.', rateLimitHeaders(verdict));
    }
    return refusal('invalid_grant', error.message);
  }
}

/** Returns an error in OAuth's format. */
function refusal(error: string, description: string): HttpResponse {
  return unstored(400, { error, error_description: description });
}

/** Returns an answer that may have a secret, with headers that forbid every cache to store it. */
function unstored(status: number, value: object): HttpResponse {
  const body = byteString(JSON.stringify(value));
  const headers = jsonHeaders.map((text) => (text === 'private, no-cache' ? 'no-store' : text));
  return { status, headers: [...headers, 'Content-Length', String(body.length)], body };
}
