import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { ImportRow } from './imports.ts';

/** How long the claim of a crashed process stays valid. Each part of an import renews it. */
export const LEASE_MS = 30_000;

/**
 * Claims a running import for a worker, or only the import `importId`. Skips imports of suspended accounts. Returns
 * undefined if there is none.
 */
export async function claimImport(db: Db, worker: string, importId?: number): Promise<ImportRow | undefined> {
  const now = Date.now();
  const isFree = (e: ExpressionBuilder<Schema, 'customer_imports'>) =>
    e.and([
      e('customer_imports.state', '=', 'running'),
      e.or([e('customer_imports.claimed_by', '=', worker), e('customer_imports.claimed_until', '<', now)]),
      ...(importId === undefined ? [] : [e('customer_imports.id', '=', importId)]),
    ]);
  // A separate query, so that an idle service writes nothing.
  const found = await db
    .selectFrom('customer_imports')
    .innerJoin('accounts', 'accounts.id', 'customer_imports.account_id')
    .select('customer_imports.id')
    .where('accounts.status', '=', 'active')
    .where('accounts.deleted_at', 'is', null)
    .where((e) => isFree(e as unknown as ExpressionBuilder<Schema, 'customer_imports'>))
    .orderBy('customer_imports.claimed_until')
    .limit(1)
    .executeTakeFirst();
  if (!found) return undefined;
  return db.transaction().execute((trx) =>
    trx
      .updateTable('customer_imports')
      .set({ claimed_by: worker, claimed_until: now + LEASE_MS })
      .where('id', '=', found.id)
      .where(isFree)
      .returningAll()
      .executeTakeFirst(),
  );
}

/** Releases an import, so that other workers can claim it at once. Imports that have waited longer come first. */
export async function releaseImport(db: Db, worker: string, { id }: ImportRow): Promise<void> {
  await db.transaction().execute((trx) =>
    trx
      .updateTable('customer_imports')
      .set({ claimed_by: null, claimed_until: Date.now() - 1 })
      .where('id', '=', id)
      .where('claimed_by', '=', worker)
      .execute(),
  );
}
