import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { bytesIn } from '../pages/page-bytes.ts';
import { beingPurged } from './check-deleted.ts';
import type { Findings } from './findings.ts';

/** Compares the stored byte count of each account with the sum over its texts. Reads the stored sizes, not the texts. */
export async function checkPageBytes(trx: Trx, findings: Findings): Promise<void> {
  const tables = Object.entries(bytesIn).map(
    ([table, bytes]) => sql`select account_id, ${bytes} as bytes from ${sql.table(table)}`,
  );
  const { rows } = await sql<{ id: number; counted: number; bytes: number }>`
    with sums as (
      select account_id, sum(bytes) as bytes from (${sql.join(tables, sql` union all `)}) as texts group by account_id
    )
    select accounts.id, accounts.page_bytes as counted, coalesce(sums.bytes, 0) as bytes
    from accounts left join sums on sums.account_id = accounts.id
    where accounts.page_bytes <> coalesce(sums.bytes, 0) and accounts.id not in (${beingPurged})
    order by accounts.id`.execute(trx);
  for (const { id, counted, bytes } of rows) {
    findings.add('pages', `account_${id}: ${counted} bytes of texts are recorded, but it has ${bytes}.`);
  }
}
