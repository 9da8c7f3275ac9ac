import { TimeBuckets } from './time-buckets.ts';

const DATABASE_BOUNDS_MS = [0.25, 1, 5, 25, 100, 500, 2500];

/**
 * The origin of work for the database: API programs, the admin app, visitors of sites, health and metrics, or no request at
 * all.
 */
export type Surface = 'api' | 'admin' | 'site' | 'internal' | 'background';

export type TimesBySurface = Readonly<Record<Surface, TimeBuckets>>;

/**
 * The times of statements that read, of statements that write, of commits, and of waiting for a connection or for the turn
 * to write.
 */
export type DatabaseTimes = Readonly<Record<'read' | 'write' | 'commit' | 'turn', TimesBySurface>>;

function databaseTimes(): DatabaseTimes {
  const times = () => new TimeBuckets(DATABASE_BOUNDS_MS);
  const bySurface = () => ({ api: times(), admin: times(), site: times(), internal: times(), background: times() });
  return { read: bySurface(), write: bySurface(), commit: bySurface(), turn: bySurface() };
}

/**
 * The counts of this process for its metrics, as plain numbers, since nearly every request increments some. A cache's
 * `hits` are answers found in it, its `misses` answers that had to be made.
 */
export const counts = {
  caches: {
    lists: { hits: 0, misses: 0 },
    accounts: { hits: 0, misses: 0 },
    sites: { hits: 0, misses: 0 },
  },
  /** Snapshots for lists and sites, by the server that was read. Counted only if there is a replica. */
  snapshots: { replica: 0, primary: 0 },
  /** How long the database took, by server, kind and surface. */
  database: { primary: databaseTimes(), replica: databaseTimes() },
  sqlite: {
    transactions: 0,
    /** The commits to disk, which several transactions may share. */
    commits: 0,
  },
};
