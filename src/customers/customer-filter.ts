import { type Expression, type SqlBool, sql } from 'kysely';

/** The filter of a list of customers. Undefined fields exclude nothing. */
export interface CustomerFilter {
  planId?: number | undefined;
  /** Only customers whose site was made from this template. */
  templateId?: number | undefined;
  status?: 'active' | 'suspended' | undefined;
  /** Only customers without a user who has ever signed in. */
  neverSignedIn?: boolean | undefined;
  /** Only customers whose latest message has failed. */
  mailFailed?: boolean | undefined;
  /** Only customers with a domain that is not verified or no longer leads to the service. */
  domainFails?: boolean | undefined;
  /** Only customers that have reached a limit of their plan. */
  isAtLimit?: boolean | undefined;
  /** Only customers with a scheduled plan change that is waiting or has failed. */
  scheduled?: 'waiting' | 'failed' | undefined;
  /** Only customers created at or after this time, in milliseconds. */
  createdFrom?: number | undefined;
  createdBefore?: number | undefined;
}

/** The condition of failing domains, written as in their index. */
export const domainFailing = sql<SqlBool>`(domains.verified_at is null or domains.leads_here = 0)`;

/** Returns the filter's conditions on the rows of a table or subquery. */
export function conditionsOf(filter: CustomerFilter, table: 'accounts' | 'scanned'): Expression<SqlBool>[] {
  const column = (name: string) => sql.ref<number | string>(`${table}.${name}`);
  const { planId, templateId, status, neverSignedIn, mailFailed, domainFails, isAtLimit, scheduled } = filter;
  const { createdFrom, createdBefore } = filter;
  return [
    planId !== undefined && sql<SqlBool>`${column('plan_id')} = ${planId}`,
    templateId !== undefined &&
      sql<SqlBool>`exists (
        select 1 from template_sites
        where template_sites.account_id = ${column('id')} and template_sites.template_id = ${templateId}
      )`,
    status !== undefined && sql<SqlBool>`${column('status')} = ${status}`,
    neverSignedIn && sql<SqlBool>`${column('signed_in_at')} is null`,
    mailFailed && latestMailFailed(column('id')),
    domainFails &&
      sql<SqlBool>`exists (select 1 from domains where domains.account_id = ${column('id')} and ${domainFailing})`,
    isAtLimit &&
      sql<SqlBool>`exists (select 1 from customers_at_limit where customers_at_limit.customer_id = ${column('id')})`,
    scheduled !== undefined && hasScheduledChange(column('id'), scheduled === 'failed'),
    createdFrom !== undefined && sql<SqlBool>`${column('created_at')} >= ${createdFrom}`,
    createdBefore !== undefined && sql<SqlBool>`${column('created_at')} < ${createdBefore}`,
  ].filter((condition) => condition !== undefined && condition !== false);
}

const hasScheduledChange = (customer: Expression<number | string>, hasFailed: boolean) => sql<SqlBool>`exists (
  select 1 from scheduled_plan_changes as changes
  where changes.customer_id = ${customer} and changes.cancelled_at is null
    and changes.failed_at is ${sql.raw(hasFailed ? 'not null' : 'null')})`;

/**
 * Returns the condition that the latest message has failed. The account is part of the range and of the order, for the
 * reason given in `latestFirst`.
 */
const latestMailFailed = (account: Expression<number | string>) => sql<SqlBool>`(
  select outbox.status from outbox
  where outbox.account_id >= ${account} and (outbox.account_id, outbox.id) < (${account}, ${sql.lit(Number.MAX_SAFE_INTEGER)})
  order by outbox.account_id desc, outbox.id desc limit 1) = 'failed'`;
