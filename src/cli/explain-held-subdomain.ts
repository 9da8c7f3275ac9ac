import { normalSubdomain, subdomainHeldUntil } from '../accounts/subdomain.ts';
import type { Db } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';

/**
 * Runs `work`, which gives the subdomain to an account. If another account has released the subdomain recently, the error
 * says until when it is reserved, since no list shows that.
 */
export async function explainHeldSubdomain<T>(db: Db, subdomain: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const until = await subdomainHeldUntil(db, normalSubdomain(subdomain));
    if (until === undefined) throw error;
    const explained = error.fields.map((broken): FieldError => {
      const isTaken = broken.field.endsWith('subdomain') && broken.code === 'taken';
      return isTaken ? { field: broken.field, code: 'kept_from_others', params: { until } } : broken;
    });
    throw new ValidationError(explained);
  }
}
