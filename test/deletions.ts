import type { Db } from '../src/db/database.ts';

/** Wraps a database so that `deletions` counts the rows that each statement has deleted through it. */
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
      // SQLite counts no rows where they are returned.
      if (isDeletion.has(queryId)) deletions.push(Number(result.numAffectedRows ?? result.rows.length));
      return result;
    },
  });
  return { db: counting, deletions };
}
