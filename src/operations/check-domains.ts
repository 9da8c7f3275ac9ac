import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { Findings, Problem } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';

/** Checks that hosts are spelled as visitors' requests name them, and that each is verified for one account only. */
export async function checkDomains(trx: Trx, findings: Findings): Promise<void> {
  const domains = readInBatches<{ id: number; host: string }>((after, limit) =>
    trx
      .selectFrom('domains')
      .select(['id', 'host'])
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limitInIndexOrder(limit))
      .execute(),
  );
  for await (const { id, host } of domains) {
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)) {
      findings.add('domains', `domain_${id}: "${host}" is not a host name in lower case.`);
    }
  }
  const { rows } = await sql<{ host: string; count: number }>`
    select host, count(*) as count from domains where verified_at is not null
    group by host having count(*) > 1 order by host limit 1000`.execute(trx);
  for (const { host, count } of rows) findings.add('domains', `"${host}" is verified for ${count} accounts.`);
}

/** Returns a note with the number of verified domains whose last check failed. */
export async function lostProofs(trx: Trx): Promise<Problem[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from domains where verified_at is not null and last_error is not null`.execute(trx);
  const count = Number(rows[0]?.count ?? 0);
  if (count === 0) return [];
  const what = count === 1 ? '1 verified domain was' : `${count} verified domains were`;
  return [{ check: 'domains', message: `${what} set up wrongly at the last check: see domain list.` }];
}
