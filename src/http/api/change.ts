import { createHash } from 'node:crypto';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { ChangeTooLong } from '../../db/long-changes.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { fingerprintOf, runOnce, type StoredResponse } from '../../idempotency/run-once.ts';
import { holderFinder } from '../../tenancy/holder.ts';
import { hasBody, isLarge, queueLargeInput, queueLongChange, withBody } from '../body.ts';
import { jsonText } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { presentedKey } from './access.ts';
import type { ApiDependencies, ChangeDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import { fieldPairs } from './field-pairs.ts';
import type { Addressed, ChangeOperation, ObjectSchema } from './operation.ts';
import { NoField, readFields } from './read-fields.ts';

/** A document up to this size is read in the main thread. A longer one may have thousands of items. */
const MAX_SMALL_DOCUMENT_BYTES = 32 * 1024;

/**
 * Reads the body and answers the request. Large requests are handled by another thread, and changes of many pages by a
 * third.
 */
export async function change(
  dependencies: Pick<ApiDependencies, keyof ChangeDependencies | 'answerInThread' | 'answerLongChange' | 'archives'>,
  ctx: RequestContext,
  keyOwner: KeyOwner,
  { operation, id }: Addressed<ChangeOperation>,
): Promise<HttpResponse> {
  const { db, config, answerInThread, answerLongChange, archives } = dependencies;
  const { query, request } = ctx;
  const { accountId } = keyOwner;
  return answering(operation, async () => {
    // Read early, so that an invalid key is refused before the body is read.
    readIdempotencyKey(ctx);
    const findHolder = holderFinder(db, accountId);
    const options = { limit: config.maxBodyBytes, findHolder };
    if (operation.document?.takesMinutes?.(ctx)) {
      return archives.answer(accountId, ctx, {
        surface: 'api',
        findHolder,
        fetchesImages: operation.document.fetchesImages?.(ctx) ?? false,
        // With its own queue, this request does not block other large bodies while its images are made.
        receive: () => withBody(request, { ...options, hasOwnQueue: true }, (bytes) => bytes),
      });
    }
    const storedBytes = operation.countTexts ? await operation.countTexts(db, keyOwner, id) : 0;
    const beside = query.length + storedBytes;
    const hasOwnQueue = operation.document !== undefined;
    const changeLong = (body: Buffer | undefined) =>
      queueLongChange(findHolder, () => answerLongChange('api', ctx, body));
    const work = async (body: Buffer | undefined) => {
      const bytes = beside + (body?.length ?? 0);
      if (operation.document && bytes > MAX_SMALL_DOCUMENT_BYTES) return changeLong(body);
      if (isLarge(bytes)) return answerInThread('api', ctx, body);
      try {
        return await changeOnce(dependencies, ctx, keyOwner, { operation, id }, body);
      } catch (error) {
        if (!(error instanceof ChangeTooLong)) throw error;
        return changeLong(body);
      }
    };
    // The body is read first: a client that is still sending should not be cut off, whatever its query holds.
    return operation.input && hasBody(request)
      ? withBody(request, { ...options, beside, hasOwnQueue }, work)
      : queueLargeInput(beside, findHolder, () => work(undefined));
  });
}

/** Answers a change that has been authorized and whose body has been read. */
export function answerChange(
  dependencies: ChangeDependencies,
  ctx: RequestContext,
  keyOwner: KeyOwner,
  addressed: Addressed<ChangeOperation>,
  body: Buffer | undefined,
): Promise<HttpResponse> {
  return answering(addressed.operation, () => changeOnce(dependencies, ctx, keyOwner, addressed, body));
}

/** Reads the fields, makes the change once per idempotency key, and returns the answer. */
async function changeOnce(
  dependencies: ChangeDependencies,
  ctx: RequestContext,
  keyOwner: KeyOwner,
  { operation, id }: Addressed<ChangeOperation>,
  body: Buffer | undefined,
): Promise<HttpResponse> {
  const { input, document, noErrors = [], present = fieldPairs, fingerprintName, idPrefix } = operation;
  const { answerOf, storedAnswerOf } = operation;
  const isIdAsked = idPrefix !== undefined && prefersRepresentation(ctx);
  const subject = [fingerprintName, ...(id === '' ? [] : [id]), ...(isIdAsked ? ['with id'] : [])].join(' ');
  const success = { response: true, errors: noErrors };
  const answerWith = (result: unknown, properties?: object) =>
    stored(200, { ...success, ...(isIdAsked && { id: `${idPrefix}${idOf(result)}` }), ...properties });
  const needsField = operation.method === 'PATCH';
  const fields = input ? await readFields(ctx, input, document ? undefined : body, { needsField }) : {};
  const idempotencyKey = operation.isDryRun?.(fields) ? undefined : readIdempotencyKey(ctx);
  const fingerprinted = document && body ? { ...fields, document: sha256(body) } : fields;
  const { status, answer } = await runOnce(dependencies.db, {
    accountId: keyOwner.accountId,
    apiKeyId: keyOwner.keyId,
    idempotencyKey,
    fingerprint: idempotencyKey === undefined ? '' : fingerprintOf(presentedKey(ctx)!, subject, fingerprinted),
    success: stored(200, success),
    ...((isIdAsked || answerOf) && { successOf: (result) => answerWith(result, answerOf?.(result)) }),
    ...(storedAnswerOf && { storedSuccessOf: (result) => answerWith(result, storedAnswerOf(result)) }),
    failure: (error) => stored(422, { response: false, errors: present(error) }),
    prepare: () => operation.prepare({ fields, keyOwner, ctx, dependencies, id, body }),
  });
  if (status === 200 && operation.sendsMail) dependencies.onMailQueued();
  return jsonText(status, answer, isIdAsked && status === 200 ? ['Preference-Applied', REPRESENTATION] : []);
}

/** Calls `work`, and turns errors in the request's format into answers. */
async function answering(
  { input, document, malformedMessage, present = fieldPairs }: ChangeOperation,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'malformed') {
      if (error instanceof NoField) return failure(400, error.message);
      return failure(400, malformedMessage ?? (input && !document ? howToSend(input) : error.message));
    }
    // This is an invalid Idempotency-Key. Violations of the operation's own rules have been answered and stored above.
    if (error instanceof ValidationError) return failure(422, present(error));
    throw error;
  }
}

/** Returns a message that says how to send the fields, for a client whose request cannot be understood. */
function howToSend({ object, fields }: ObjectSchema): string {
  const [name] = Object.keys(fields);
  return `The request is malformed. Send ${object}[${name}] and other fields as a form or in the query, or {"${object}": {"${name}": …}} as application/json, each field once.`;
}

/** Returns the id of the object that a change has created. */
function idOf(made: unknown): unknown {
  return typeof made === 'object' && made !== null && 'id' in made ? made.id : made;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function stored(status: number, value: unknown): StoredResponse {
  return { status, answer: JSON.stringify(value) };
}

const REPRESENTATION = 'return=representation';

/** Returns whether the client asks for the id of the created object (RFC 7240). */
function prefersRepresentation({ request }: RequestContext): boolean {
  const { prefer } = request.headers;
  return (
    prefer !== undefined &&
    String(prefer)
      .split(',')
      .some((one) => one.trim().toLowerCase() === REPRESENTATION)
  );
}

function readIdempotencyKey({ request }: RequestContext): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // The IETF's draft has quotes around the key, but most clients send it without.
  const bare = String(key)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(bare)) {
    throw new ValidationError([{ field: 'idempotency_key', code: 'not_an_idempotency_key' }]);
  }
  return bare;
}
