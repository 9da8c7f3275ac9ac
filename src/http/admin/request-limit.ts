import { TooManyAttempts } from '../../users/throttle.ts';
import type { RateLimit } from '../limits.ts';

/** Counts a request against the limit of its key. @throws TooManyAttempts */
export async function checkLimit(limit: RateLimit, key: string): Promise<void> {
  const { isAllowed, resetIn } = await limit.take(key);
  if (!isAllowed) throw new TooManyAttempts(resetIn);
}
