import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import type { Index } from './build-index.ts';
import type { Dialect } from './database.ts';

interface Change {
  up: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;
}

/** Indexes on tables that have rows. PostgreSQL can build them while others write, but only outside transactions. */
interface Indexes {
  indexes: readonly Index[];
}

/** A migration with a function that loads it: most starts apply none, and loading all would take a tenth of the start. */
export type Migration = readonly [name: string, load: () => Change | Indexes | Promise<Change | Indexes>];

const folder = join(import.meta.dirname, 'migrations');

/**
 * All migrations in the order in which they are applied, which is that of their files' names. A merged migration never changes;
 * a later one corrects it.
 */
export const migrations: readonly Migration[] = readdirSync(folder)
  .sort()
  .flatMap((file): Migration[] => {
    const name = /^(\d{3}-[a-z-]+)\.[jt]s$/.exec(file)?.[1];
    return name === undefined ? [] : [[name, () => import(pathToFileURL(join(folder, file)).href)]];
  });
