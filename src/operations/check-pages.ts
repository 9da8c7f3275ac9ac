import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInOrder } from '../db/in-order.ts';
import { nameMistake } from '../name.ts';
import { MAX_DEPTH } from '../pages/page.ts';
import type { Findings } from './findings.ts';
import { groups, readInParts } from './read-in-parts.ts';

interface Row {
  id: number;
  account_id: number;
  parent_id: number | null;
  name: string;
  urlname: string;
  position: number;
}

/** Every account's pages form a tree, with siblings at 1..n and addresses that work and that no two of them share. */
export async function checkPages(trx: Trx, findings: Findings): Promise<void> {
  const rows = readInParts<Row>((after, limit) => {
    let query = trx
      .selectFrom('pages')
      .select(['id', 'account_id', 'parent_id', 'name', 'urlname', 'position'])
      .orderBy('account_id')
      .orderBy('id')
      .limit(limitInOrder(limit));
    if (after) query = query.where(sql<boolean>`(account_id, id) > (${after.account_id}, ${after.id})`);
    return query.execute();
  });
  for await (const pages of groups(rows, ({ account_id }) => account_id)) checkTree(pages, findings);
}

/** With the number that tells it apart from its siblings. */
const LONGEST_URLNAME = 210;

function checkTree(pages: readonly Row[], findings: Findings): void {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const siblings = new Map<number | null, Row[]>();
  for (const page of pages) {
    const list = siblings.get(page.parent_id);
    if (list) list.push(page);
    else siblings.set(page.parent_id, [page]);

    if (page.parent_id !== null && !byId.has(page.parent_id)) {
      findings.add('trees', `${nameOf(page)}: its parent page_${page.parent_id} is not a page of the account.`);
    }
    const mistake = nameMistake(page.name.trim());
    if (mistake) findings.add('names', `${nameOf(page)}: its name ${mistake}.`);
    if (page.urlname.length > LONGEST_URLNAME || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(page.urlname)) {
      findings.add('urlnames', `${nameOf(page)}: its urlname ${JSON.stringify(page.urlname)} does not fit an address.`);
    }
  }
  checkDepths(pages, byId, findings);
  for (const list of siblings.values()) checkSiblings(list, findings);
}

function checkDepths(pages: readonly Row[], byId: ReadonlyMap<number, Row>, findings: Findings): void {
  /** 0 while a page's ancestors are being followed; -1 when they lead in a circle. */
  const depths = new Map<number, number>();
  for (const page of pages) {
    const path: Row[] = [];
    let next: Row | undefined = page;
    while (next && !depths.has(next.id)) {
      depths.set(next.id, 0);
      path.push(next);
      next = next.parent_id === null ? undefined : byId.get(next.parent_id);
    }
    let depth = next ? depths.get(next.id)! || -1 : 0;
    for (const step of path.toReversed()) {
      if (depth !== -1) depth++;
      depths.set(step.id, depth);
      if (depth === -1) findings.add('trees', `${nameOf(step)}: its parents lead in a circle.`);
      if (depth > MAX_DEPTH) {
        findings.add('trees', `${nameOf(step)}: it is ${depth} levels deep, and ${MAX_DEPTH} are allowed.`);
      }
    }
  }
}

function checkSiblings(list: Row[], findings: Findings): void {
  const positions = list.map(({ position }) => position).sort((a, b) => a - b);
  if (positions.some((position, index) => position !== index + 1)) {
    const { account_id, parent_id } = list[0]!;
    const where = parent_id === null ? 'at the root' : `under page_${parent_id}`;
    const shown = positions.length <= 20 ? positions.join(', ') : `${positions.slice(0, 20).join(', ')}, …`;
    findings.add(
      'positions',
      `account_${account_id}: its pages ${where} are not at 1 to ${list.length}, but at ${shown}.`,
    );
  }
  const owners = new Map<string, Row>();
  for (const page of list) {
    const other = owners.get(page.urlname);
    if (other)
      findings.add('urlnames', `${nameOf(page)}: page_${other.id} beside it has the urlname "${page.urlname}" too.`);
    else owners.set(page.urlname, page);
  }
}

function nameOf({ id, account_id }: Row): string {
  return `page_${id} of account_${account_id}`;
}
