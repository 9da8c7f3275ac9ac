import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { buildIndex, createIndex, type Index } from './build-index.ts';
import { type Db, type Dialect, dialectOf, type Trx } from './database.ts';
import * as initial from './migrations/001-initial.ts';
import * as sites from './migrations/002-sites.ts';
import * as people from './migrations/003-people.ts';
import * as pageHistory from './migrations/004-page-history.ts';
import * as media from './migrations/005-media.ts';
import * as passkeys from './migrations/006-passkeys.ts';
import * as appendOnly from './migrations/007-append-only.ts';
import * as removals from './migrations/008-removals.ts';
import * as keyLifetimes from './migrations/009-key-lifetimes.ts';
import * as deletedAccounts from './migrations/010-deleted-accounts.ts';
import * as deedsByKey from './migrations/011-deeds-by-key.ts';
import * as addressProofs from './migrations/012-address-proofs.ts';
import * as pageBytes from './migrations/014-page-bytes.ts';
import * as search from './migrations/015-search.ts';
import * as steadyPlans from './migrations/016-steady-plans.ts';
import * as domainNotes from './migrations/017-domain-notes.ts';
import * as keptMail from './migrations/018-kept-mail.ts';
import * as searchVersions from './migrations/019-search-versions.ts';
import * as searchBeginnings from './migrations/020-search-beginnings.ts';
import * as pageImages from './migrations/021-page-images.ts';
import * as trash from './migrations/022-trash.ts';
import * as pageStatus from './migrations/023-page-status.ts';
import * as domainChecks from './migrations/024-domain-checks.ts';
import * as replyTo from './migrations/025-reply-to.ts';
import * as secondButton from './migrations/026-second-button.ts';
import * as customers from './migrations/028-customers.ts';
import * as revenue from './migrations/030-revenue.ts';
import * as retiredPlans from './migrations/031-retired-plans.ts';
import * as planLimits from './migrations/033-plan-limits.ts';
import * as firstSignIn from './migrations/034-first-sign-in.ts';
import * as accountants from './migrations/036-accountants.ts';
import * as suspensionReasons from './migrations/037-suspension-reasons.ts';
import * as customerNotes from './migrations/040-customer-notes.ts';
import * as failingDomains from './migrations/043-failing-domains.ts';
import * as planRevenue from './migrations/044-plan-revenue.ts';
import * as brands from './migrations/045-brands.ts';
import * as scheduledPlanChanges from './migrations/046-scheduled-plan-changes.ts';
import * as templates from './migrations/047-templates.ts';
import * as templatePushes from './migrations/048-template-pushes.ts';
import * as priceChanges from './migrations/049-price-changes.ts';
import * as impersonations from './migrations/050-impersonations.ts';
import * as customerEvents from './migrations/051-customer-events.ts';
import * as customerImports from './migrations/052-customer-imports.ts';
import * as trials from './migrations/053-trials.ts';
import * as brandImages from './migrations/054-brand-images.ts';
import * as mailWords from './migrations/055-mail-words.ts';
import * as appHosts from './migrations/056-app-hosts.ts';
import * as customersAtLimit from './migrations/057-customers-at-limit.ts';
import * as currency from './migrations/058-currency.ts';
import * as keyScopes from './migrations/059-key-scopes.ts';
import * as webhooks from './migrations/060-webhooks.ts';
import * as customerKeys from './migrations/061-customer-keys.ts';
import * as oauthCodes from './migrations/062-oauth-codes.ts';
import * as oauthCodeIp from './migrations/063-oauth-code-ip.ts';
import * as pageChanges from './migrations/064-page-changes.ts';
import * as accountArchives from './migrations/065-account-archives.ts';
import * as undosOfPages from './migrations/066-undos-of-pages.ts';
import * as databaseTimeline from './migrations/067-database-timeline.ts';
import * as requestCounts from './migrations/068-request-counts.ts';
import * as traces from './migrations/069-traces.ts';
import * as oldAddresses from './migrations/070-old-addresses.ts';
import * as impliedForeignKeys from './migrations/071-implied-foreign-keys.ts';
import * as slowWebhooks from './migrations/072-slow-webhooks.ts';
import * as bulkMail from './migrations/073-bulk-mail.ts';
import * as singleMail from './migrations/074-single-mail.ts';
import * as issuingKeys from './migrations/075-issuing-keys.ts';
import * as keysByIssuer from './migrations/076-keys-by-issuer.ts';
import * as peopleOfPushes from './migrations/077-people-of-pushes.ts';
import * as resumedImports from './migrations/078-resumed-imports.ts';
import * as redirectsInOrder from './migrations/079-redirects-in-order.ts';
import * as redeemedCodes from './migrations/080-redeemed-codes.ts';
import * as superfluousIndex from './migrations/081-superfluous-index.ts';

interface Change {
  up: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;
}

/** Indexes on tables that have rows. PostgreSQL can build them while others write, but only outside transactions. */
interface Indexes {
  indexes: readonly Index[];
}

export type Migration = readonly [name: string, Change | Indexes];

/** All migrations in the order in which they are applied. A merged migration never changes; a later one corrects it. */
export const migrations: readonly Migration[] = [
  ['001-initial', initial],
  ['002-sites', sites],
  ['003-people', people],
  ['004-page-history', pageHistory],
  ['005-media', media],
  ['006-passkeys', passkeys],
  ['007-append-only', appendOnly],
  ['008-removals', removals],
  ['009-key-lifetimes', keyLifetimes],
  ['010-deleted-accounts', deletedAccounts],
  ['011-deeds-by-key', deedsByKey],
  ['012-address-proofs', addressProofs],
  ['014-page-bytes', pageBytes],
  ['015-search', search],
  ['016-steady-plans', steadyPlans],
  ['017-domain-notes', domainNotes],
  ['018-kept-mail', keptMail],
  ['019-search-versions', searchVersions],
  ['020-search-beginnings', searchBeginnings],
  ['021-page-images', pageImages],
  ['022-trash', trash],
  ['023-page-status', pageStatus],
  ['024-domain-checks', domainChecks],
  ['025-reply-to', replyTo],
  ['026-second-button', secondButton],
  ['028-customers', customers],
  ['030-revenue', revenue],
  ['031-retired-plans', retiredPlans],
  ['033-plan-limits', planLimits],
  ['034-first-sign-in', firstSignIn],
  ['036-accountants', accountants],
  ['037-suspension-reasons', suspensionReasons],
  ['040-customer-notes', customerNotes],
  ['043-failing-domains', failingDomains],
  ['044-plan-revenue', planRevenue],
  ['045-brands', brands],
  ['046-scheduled-plan-changes', scheduledPlanChanges],
  ['047-templates', templates],
  ['048-template-pushes', templatePushes],
  ['049-price-changes', priceChanges],
  ['050-impersonations', impersonations],
  ['051-customer-events', customerEvents],
  ['052-customer-imports', customerImports],
  ['053-trials', trials],
  ['054-brand-images', brandImages],
  ['055-mail-words', mailWords],
  ['056-app-hosts', appHosts],
  ['057-customers-at-limit', customersAtLimit],
  ['058-currency', currency],
  ['059-key-scopes', keyScopes],
  ['060-webhooks', webhooks],
  ['061-customer-keys', customerKeys],
  ['062-oauth-codes', oauthCodes],
  ['063-oauth-code-ip', oauthCodeIp],
  ['064-page-changes', pageChanges],
  ['065-account-archives', accountArchives],
  ['066-undos-of-pages', undosOfPages],
  ['067-database-timeline', databaseTimeline],
  ['068-request-counts', requestCounts],
  ['069-traces', traces],
  ['070-old-addresses', oldAddresses],
  ['071-implied-foreign-keys', impliedForeignKeys],
  ['072-slow-webhooks', slowWebhooks],
  ['073-bulk-mail', bulkMail],
  ['074-single-mail', singleMail],
  ['075-issuing-keys', issuingKeys],
  ['076-keys-by-issuer', keysByIssuer],
  ['077-people-of-pushes', peopleOfPushes],
  ['078-resumed-imports', resumedImports],
  ['079-redirects-in-order', redirectsInOrder],
  ['080-redeemed-codes', redeemedCodes],
  ['081-superfluous-index', superfluousIndex],
];

/**
 * The last of the migrations that are applied together while the service is down. Later ones only add to the schema, so that
 * the previous version can go on serving.
 */
export const LAST_OFFLINE_MIGRATION = '067-database-timeline';

/** How long a migration waits for a lock. Meanwhile, all other queries of the table wait behind it. */
const LOCK_TIMEOUT_MS = 500;

const LOCK_RETRY_MS = 1000;
const MAX_LOCK_ATTEMPTS = 300;

/**
 * Brings the database to this version's schema. Returns the names of the migrations that it applied. Processes that start
 * together wait for the first of them. On SQLite, all migrations are one transaction. On PostgreSQL, each one is a
 * transaction, so that it holds its locks only for a moment.
 * @throws AppError `conflict` if a newer version made the database; `unavailable` if a long transaction holds a table.
 */
export async function migrate(db: Db, all: readonly Migration[] = migrations): Promise<string[]> {
  if (dialectOf(db) === 'sqlite') {
    return db.transaction().execute((trx) => applyMissing(trx, 'sqlite', undefined, all));
  }
  const applied: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const [next] = await findMissing(db, all);
    if (!next) return applied;
    try {
      applied.push(...(await applyNext(db, all, next)));
      attempt = 0;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === MAX_LOCK_ATTEMPTS) throw new AppError('unavailable', heldTable(next[0]), { cause: error });
      await sleep(LOCK_RETRY_MS);
    }
  }
}

/** Applies the next migration on PostgreSQL, or all offline migrations together (see `LAST_OFFLINE_MIGRATION`). */
async function applyNext(db: Db, all: readonly Migration[], [name, migration]: Migration): Promise<string[]> {
  if ('indexes' in migration) for (const index of migration.indexes) await buildIndex(db, index);
  return db.transaction().execute(async (trx) => {
    await lockSchema(trx, 'postgres');
    if (name <= LAST_OFFLINE_MIGRATION) {
      const offline = all.map(([each]) => each).filter((each) => each <= LAST_OFFLINE_MIGRATION);
      return applyMissing(trx, 'postgres', offline, all);
    }
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    return applyMissing(trx, 'postgres', [name], all);
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

function heldTable(name: string): string {
  return `The migration ${name} cannot change a table that a long transaction uses, such as a backup. Wait until that has ended, and try again.`;
}

/** Keeps all other processes from migrating or restoring until the transaction ends. */
export async function lockSchema(trx: Trx, dialect: Dialect): Promise<void> {
  // SQLite's transaction holds the only write lock already. The lock numbers are arbitrary; `buildIndex` uses the next one.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(7310553, 1)`.execute(trx);
}

/** Returns the names of the applied migrations; an empty array if the database is new. */
export async function appliedMigrations(db: Db | Trx): Promise<string[]> {
  const { rows } = await (dialectOf(db) === 'sqlite'
    ? sql`select 1 from sqlite_master where name = 'migrations'`
    : sql`select 1 where to_regclass('migrations') is not null`
  ).execute(db);
  return rows.length === 0 ? [] : [...(await appliedNames(db))].sort();
}

/** Returns the names that this version does not know, because they come from a newer one. */
export function unknownMigrations(names: readonly string[]): string[] {
  return names.filter((name) => !migrations.some(([known]) => known === name));
}

/**
 * Refuses migrations that this version does not know. `advice` says what to do about them.
 * @throws AppError `conflict` if there are any.
 */
export function refuseNewer(what: 'database' | 'backup', names: readonly string[], advice: string): void {
  const unknown = unknownMigrations(names);
  if (unknown.length === 0) return;
  throw new AppError(
    'conflict',
    `The ${what} was made by a newer version of Freehold (it has ${unknown.join(', ')}). ${advice}`,
  );
}

/** Returns the names of the migrations that `migrate` would apply. */
export async function pendingMigrations(db: Db | Trx): Promise<string[]> {
  const applied = await appliedMigrations(db);
  return migrations.map(([name]) => name).filter((name) => !applied.includes(name));
}

/** Applies the missing migrations, or only those in `wanted`: a backup is loaded into the schema that it was made from. */
export async function applyMissing(
  trx: Trx,
  dialect: Dialect,
  wanted?: readonly string[],
  all: readonly Migration[] = migrations,
): Promise<string[]> {
  const integer = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint');
  await sql`create table if not exists migrations (name text not null primary key, applied_at ${integer} not null)`.execute(
    trx,
  );
  const missing = (await findMissing(trx, all)).filter(([name]) => wanted?.includes(name) ?? true);
  for (const [name, migration] of missing) {
    if ('up' in migration) await migration.up(trx as unknown as Kysely<unknown>, dialect);
    else for (const index of migration.indexes) await createIndex(trx, dialect, index);
    await trx.insertInto('migrations').values({ name, applied_at: Date.now() }).execute();
  }
  return missing.map(([name]) => name);
}

/** Returns the migrations that are not applied yet. @throws AppError `conflict` if a newer version made the database. */
async function findMissing(db: Db | Trx, all: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !all.some(([known]) => known === name));
  refuseNewer('database', unknown, 'Start that version or newer.');
  return all.filter(([name]) => !applied.includes(name));
}

async function appliedNames(db: Db | Trx): Promise<Set<string>> {
  const rows = await db.selectFrom('migrations').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}
