import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { assertKeyActive, invalidKey } from '../api-keys/assert-key-active.ts';
import { isDangling, violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';
import { AppError, ValidationError } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';

/** How long a response is stored. */
export const RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * A longer failure is not stored. It changes nothing, so a retry simply fails again. If it were stored, requests that create
 * nothing could fill the database.
 */
const MAX_STORED_FAILURE_CHARACTERS = 64 * 1024;

/** How many stored responses one transaction deletes. */
const BATCH_SIZE = 500;

/** A stored response: the status and the text of the body. */
export interface StoredResponse {
  status: number;
  answer: string;
}

interface OnceInput {
  accountId: number;
  apiKeyId: number;
  /** The client's `Idempotency-Key`; undefined if it sent none. */
  idempotencyKey: string | undefined;
  /** See `fingerprintOf`. */
  fingerprint: string;
  /** The response if the change succeeds. */
  success: StoredResponse;
  /** Makes the response from the result of the change. Replaces `success`. */
  successOf?: (result: unknown) => StoredResponse;
  /** Makes the response that later requests with the key get, if it differs: without secrets. */
  storedSuccessOf?: (result: unknown) => StoredResponse;
  /** Checks and computes before the transaction. Returns the function that changes the data. */
  prepare: () => Promise<Change>;
  /** Makes the response to a ValidationError, which is stored like a success. */
  failure: (error: ValidationError) => StoredResponse;
}

/** Changes the data, in the given transaction or in a new one. */
export type Change = (db: Db | Trx) => Promise<unknown>;

/**
 * Runs a request once. Requests with the same key and fingerprint within 24 hours get the first response again, even after a
 * restart and from any process. The response is stored in the transaction of the change.
 * @throws ValidationError if the key was used for another request; AppError `unauthorized`, `suspended` for a failure whose
 * API key has ended meanwhile; anything else that `prepare` or its change throws.
 */
export async function runOnce(db: Db, input: OnceInput): Promise<StoredResponse> {
  const { idempotencyKey } = input;
  if (idempotencyKey === undefined) {
    try {
      const change = await input.prepare();
      const result = await change(db);
      return input.successOf?.(result) ?? input.success;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      await assertKeyActive(db, input.accountId, input.apiKeyId);
      return input.failure(error);
    }
  }

  const use = { ...input, idempotencyKey };
  const stored = await find(db, use);
  if (stored) return stored;
  try {
    const change = await input.prepare();
    return await db.transaction().execute(async (trx) => {
      // Stored early, so that a second request with this key waits here for the outcome of the first.
      await store(trx, use, input.success);
      const result = await change(trx);
      if (!input.successOf) return input.success;
      await replace(trx, use, (input.storedSuccessOf ?? input.successOf)(result));
      return input.successOf(result);
    });
  } catch (error) {
    if (violatedUniqueRule(error) === 'idempotency_key') return findInTurn(db, use);
    // The account, and with it the API key, has just been deleted.
    if (isDangling(error)) throw invalidKey();
    if (!(error instanceof ValidationError)) throw error;
    const failure = input.failure(error);
    if (failure.answer.length <= MAX_STORED_FAILURE_CHARACTERS) return storeFailure(db, use, failure);
    await assertKeyActive(db, input.accountId, input.apiKeyId);
    return failure;
  }
}

/**
 * Returns a value that distinguishes requests without revealing their fields. The HMAC's secret is the API key, which is not
 * stored, so not even a weak password among the fields can be guessed from the value.
 */
export function fingerprintOf(
  apiKey: string,
  operation: string,
  fields: Readonly<Record<string, string | undefined>>,
): string {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', apiKey)
    .update(JSON.stringify([operation, sorted]))
    .digest('hex');
}

/** Deletes expired responses. Returns the number of deleted responses. */
export async function pruneStoredResponses(db: Db, part = BATCH_SIZE): Promise<number> {
  return inBatches(db, part, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('idempotency')
      .where(({ eb, refTuple, selectFrom }) => {
        const old = selectFrom('idempotency')
          .select(['account_id', 'api_key_id', 'key'])
          .where('created_at', '<=', Date.now() - RETENTION_MS)
          .orderBy('created_at')
          .limit(part);
        const key = refTuple('account_id', 'api_key_id', 'key');
        return eb(key, 'in', old.$asTuple('account_id', 'api_key_id', 'key'));
      })
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

interface Use extends Pick<OnceInput, 'accountId' | 'apiKeyId' | 'fingerprint'> {
  idempotencyKey: string;
}

async function find(db: Db | Trx, { accountId, apiKeyId, idempotencyKey, fingerprint }: Use) {
  const row = await db
    .selectFrom('idempotency')
    .select(['status', 'answer', 'fingerprint'])
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', idempotencyKey)
    .where('created_at', '>', Date.now() - RETENTION_MS)
    .executeTakeFirst();
  if (row && row.fingerprint !== fingerprint) {
    throw new ValidationError([{ field: 'idempotency_key', code: 'already_used' }]);
  }
  return row && { status: row.status, answer: row.answer };
}

async function store(trx: Trx, use: Use, { status, answer }: StoredResponse): Promise<void> {
  const { accountId, apiKeyId, idempotencyKey, fingerprint } = use;
  // The response's foreign key locks the API key, so the account must be locked before.
  await lockAccount(trx, accountId);
  await trx
    .deleteFrom('idempotency')
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', idempotencyKey)
    .where('created_at', '<=', Date.now() - RETENTION_MS)
    .execute();
  const { numAffectedRows } = await sql`
    insert into idempotency (account_id, api_key_id, key, fingerprint, status, answer, created_at)
    select id, cast(${apiKeyId} as bigint), ${idempotencyKey}, ${fingerprint}, cast(${status} as bigint), ${answer},
      cast(${Date.now()} as bigint)
    from accounts where id = ${accountId} and deleted_at is null`.execute(trx);
  // The account has just been deleted.
  if (numAffectedRows === 0n) throw invalidKey();
}

async function replace(trx: Trx, { accountId, apiKeyId, idempotencyKey }: Use, { answer }: StoredResponse) {
  await trx
    .updateTable('idempotency')
    .set({ answer })
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', idempotencyKey)
    .execute();
}

/** Stores a failure. If a request with the same key got a response in the meantime, returns that response instead. */
async function storeFailure(db: Db, use: Use, failure: StoredResponse): Promise<StoredResponse> {
  try {
    await db.transaction().execute(async (trx) => {
      await store(trx, use, failure);
      await assertKeyActive(trx, use.accountId, use.apiKeyId);
    });
    return failure;
  } catch (error) {
    if (violatedUniqueRule(error) !== 'idempotency_key') throw error;
    return findInTurn(db, use);
  }
}

/**
 * Returns the response to the faster request. It is read in a transaction, which on SQLite joins the same group commit. The
 * stored response is visible there before it is on disk; this one resolves only when both transactions are.
 */
async function findInTurn(db: Db, use: Use): Promise<StoredResponse> {
  const stored = await db.transaction().execute((trx) => find(trx, use));
  if (stored) return stored;
  throw new AppError('unavailable', 'A request with this Idempotency-Key is being worked on. Try again.');
}
