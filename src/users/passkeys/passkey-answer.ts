import { AppError, type ErrorCode } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';

/** The parts of a browser's response to a challenge that we read ourselves. */
export interface PasskeyAnswer {
  id: string;
  response: { clientDataJSON: string; userHandle?: unknown; transports?: unknown };
}

/**
 * Checks the shape of a browser's response.
 * @throws AppError `malformed` if the value is not the response of a passkey.
 */
export function readPasskeyAnswer(value: unknown): PasskeyAnswer {
  const { id, response } = (value ?? {}) as Partial<PasskeyAnswer>;
  const isId = typeof id === 'string' && /^[\w-]+$/.test(id);
  if (isId && typeof response?.clientDataJSON === 'string') return value as PasskeyAnswer;
  throw new AppError('malformed', 'The response of the passkey is not valid. Try again.');
}

/**
 * Runs a verification by the library and throws unless it succeeds. The input may be anything, and every error means that it
 * is not valid.
 * @throws AppError
 */
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
