import { TimeBuckets } from './time-buckets.ts';

/** Upper bounds in milliseconds. */
const DATABASE_BOUNDS = [0.25, 1, 5, 25, 100, 500, 2500];

/** Where work for the database comes from: programs, the admin app, visitors of sites, health and metrics, or no request at all. */
export type Surface = 'api' | 'admin' | 'site' | 'internal' | 'background';

export type TimesBySurface = Readonly<Record<Surface, TimeBuckets>>;

/** The times of statements that read, of statements that write, of commits, and of waiting for a turn: for a connection, or to write. */
export type DatabaseTimes = Readonly<Record<'read' | 'write' | 'commit' | 'turn', TimesBySurface>>;

function databaseTimes(): DatabaseTimes {
  const times = () => new TimeBuckets(DATABASE_BOUNDS);
  const bySurface = () => ({ api: times(), admin: times(), site: times(), internal: times(), background: times() });
  return { read: bySurface(), write: bySurface(), commit: bySurface(), turn: bySurface() };
}

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
  /** How long the database took, by server, kind and surface. */
  database: { primary: databaseTimes(), replica: databaseTimes() },
  sqlite: {
    /** Transactions that were committed. */
    transactions: 0,
    /** The commits to disk that they shared. */
    commits: 0,
  },
};
