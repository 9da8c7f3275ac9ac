import { normalSubdomain, subdomainHeldUntil, TAKEN } from '../accounts/subdomain.ts';
import type { Db } from '../db/database.ts';
import { type FieldError, ValidationError } from '../errors.ts';
import { time } from './output.ts';

/**
 * Does what gives an account the subdomain. Where that is refused because another one gave it up lately, the operator is
 * told until when it is kept: no list has it, and it looks like nobody's.
 */
export async function explainHeldSubdomain<T>(db: Db, subdomain: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const until = await subdomainHeldUntil(db, normalSubdomain(subdomain));
    if (until === undefined) throw error;
    const explained = error.failures.map(([field, message]): FieldError => {
      const isTaken = field.endsWith('subdomain') && message === TAKEN;
      return [
        field,
        isTaken ? `${message}: an account gave it up, and it is kept from others until ${time(until)}` : message,
      ];
    });
    throw new ValidationError(explained);
  }
}
