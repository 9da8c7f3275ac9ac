import { admitKey } from '../../api-keys/admit-key.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { UserActor } from '../../audit/record-audit-event.ts';
import { type Db, inTransaction, type Trx } from '../../db/database.ts';
import { ValidationError } from '../../errors.ts';
import type { RequestContext } from '../request-context.ts';
import { type IdPrefix, idInPath } from './ids.ts';
import type { ChangeRequest } from './operation.ts';

/**
 * Returns a change that calls `work` as the key's user, in one transaction. `fieldNames` maps field names in validation
 * errors to the API's names.
 */
export function changing<T>(
  keyOwner: KeyOwner,
  { ip }: RequestContext,
  work: (trx: Trx, by: UserActor) => Promise<T>,
  fieldNames: Readonly<Record<string, string>> = {},
): (db: Db) => Promise<T> {
  return async (db) => {
    try {
      return await inTransaction(db, async (trx) => work(trx, await admitKey(trx, keyOwner, ip)));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError(
        error.fields.map((broken) => ({ ...broken, field: fieldNames[broken.field] ?? broken.field })),
      );
    }
  };
}

/** Returns a `prepare` function for a change without fields of the object whose id is in the path. */
export function changingById(
  prefix: IdPrefix,
  verb: (trx: Trx, accountId: number, id: number, by: UserActor) => Promise<unknown>,
) {
  return async ({ keyOwner, ctx, id: text }: Pick<ChangeRequest, 'keyOwner' | 'ctx' | 'id'>) => {
    const id = idInPath(prefix, text);
    return changing(keyOwner, ctx, (trx, by) => verb(trx, keyOwner.accountId, id, by));
  };
}
