import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';
import type { TableName } from './tables.ts';

type Reference = readonly [
  table: TableName,
  what: string,
  columns: readonly string[],
  to: TableName,
  key: readonly string[],
];

const ofAccount = (table: TableName, what: string): Reference => [table, what, ['account_id'], 'accounts', ['id']];
const inAccount = (table: TableName, what: string, column: string, to: TableName): Reference => [
  table,
  what,
  ['account_id', column],
  to,
  ['account_id', 'id'],
];

/** All references between tables. `checkTree` checks the parents of pages. */
const references: readonly Reference[] = [
  ['accounts', 'account', ['parent_id'], 'accounts', ['id']],
  ['accounts', 'account', ['parent_id', 'plan_id'], 'plans', ['account_id', 'id']],
  ofAccount('plans', 'plan'),
  ofAccount('users', 'user'),
  inAccount('users', 'user', 'acts_for', 'users'),
  ofAccount('api_keys', 'key'),
  inAccount('api_keys', 'key', 'user_id', 'users'),
  ['api_keys', 'key', ['agency_id', 'agent_id'], 'users', ['account_id', 'id']],
  ofAccount('pages', 'page'),
  inAccount('pages', 'page', 'created_by', 'users'),
  inAccount('pages', 'page', 'updated_by', 'users'),
  ofAccount('outbox', 'message'),
  ofAccount('plan_changes', 'plan change'),
  ['customer_notes', 'note', ['customer_id'], 'accounts', ['id']],
  inAccount('customer_notes', 'note', 'user_id', 'users'),
  inAccount('customer_notes', 'note', 'changed_by', 'users'),
  inAccount('price_changes', 'price change', 'from_plan_id', 'plans'),
  inAccount('price_changes', 'price change', 'to_plan_id', 'plans'),
  inAccount('scheduled_plan_changes', 'scheduled change', 'price_change_id', 'price_changes'),
  ['scheduled_plan_changes', 'scheduled change', ['customer_id'], 'accounts', ['id']],
  inAccount('scheduled_plan_changes', 'scheduled change', 'plan_id', 'plans'),
  ofAccount('customer_imports', 'import'),
  inAccount('customer_imports', 'import', 'user_id', 'users'),
  inAccount('customer_imports', 'import', 'resumed_by', 'users'),
  ofAccount('domains', 'domain'),
  ofAccount('templates', 'template'),
  ['templates', 'template', ['site_id'], 'accounts', ['id']],
  ofAccount('template_pushes', 'template push'),
  inAccount('template_pushes', 'template push', 'user_id', 'users'),
  ['template_pushes', 'template push', ['template_id'], 'templates', ['id']],
  inAccount('sessions', 'session', 'user_id', 'users'),
  inAccount('impersonations', 'impersonation', 'user_id', 'users'),
  inAccount('impersonations', 'impersonation', 'person_id', 'users'),
  ['impersonations', 'impersonation', ['agency_id', 'agent_id'], 'users', ['account_id', 'id']],
  inAccount('one_time_links', 'link', 'user_id', 'users'),
  inAccount('oauth_codes', 'code', 'user_id', 'users'),
  inAccount('passkeys', 'passkey', 'user_id', 'users'),
  ofAccount('webhooks', 'webhook'),
  inAccount('webhook_deliveries', 'delivery', 'webhook_id', 'webhooks'),
  ofAccount('audit_log', 'log entry'),
  inAccount('audit_log', 'log entry', 'user_id', 'users'),
  inAccount('audit_log', 'log entry', 'api_key_id', 'api_keys'),
  inAccount('revisions', 'revision', 'user_id', 'users'),
  ofAccount('redirects', 'redirect'),
  inAccount('undos', 'undo', 'user_id', 'users'),
  inAccount('removed_pages', 'removed page', 'undo_id', 'undos'),
  inAccount('removals', 'removal', 'user_id', 'users'),
  ofAccount('media', 'image'),
  inAccount('media', 'image', 'created_by', 'users'),
];

/** Checks that every row belongs to an existing account, and refers to no row outside that account. */
export async function checkReferences(trx: Trx, findings: Findings): Promise<void> {
  for (const reference of references) {
    const [, what, columns, to] = reference;
    for await (const { id, ...values } of danglingRows(trx, reference)) {
      const pointer = columns.map((column) => `${column} ${values[column]}`).join(', ');
      findings.add('tenants', `${what.replace(' ', '_')}_${id}: its ${pointer} has no row in ${to}.`);
    }
  }
}

type Dangling = Record<string, number> & { id: number };

function danglingRows(trx: Trx, [table, , columns, to, key]: Reference): AsyncGenerator<Dangling> {
  const matches = columns.map((column, index) => sql`target.${sql.ref(key[index]!)} = source.${sql.ref(column)}`);
  const isSet = columns.map((column) => sql`source.${sql.ref(column)} is not null`);
  return readInBatches<Dangling>(async (after, limit) => {
    const { rows } = await sql<Dangling>`
      select source.id, ${sql.join(columns.map((column) => sql`source.${sql.ref(column)}`))}
      from ${sql.table(table)} as source
      where source.id > ${after?.id ?? 0} and ${sql.join(isSet, sql` and `)}
        and not exists (select 1 from ${sql.table(to)} as target where ${sql.join(matches, sql` and `)})
      order by source.id limit ${sql.lit(limit)}`.execute(trx);
    return rows;
  });
}
