import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { type Change, fingerprintOf, runOnce, type StoredResponse } from '../../idempotency/run-once.ts';
import { runInSteps } from '../../steps.ts';
import { hasBody, letOthersIn, queueLargeInput, withBody } from '../body.ts';
import { jsonText } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { presentedKey } from './access.ts';
import type { ApiDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import type { ObjectSchema } from './operations.ts';
import { readFields } from './read-fields.ts';

/** What the two creations differ in. */
export interface Creation {
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

/** The way of both creations: read the fields, do the work once, say how it went. */
export async function create(
  { db, config }: ApiDependencies,
  ctx: RequestContext,
  caller: KeyOwner,
  creation: Creation,
): Promise<HttpResponse> {
  const { operation, schema, noErrors, malformedMessage, present } = creation;
  try {
    const idempotencyKey = readIdempotencyKey(ctx);
    const work = async (body: Buffer | undefined): Promise<StoredResponse> => {
      const fields = await readFields(ctx, schema, body);
      if (body) await letOthersIn(body);
      const fingerprint =
        idempotencyKey === undefined ? '' : await runInSteps(fingerprintOf(presentedKey(ctx)!, operation, fields));
      return runOnce(db, {
        accountId: caller.accountId,
        apiKeyId: caller.keyId,
        idempotencyKey,
        fingerprint,
        success: stored(200, { response: true, errors: noErrors }),
        failure: (error) => stored(422, { response: false, errors: present(error) }),
        prepare: () => creation.prepare(fields),
      });
    };
    // The body first: a client that is still sending one had better be heard out, whatever its query holds.
    const { query, request } = ctx;
    const options = { limit: config.maxBodyBytes, fairnessKey: caller.accountId, beside: query.length };
    const { status, answer } = await (hasBody(request)
      ? withBody(request, options, work)
      : queueLargeInput(query.length, caller.accountId, () => work(undefined)));
    if (status === 200) creation.afterwards?.();
    return jsonText(status, answer);
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
    throw new ValidationError([['idempotency_key', 'must be 1 to 255 printable ASCII characters without spaces']]);
  }
  return bare;
}
