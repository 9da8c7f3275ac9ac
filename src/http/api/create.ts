import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { type Change, fingerprintOf, runOnce, type StoredResponse } from '../../idempotency/run-once.ts';
import { hasBody, isLarge, queueLargeInput, withBody } from '../body.ts';
import { jsonText } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { presentedKey } from './access.ts';
import type { ApiDependencies, CreationDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import type { ObjectSchema } from './operations.ts';
import { readFields } from './read-fields.ts';

/** The differences between the two creations. */
interface Creation {
  readonly operation: string;
  readonly schema: ObjectSchema;
  /** `errors` of a success. */
  readonly noErrors: null | readonly [];
  /** `errors` of a request that cannot be understood. */
  readonly malformedMessage: string;
  /** `errors` of one that breaks rules. */
  readonly present: (error: ValidationError) => unknown;
  /** Checks and computes, and returns what changes the data. */
  readonly prepare: (fields: ReadonlyMap<string, string>) => Promise<Change>;
  readonly afterwards?: () => void;
}

/** Makes a creation of a request. */
export type CreationOf = (dependencies: CreationDependencies, ctx: RequestContext, caller: KeyOwner) => Creation;

/** The way of both creations: reads the body and answers, for a large request in another thread. */
export async function create(
  dependencies: Pick<ApiDependencies, keyof CreationDependencies | 'answerElsewhere'>,
  ctx: RequestContext,
  caller: KeyOwner,
  creationOf: CreationOf,
): Promise<HttpResponse> {
  const { config, answerElsewhere } = dependencies;
  const { query, request } = ctx;
  const creation = creationOf(dependencies, ctx, caller);
  const { accountId } = caller;
  return answering(creation, async () => {
    // The answer to a wrong one does not wait for the body.
    readIdempotencyKey(ctx);
    const work = (body: Buffer | undefined) =>
      isLarge(query.length + (body?.length ?? 0))
        ? answerElsewhere('api', ctx, body)
        : createOnce(dependencies, ctx, caller, creation, body);
    // The body first: a client that is still sending one had better be heard out, whatever its query holds.
    return hasBody(request)
      ? withBody(request, { limit: config.maxBodyBytes, fairnessKey: accountId, beside: query.length }, work)
      : queueLargeInput(query.length, accountId, () => work(undefined));
  });
}

/** Answers a creation that has been admitted and whose body has been read. */
export function answerCreation(
  dependencies: Pick<CreationDependencies, 'db'>,
  ctx: RequestContext,
  caller: KeyOwner,
  creation: Creation,
  body: Buffer | undefined,
): Promise<HttpResponse> {
  return answering(creation, () => createOnce(dependencies, ctx, caller, creation, body));
}

/** Reads the fields, does the work once, says how it went. */
async function createOnce(
  { db }: Pick<CreationDependencies, 'db'>,
  ctx: RequestContext,
  caller: KeyOwner,
  creation: Creation,
  body: Buffer | undefined,
): Promise<HttpResponse> {
  const { operation, schema, noErrors, present } = creation;
  const idempotencyKey = readIdempotencyKey(ctx);
  const fields = await readFields(ctx, schema, body);
  const { status, answer } = await runOnce(db, {
    accountId: caller.accountId,
    apiKeyId: caller.keyId,
    idempotencyKey,
    fingerprint: idempotencyKey === undefined ? '' : fingerprintOf(presentedKey(ctx)!, operation, fields),
    success: stored(200, { response: true, errors: noErrors }),
    failure: (error) => stored(422, { response: false, errors: present(error) }),
    prepare: () => creation.prepare(fields),
  });
  if (status === 200) creation.afterwards?.();
  return jsonText(status, answer);
}

/** Does the work, and answers what may be wrong with the request. */
async function answering(
  { malformedMessage, present }: Creation,
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
