import type { Trx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';

/**
 * The most keys of an account: more than an account has programs, and few enough for one list. Each key has its own rate
 * limit.
 */
const MAX_KEYS = 200;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Checks that a user may issue one more key of the account, which the caller has locked. A key counts while it works, and
 * for at least a day: otherwise the list could grow with keys that are revoked at once.
 * @throws AppError `conflict`
 */
export async function checkKeyCount(trx: Trx, accountId: number): Promise<void> {
  const now = Date.now();
  const { count } = await trx
    .selectFrom('api_keys')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where((e) => {
      const works = e.and([
        e('revoked_at', 'is', null),
        e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]),
      ]);
      return e.or([e('created_at', '>', now - DAY_MS), works]);
    })
    .executeTakeFirstOrThrow();
  if (count >= MAX_KEYS) throw new Refusal('conflict', { reason: 'too_many_keys', params: { max: MAX_KEYS } });
}
