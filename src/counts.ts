/**
 * What this process counts for its metrics: numbers in plain fields, since they are raised by nearly every request. A cache's `hits` are
 * answers that were there, its `misses` those that had to be made.
 */
export const counts = {
  caches: {
    lists: { hits: 0, misses: 0 },
    accounts: { hits: 0, misses: 0 },
    sites: { hits: 0, misses: 0 },
  },
  /** Snapshots for lists and sites where there is a replica, by where they were read. */
  snapshots: { replica: 0, primary: 0 },
  sqlite: {
    /** Transactions that were committed. */
    transactions: 0,
    /** The commits to disk that they shared. */
    commits: 0,
  },
};
