import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { fingerprintOf, runOnce, type StoredResponse } from '../../idempotency/run-once.ts';
import { hasBody, isLarge, queueLargeInput, withBody } from '../body.ts';
import { jsonText } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { presentedKey } from './access.ts';
import type { ApiDependencies, CreationDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import type { CreateOperation } from './operation.ts';
import { readFields } from './read-fields.ts';

/** Reads the body and answers, for a large request in another thread. */
export async function create(
  dependencies: Pick<ApiDependencies, keyof CreationDependencies | 'answerInThread'>,
  ctx: RequestContext,
  caller: KeyOwner,
  operation: CreateOperation,
): Promise<HttpResponse> {
  const { config, answerInThread } = dependencies;
  const { query, request } = ctx;
  const { accountId } = caller;
  return answering(operation, async () => {
    // The answer to a wrong one does not wait for the body.
    readIdempotencyKey(ctx);
    const work = (body: Buffer | undefined) =>
      isLarge(query.length + (body?.length ?? 0))
        ? answerInThread('api', ctx, body)
        : createOnce(dependencies, ctx, caller, operation, body);
    // The body first: a client that is still sending one had better be heard out, whatever its query holds.
    return hasBody(request)
      ? withBody(request, { limit: config.maxBodyBytes, fairnessKey: accountId, beside: query.length }, work)
      : queueLargeInput(query.length, accountId, () => work(undefined));
  });
}

/** Answers a creation that has been admitted and whose body has been read. */
export function answerCreation(
  dependencies: CreationDependencies,
  ctx: RequestContext,
  caller: KeyOwner,
  operation: CreateOperation,
  body: Buffer | undefined,
): Promise<HttpResponse> {
  return answering(operation, () => createOnce(dependencies, ctx, caller, operation, body));
}

/** Reads the fields, does the work once, says how it went. */
async function createOnce(
  dependencies: CreationDependencies,
  ctx: RequestContext,
  caller: KeyOwner,
  operation: CreateOperation,
  body: Buffer | undefined,
): Promise<HttpResponse> {
  const { input, noErrors, present } = operation;
  const idempotencyKey = readIdempotencyKey(ctx);
  const fields = await readFields(ctx, input, body);
  const { status, answer } = await runOnce(dependencies.db, {
    accountId: caller.accountId,
    apiKeyId: caller.keyId,
    idempotencyKey,
    fingerprint:
      idempotencyKey === undefined ? '' : fingerprintOf(presentedKey(ctx)!, operation.fingerprintName, fields),
    success: stored(200, { response: true, errors: noErrors }),
    failure: (error) => stored(422, { response: false, errors: present(error) }),
    prepare: () => operation.prepare(fields, caller, ctx, dependencies),
  });
  if (status === 200 && operation.sendsMail) dependencies.onMailQueued();
  return jsonText(status, answer);
}

/** Does the work, and answers what may be wrong with the request. */
async function answering(
  { malformedMessage, present }: CreateOperation,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'malformed') {
      return failure(400, malformedMessage);
    }
    // Of the Idempotency-Key: what breaks the operation's own rules has been answered, and stored, above.
    if (error instanceof ValidationError) return failure(422, present(error));
    throw error;
  }
}

function stored(status: number, value: unknown): StoredResponse {
  return { status, answer: JSON.stringify(value) };
}

function readIdempotencyKey({ request }: RequestContext): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Quoted as in the IETF's draft, or bare as everyone sends it.
  const bare = String(key)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(bare)) {
    throw new ValidationError([{ field: 'idempotency_key', code: 'not_an_idempotency_key' }]);
  }
  return bare;
}
