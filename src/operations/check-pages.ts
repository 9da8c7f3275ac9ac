import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { inEnglish } from '../english.ts';
import { validateName } from '../name.ts';
import { parentKey } from '../pages/positions.ts';
import { beingPurged } from './check-deleted.ts';
import { checkTree, emptyTree, nameOfPage, type Tree } from './check-tree.ts';
import type { Findings } from './findings.ts';
import { readBatches } from './read-in-batches.ts';

interface Row {
  id: number;
  account_id: number;
  parent_id: number | null;
  name: string;
  urlname: string;
  position: number;
}

/**
 * Checks that every account's pages form a tree, with siblings at positions 1..n, and valid urlnames that are unique among
 * siblings.
 */
export async function checkPages(trx: Trx, findings: Findings): Promise<void> {
  const parts = readBatches<Row>((after, limit) => {
    let query = trx
      .selectFrom('pages')
      .select(['id', 'account_id', 'parent_id', 'name', 'urlname', 'position'])
      .orderBy('account_id')
      .orderBy('id')
      .limit(limitInIndexOrder(limit));
    if (after) query = query.where(sql<boolean>`(account_id, id) > (${after.account_id}, ${after.id})`);
    return query.execute();
  });
  const { rows } = await sql<{ id: number }>`${beingPurged}`.execute(trx);
  const incomplete = new Set(rows.map(({ id }) => id));
  const check = (tree: Tree) => {
    if (!incomplete.has(tree.accountId)) checkTree(tree, findings);
  };
  // Keeps only the numbers of one account's pages in memory.
  let tree = emptyTree(0);
  for await (const part of parts) {
    for (const row of part) {
      if (row.account_id !== tree.accountId) {
        check(tree);
        tree = emptyTree(row.account_id);
      }
      tree.ids.push(row.id);
      tree.parents.push(row.parent_id ?? 0);
      tree.positions.push(row.position);
      checkTexts(row, findings);
    }
  }
  check(tree);
  await checkSharedUrlnames(trx, findings);
}

/** Includes the number that distinguishes a page from its siblings. */
const MAX_URLNAME_CHARACTERS = 210;

function checkTexts({ id, account_id, name, urlname }: Row, findings: Findings): void {
  const broken = validateName(name.trim());
  if (broken) findings.add('names', `${nameOfPage(id, account_id)}: its name ${inEnglish(broken)}.`);
  if (urlname.length > MAX_URLNAME_CHARACTERS || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(urlname)) {
    findings.add(
      'urlnames',
      `${nameOfPage(id, account_id)}: its urlname ${JSON.stringify(urlname)} cannot be part of an address.`,
    );
  }
}

/**
 * Finds urlnames that siblings share. The database compares them, since it has an index in this order; an account's
 * urlnames could fill the memory.
 */
async function checkSharedUrlnames(trx: Trx, findings: Findings): Promise<void> {
  const { rows: shared } = await sql<{ account_id: number; parent: number; urlname: string }>`
    select account_id, ${parentKey} as parent, urlname from pages
    group by account_id, ${parentKey}, urlname having count(*) > 1 order by 1, 2, 3 limit 1000`.execute(trx);
  for (const { account_id, parent, urlname } of shared) {
    const [first, ...others] = await trx
      .selectFrom('pages')
      .select('id')
      .where('account_id', '=', account_id)
      .where(parentKey, '=', parent)
      .where('urlname', '=', urlname)
      .orderBy('id')
      .limit(1000)
      .execute();
    for (const { id } of others) {
      const message = `${nameOfPage(id, account_id)}: its sibling page_${first!.id} also has the urlname "${urlname}".`;
      findings.add('urlnames', message);
    }
  }
}
