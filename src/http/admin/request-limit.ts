import { TooManyAttempts } from '../../users/throttle.ts';
import type { RateLimit } from '../limits.ts';

/** Takes one of what the key may ask for in a minute. @throws TooManyAttempts */
export async function checkLimit(limit: RateLimit, key: string): Promise<void> {
  const { allowed, resetIn } = await limit.take(key);
  if (!allowed) throw new TooManyAttempts(resetIn);
}
