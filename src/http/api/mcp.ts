import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { countForAccount } from '../../db/connection-turns.ts';
import { ChangeTooLong } from '../../db/long-changes.ts';
import { AppError } from '../../errors.ts';
import { holderFinder } from '../../tenancy/holder.ts';
import { hasBody, isLarge, queueLarge, queueLongChange, withBody } from '../body.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { authorize, exposesKey, httpsRequired, presentedKey } from './access.ts';
import type { ApiDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import type { MessageAnswerer } from './mcp/answer-message.ts';

/** The path of the MCP endpoint for AI assistants. */
export const MCP_PATH = '/mcp';

/** The path at which clients discover how to get a key (RFC 9728). */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

/**
 * Returns the handler of the endpoint for AI assistants: the Model Context Protocol over streamable HTTP. It is stateless,
 * so that any process can answer any message. It accepts the keys of the API, and counts and limits requests as the API
 * does.
 */
export function mcpHandler(
  dependencies: ApiDependencies,
): (ctx: RequestContext) => HttpResponse | Promise<HttpResponse> {
  const { publicUrl } = dependencies.config;
  const own = new URL(publicUrl).origin;
  const challenge = `Bearer realm="API", resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}"`;
  const loadAnswerer = lazyAnswerer(dependencies);
  return (ctx) => {
    ctx.route = MCP_PATH;
    const { method, headers } = ctx.request;
    if (method !== 'POST') {
      if (exposesKey(ctx, dependencies)) throw httpsRequired(ctx);
      return failure(405, 'Method not allowed here. Allowed: POST.', ['Allow', 'POST']);
    }
    // Only browsers send an Origin. A page of another origin may have made its own host name resolve to this address (DNS
    // rebinding).
    if (headers.origin !== undefined && headers.origin !== own) {
      return failure(403, 'Pages of other origins may not send requests here. Connect with a program instead.');
    }
    return challenging(ctx, challenge, () =>
      authorize(ctx, dependencies, async (owner) => {
        const keyOwner: KeyOwner = { ...owner, isAssistant: true };
        ctx.keyOwner = keyOwner;
        countForAccount(owner.accountId);
        return answer(dependencies, ctx, keyOwner, await loadAnswerer());
      }),
    );
  };
}

/**
 * Calls `work`, and adds a WWW-Authenticate header to a 401 (RFC 6750, section 3.1). The header tells a client without a key
 * how to get one, and a client with an invalid key that it must get a new one.
 */
async function challenging(
  ctx: RequestContext,
  challenge: string,
  work: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    const problem = presentedKey(ctx) === '' ? '' : ', error="invalid_token"';
    return failure(401, error.message, ['WWW-Authenticate', challenge + problem]);
  }
}

/**
 * Reads the body and answers the message. Messages that contain or concern large texts are handled by another thread, and
 * changes of many pages by a third.
 */
function answer(
  { db, config, answerInThread, answerLongChange }: ApiDependencies,
  ctx: RequestContext,
  keyOwner: KeyOwner,
  answerer: MessageAnswerer,
): Promise<HttpResponse> {
  const { request } = ctx;
  const findHolder = holderFinder(db, keyOwner.accountId);
  const work = async (body: Buffer) => {
    if (isLarge(body.length)) return answerInThread('api', ctx, body);
    try {
      const message = answerer.parse(body);
      if (isLarge(body.length + (await answerer.countTexts(keyOwner, message)))) {
        return await queueLarge(findHolder, () => answerInThread('api', ctx, body));
      }
      return await answerer.answer(ctx, keyOwner, message);
    } catch (error) {
      if (!(error instanceof ChangeTooLong)) throw error;
      return queueLongChange(findHolder, () => answerLongChange('api', ctx, body));
    }
  };
  return hasBody(request) ? withBody(request, { limit: config.maxBodyBytes, findHolder }, work) : work(Buffer.alloc(0));
}

/**
 * Returns a function that loads the protocol's library when the first assistant connects. The library takes 31 MB, which a
 * service without assistants does not need.
 */
export function lazyAnswerer(
  dependencies: Parameters<typeof import('./mcp/answer-message.ts').messageAnswerer>[0],
): () => Promise<MessageAnswerer> {
  let answerer: MessageAnswerer | undefined;
  return async () => {
    const { messageAnswerer } = await import('./mcp/answer-message.ts');
    answerer ??= messageAnswerer(dependencies);
    return answerer;
  };
}
