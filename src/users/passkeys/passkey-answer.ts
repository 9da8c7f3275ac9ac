import { AppError, type ErrorCode } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';

/** What a browser answers to a challenge, as far as we read it ourselves. */
export interface PasskeyAnswer {
  id: string;
  response: { clientDataJSON: string; userHandle?: unknown; transports?: unknown };
}

/** @throws AppError `malformed` when that is not what was sent. */
export function readPasskeyAnswer(value: unknown): PasskeyAnswer {
  const { id, response } = (value ?? {}) as Partial<PasskeyAnswer>;
  if (typeof id === 'string' && typeof response?.clientDataJSON === 'string') return value as PasskeyAnswer;
  throw new AppError('malformed', 'That is not what a passkey answers.');
}

/** What it checks comes from outside and may be anything; whatever it stumbles over was not right. @throws AppError */
export async function requireVerified<T extends { verified: boolean }>(
  code: ErrorCode,
  verify: () => Promise<T>,
): Promise<T & { verified: true }> {
  const result = await verify().catch((error: unknown) => {
    throw notVerified(code, error);
  });
  if (!result.verified) throw notVerified(code);
  return result as T & { verified: true };
}

export function notVerified(code: ErrorCode, cause?: unknown): AppError {
  return new Refusal(code, { reason: 'passkey_not_verified' }, { cause });
}
