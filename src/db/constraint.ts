import { DatabaseOutage } from './database-outage.ts';

/** The unique rules that a change may violate, each named after its index or constraint in the migrations. */
type UniqueRule =
  | 'accounts_subdomain'
  | 'plans_name'
  | 'plans_one_default'
  | 'users_email'
  | 'api_keys_hash'
  | 'pages_name'
  | 'pages_urlname'
  | 'pages_position'
  | 'passkeys_credential'
  | 'idempotency_key'
  | 'domains_host'
  | 'domains_verified_host'
  | 'media_hash'
  | 'templates_name'
  | 'templates_site'
  | 'customer_imports_running';

/**
 * The rules by what SQLite names in its message: the columns, or the index if it is on expressions. PostgreSQL names the
 * index.
 */
const bySqliteColumns: Record<string, UniqueRule> = {
  'accounts.subdomain': 'accounts_subdomain',
  'plans.account_id, plans.name': 'plans_name',
  'plans.account_id': 'plans_one_default',
  'users.account_id, users.email_key': 'users_email',
  'api_keys.hash': 'api_keys_hash',
  'pages.account_id, pages.name': 'pages_name',
  "index 'pages_urlname'": 'pages_urlname',
  "index 'pages_position'": 'pages_position',
  'passkeys.credential_id': 'passkeys_credential',
  'idempotency.account_id, idempotency.api_key_id, idempotency.key': 'idempotency_key',
  'domains.account_id, domains.host': 'domains_host',
  'domains.host': 'domains_verified_host',
  'media.account_id, media.hash': 'media_hash',
  'templates.account_id, templates.name': 'templates_name',
  'templates.account_id, templates.site_id': 'templates_site',
  'customer_imports.account_id': 'customer_imports_running',
};

/** Returns the unique rule that a refused row violates, or undefined for any other error. */
export function violatedUniqueRule(error: unknown): UniqueRule | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && error.code === '23505' && 'constraint' in error) return error.constraint as UniqueRule;
  const columns = /^UNIQUE constraint failed: (.+)$/.exec(error.message)?.[1];
  return columns === undefined ? undefined : bySqliteColumns[columns];
}

/** True if a row refers to another row that does not exist (any more). */
export function isDangling(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '23503') || error.message === 'FOREIGN KEY constraint failed';
}

/**
 * Returns true if the database is at fault, not the request: full disk, failed sync, lost connection, lock held too long,
 * wrong password. Such a request changed nothing and may be sent again, unless it is a `DatabaseOutage` that says otherwise.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseOutage) return true;
  if ('errcode' in error && typeof error.errcode === 'number') return sqliteOutages.has(error.errcode & 0xff);
  if (!('code' in error) || typeof error.code !== 'string')
    return /timeout exceeded|Connection terminated|not queryable|transaction (was abandoned|is over)|SSL connection/.test(
      error.message,
    );
  return postgresOutages.test(error.code);
}

// SQLite: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
const sqliteOutages = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);
// PostgreSQL: connection, resources, operator, system, internal; authentication, unknown database, permissions;
// serialization and lock timeouts. The rest are codes of sockets and certificates.
const postgresOutages = /^(08|53|57|58|XX|28|3D|42501|40|55P03|25006|25P03)|^E[A-Z]+$|CERT|^UNABLE_TO_/;
