import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { inEnglish } from '../english.ts';
import { validateName } from '../name.ts';
import type { Findings } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';

/**
 * Checks that accounts have valid names, and subdomains that are valid in an address. Whether a subdomain is reserved is
 * checked only when it is chosen.
 */
export async function checkNames(trx: Trx, findings: Findings): Promise<void> {
  const accounts = readInBatches<{ id: number; name: string; subdomain: string }>((after, limit) =>
    trx
      .selectFrom('accounts')
      .select(['id', 'name', 'subdomain'])
      .where('deleted_at', 'is', null)
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limitInIndexOrder(limit))
      .execute(),
  );
  for await (const { id, name, subdomain } of accounts) {
    const broken = validateName(name.trim());
    if (broken) findings.add('names', `account_${id}: its name ${inEnglish(broken)}.`);
    if (!/^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(subdomain)) {
      findings.add('names', `account_${id}: its subdomain ${JSON.stringify(subdomain)} cannot be part of an address.`);
    }
  }
}
