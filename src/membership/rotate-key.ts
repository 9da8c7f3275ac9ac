import { rotateApiKey } from '../api-keys/rotate-api-key.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { checkKeyCount } from './check-key-count.ts';

const HOUR_MS = 60 * 60 * 1000;
const DEFAULT_OVERLAP_MS = 24 * HOUR_MS;
const MAX_OVERLAP_DAYS = 90;

interface RotateKeyInput {
  /** How long the old key still works; a day by default. */
  overlapMs: number | undefined;
  /** How long the new key works; null for no end, undefined for the period for which the old key was issued. */
  lifetimeMs: number | null | undefined;
  /** The latest time at which the new key expires; null for no limit. */
  latestEnd?: number | null;
  /** The agency that gets the new key, and the user under whom it acts. By default, the actor gets the key. */
  holder?: { userId: number; agency: { id: number; userId: number } };
  /** The key that rotates this one, if it is not the actor's. */
  issuedBy?: number | undefined;
}

/**
 * Issues the successor of a key, and lets the old key work for a while. The successor belongs to the user who sees it, and
 * so ends with that user's other keys. If the operator rotates the key, the successor belongs to the user of the old key.
 * @throws AppError `not_found`; ValidationError when the old key is revoked or expired, or the overlap is longer than 90
 * days.
 */
export async function rotateKey(
  trx: Trx,
  accountId: number,
  keyId: number,
  { overlapMs = DEFAULT_OVERLAP_MS, lifetimeMs, latestEnd, holder, issuedBy }: RotateKeyInput,
  by: Actor,
): ReturnType<typeof rotateApiKey> {
  if (overlapMs < 0 || overlapMs > MAX_OVERLAP_DAYS * 24 * HOUR_MS) {
    const params = { min: 0, max: MAX_OVERLAP_DAYS };
    throw new ValidationError([{ field: 'overlap', code: 'days_out_of_range', params }]);
  }
  await lockAccount(trx, accountId);
  if (by.userId !== null || holder) await checkKeyCount(trx, accountId);
  const { userId, agency } = holder ?? { userId: by.userId ?? undefined, agency: undefined };
  const period = { overlap: overlapMs, lifetime: lifetimeMs, latestEnd: latestEnd ?? null };
  const input = { ...period, userId, agency, issuedBy: issuedBy ?? by.keyId };
  const issued = await rotateApiKey(trx, accountId, keyId, input);
  const details = { successor: `key_${issued.id}`, overlapHours: overlapMs / HOUR_MS };
  await recordAuditEvent(trx, accountId, by, { action: 'key.rotated', subject: `key_${keyId}`, details });
  return issued;
}
