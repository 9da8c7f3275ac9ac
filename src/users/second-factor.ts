import { hash, randomBytes } from 'node:crypto';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import type { MailSettings } from './forgotten-password.ts';
import { sendSecurityNotice } from './send-security-notice.ts';
import { resetAttempts, userKey } from './throttle.ts';
import { newSecret, stepOfCode } from './totp.ts';

/** Thrown when the password is right but a valid code of the second factor is missing. */
export class SecondFactorNeeded extends AppError {
  constructor(message: string) {
    super('unauthorized', message);
    this.name = 'SecondFactorNeeded';
  }
}

/** Returns true if the user has to enter a code to sign in. */
export async function hasSecondFactor(db: Db | Trx, accountId: number, userId: number): Promise<boolean> {
  const factor = await findSecondFactor(db, accountId, userId);
  return factor !== undefined && factor.confirmed_at !== null;
}

/**
 * Creates a secret for the user's authenticator app. The second factor becomes active with `confirmSecondFactor`.
 * @throws AppError `conflict` when the user has an active second factor.
 */
export async function beginSecondFactor(trx: Trx, accountId: number, userId: number): Promise<string> {
  if (await hasSecondFactor(trx, accountId, userId)) {
    throw new Refusal('conflict', { reason: 'second_factor_exists' });
  }
  const values = { secret: newSecret(), created_at: Date.now(), confirmed_at: null, last_step: 0 };
  await trx
    .insertInto('second_factors')
    .values({ account_id: accountId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet(values))
    .execute();
  return values.secret;
}

/**
 * Activates the second factor, and tells the user by mail. Returns the recovery codes, which cannot be read again.
 * @throws ValidationError when the code is wrong; RateLimited when the mailbox has received too much mail.
 */
export async function confirmSecondFactor(
  trx: Trx,
  accountId: number,
  code: string,
  by: UserActor,
  settings: MailSettings,
): Promise<string[]> {
  const { userId } = by;
  const factor = await findSecondFactor(trx, accountId, userId);
  if (!factor || factor.confirmed_at !== null) throw new Refusal('conflict', { reason: 'nothing_to_confirm' });
  const now = Date.now();
  const step = stepOfCode(factor.secret, normalizeCode(code), now);
  if (step === undefined) throw new ValidationError([{ field: 'code', code: 'wrong' }]);
  await trx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  await resetAttempts(trx, { clear: [userKey(userId)] });
  await sendSecurityNotice(trx, accountId, { kind: 'second factor added' }, by, settings);
  await recordAuditEvent(trx, accountId, by, { action: 'second_factor.added', subject: `user_${userId}` });
  return issueRecoveryCodes(trx, accountId, userId);
}

/**
 * Checks a code of the app or a recovery code, and marks it as used.
 * @throws SecondFactorNeeded when the code is wrong or was used before.
 */
export async function checkSecondFactor(trx: Trx, accountId: number, userId: number, code: string): Promise<void> {
  const factor = await findSecondFactor(trx, accountId, userId);
  const given = normalizeCode(code);
  const step = factor && stepOfCode(factor.secret, given, Date.now());
  const used =
    step === undefined
      ? await trx
          .updateTable('recovery_codes')
          .set({ used_at: Date.now() })
          .where('account_id', '=', accountId)
          .where('user_id', '=', userId)
          .where('hash', '=', hashCode(given))
          .where('used_at', 'is', null)
          .executeTakeFirstOrThrow()
      : await trx
          .updateTable('second_factors')
          .set({ last_step: step })
          .where('account_id', '=', accountId)
          .where('user_id', '=', userId)
          // Accepts each code once, even in concurrent requests.
          .where('last_step', '<', step)
          .executeTakeFirstOrThrow();
  if (used.numUpdatedRows === 0n) throw new SecondFactorNeeded('The code is wrong.');
}

/**
 * Removes the user's second factor. Tells the user by mail if it was active.
 * @throws RateLimited when the mailbox has received too much mail.
 */
export async function removeSecondFactor(
  trx: Trx,
  accountId: number,
  by: UserActor,
  settings: MailSettings,
): Promise<void> {
  const { userId } = by;
  const wasOn = await hasSecondFactor(trx, accountId, userId);
  for (const table of ['recovery_codes', 'second_factors'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).where('user_id', '=', userId).execute();
  }
  if (!wasOn) return;
  await sendSecurityNotice(trx, accountId, { kind: 'second factor removed' }, by, settings);
  await recordAuditEvent(trx, accountId, by, { action: 'second_factor.removed', subject: `user_${userId}` });
}

const RECOVERY_CODES = 10;

async function issueRecoveryCodes(trx: Trx, accountId: number, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(10).toString('hex'));
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, user_id: userId, hash: hashCode(code) })))
    .execute();
  return codes.map((code) => code.match(/.{5}/g)!.join('-'));
}

/** Returns a code without the spaces and hyphens that it was displayed with and that people copy. */
function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function hashCode(code: string): string {
  return hash('sha256', code, 'hex');
}

function findSecondFactor(db: Db | Trx, accountId: number, userId: number) {
  return db
    .selectFrom('second_factors')
    .select(['secret', 'confirmed_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
