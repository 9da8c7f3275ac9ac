import type { Db } from '../src/db/database.ts';

/** Wraps a database; `deletions` gets the number of rows that each statement deletes. */
export function countingDeletions(db: Db): { db: Db; deletions: number[] } {
  const deletions: number[] = [];
  const isDeletion = new WeakSet<object>();
  const counting = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const isRaw = node.kind === 'RawNode' && /^\s*(?:with\b.*)?\bdelete from\b/is.test(node.sqlFragments.join(''));
      if (isRaw || node.kind === 'DeleteQueryNode') isDeletion.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      // SQLite reports no count for statements that return rows.
      if (isDeletion.has(queryId)) deletions.push(Number(result.numAffectedRows ?? result.rows.length));
      return result;
    },
  });
  return { db: counting, deletions };
}
