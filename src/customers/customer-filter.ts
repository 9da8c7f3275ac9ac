import { type Expression, type SqlBool, sql } from 'kysely';

/** Which customers a list shows. All that is undefined leaves nothing out. */
export interface CustomerFilter {
  planId?: number | undefined;
  /** Only customers whose site was made from this template. */
  templateId?: number | undefined;
  status?: 'active' | 'suspended' | undefined;
  /** Only customers of whom nobody has ever signed in. */
  neverSignedIn?: boolean | undefined;
  /** Only customers to whom the latest message could not be sent. */
  mailFailed?: boolean | undefined;
  /** Only customers with a domain that is not verified, or whose visitors come here no longer. */
  domainFails?: boolean | undefined;
  /** Only customers that have as much of something as their plan allows. */
  isAtLimit?: boolean | undefined;
  /** Only customers with a change of plan that waits for its day, or could not be made. */
  scheduled?: 'waiting' | 'failed' | undefined;
  /** From this time on, in milliseconds. */
  createdFrom?: number | undefined;
  createdBefore?: number | undefined;
}

/** Written as in the index of these domains. */
export const domainFailing = sql<SqlBool>`(domains.verified_at is null or domains.leads_here = 0)`;

/** Returns what the filter asks of the rows of a table or subquery. */
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

/** The account stands in a range and in the order for the reason given in `latestFirst`. */
const latestMailFailed = (account: Expression<number | string>) => sql<SqlBool>`(
  select outbox.status from outbox
  where outbox.account_id >= ${account} and (outbox.account_id, outbox.id) < (${account}, ${sql.lit(Number.MAX_SAFE_INTEGER)})
  order by outbox.account_id desc, outbox.id desc limit 1) = 'failed'`;
