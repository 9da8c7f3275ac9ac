import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { LimitReached } from '../errors.ts';
import type { FieldError } from '../field-error.ts';

/** The resources that a plan limits: pages, users, bytes of images, and own domains. */
export const planLimits = ['pages', 'people', 'storage', 'domains'] as const;
export type PlanLimit = (typeof planLimits)[number];

/** The use of each resource, and its limit; null for none. Deleted pages and images do not count; invited users do. */
export type PlanUsage = Record<PlanLimit, { used: number; limit: number | null }>;

const columns = {
  pages: 'max_pages',
  people: 'max_people',
  storage: 'max_storage_bytes',
  domains: 'max_domains',
} as const satisfies Record<PlanLimit, string>;

const counts: Record<PlanLimit, (accountId: number) => RawBuilder<number>> = {
  pages: (accountId) => sql`(select count(*) from pages where account_id = ${accountId})`,
  people: (accountId) => sql`(select count(*) from users where account_id = ${accountId} and removed_at is null)`,
  storage: (accountId) => sql`(
    select coalesce(sum(bytes), 0) from media where account_id = ${accountId} and removed_at is null
  )`,
  domains: (accountId) => sql`(select count(*) from domains where account_id = ${accountId})`,
};

/** SQL for a limit of the plan that an account is on; null if there is none. */
export function planLimit(limit: PlanLimit, account: string): RawBuilder<number | null> {
  return sql`(
    select ${sql.ref(columns[limit])} from plans
    where plans.account_id = ${sql.ref(`${account}.parent_id`)} and plans.id = ${sql.ref(`${account}.plan_id`)}
  )`;
}

/** SQL for whether a row of `accounts` has reached any limit of its row of `plans`. Counts only resources with a limit. */
export const planUsageReaches: RawBuilder<boolean> = sql`(${sql.join(planLimits.map(reaches), sql` or `)})`;

/** SQL for columns with the names of the resources: 1 if the row has reached the limit, otherwise 0. */
export const reachedLimits: RawBuilder<unknown> = sql.join(
  planLimits.map((name) => sql`case when ${reaches(name)} then 1 else 0 end as ${sql.ref(name)}`),
);

function reaches(name: PlanLimit): RawBuilder<boolean> {
  const limit = sql.ref(`plans.${columns[name]}`);
  return sql`(${limit} is not null and ${usageOf(name)} >= ${limit})`;
}

/** Returns SQL for whether a row of `accounts` exceeds any of these limits; undefined if none is set. */
export function usageExceeds(limits: Readonly<Record<PlanLimit, number | null>>): RawBuilder<boolean> | undefined {
  const limited = planLimits.filter((name) => limits[name] !== null);
  if (limited.length === 0) return undefined;
  return sql`(${sql.join(
    limited.map((name) => sql`${usageOf(name)} > ${limits[name]}`),
    sql` or `,
  )})`;
}

/** Returns SQL for the use of a resource, for a row of `accounts`. */
function usageOf(name: PlanLimit): RawBuilder<number> {
  return {
    pages: sql<number>`(select count(*) from pages where pages.account_id = accounts.id)`,
    people: sql<number>`(select count(*) from users where users.account_id = accounts.id and users.removed_at is null)`,
    storage: sql<number>`(
      select coalesce(sum(media.bytes), 0) from media where media.account_id = accounts.id and media.removed_at is null
    )`,
    domains: sql<number>`(select count(*) from domains where domains.account_id = accounts.id)`,
  }[name];
}

/**
 * Checks that the account's plan has room for more. If the transaction has locked the account's row, no other transaction can
 * take the room meanwhile.
 * @throws LimitReached
 */
export async function checkPlanLimit(db: Db | Trx, accountId: number, limit: PlanLimit, added = 1): Promise<void> {
  const failure = await findFullLimit(db, accountId, limit, added);
  if (failure) throw new LimitReached([failure]);
}

/** Returns the failure of adding something if the account's plan has no room for it. Counts only if there is a limit. */
export async function findFullLimit(
  db: Db | Trx,
  accountId: number,
  limit: PlanLimit,
  added = 1,
): Promise<FieldError | undefined> {
  const { rows } = await sql<{ most: number | null; seller: string }>`
    select ${planLimit(limit, 'own')} as most, seller.name as seller
    from accounts as own join accounts as seller on seller.id = own.parent_id
    where own.id = ${accountId}`.execute(db);
  const { most = null, seller = '' } = rows[0] ?? {};
  if (most === null) return undefined;
  const used = await countUsed(db, accountId, limit);
  return used + added <= most ? undefined : limitFailure({ limit, used, max: most, seller });
}

/** Returns a limit of the account's plan; undefined if there is none. */
export async function findPlanLimit(db: Db | Trx, accountId: number, limit: PlanLimit): Promise<number | undefined> {
  const { rows } = await sql<{ most: number | null }>`
    select ${planLimit(limit, 'accounts')} as most from accounts where id = ${accountId}`.execute(db);
  return rows[0]?.most ?? undefined;
}

function limitFailure(params: { limit: PlanLimit; used: number; max: number; seller: string }): FieldError {
  return { field: 'plan', code: 'plan_limit', params };
}

async function countUsed(db: Db | Trx, accountId: number, limit: PlanLimit): Promise<number> {
  const { rows } = await sql<{ used: number }>`select ${counts[limit](accountId)} as used`.execute(db);
  return Number(rows[0]!.used);
}

/** Returns the account's use of its plan. A top-level account has no plan, and so no limits. */
export async function getPlanUsage(db: Db | Trx, accountId: number): Promise<PlanUsage> {
  const columns = planLimits.flatMap((name) => [
    sql`${planLimit(name, 'accounts')} as ${sql.ref(`max_${name}`)}`,
    sql`${counts[name](accountId)} as ${sql.ref(name)}`,
  ]);
  const { rows } = await sql<Record<string, number | null>>`
    select ${sql.join(columns)} from accounts where id = ${accountId}`.execute(db);
  const [row = {}] = rows;
  const usage = planLimits.map((name) => [name, { used: Number(row[name]), limit: row[`max_${name}`] ?? null }]);
  return Object.fromEntries(usage) as PlanUsage;
}

/** Returns the limits that an account exceeds, as after a change to a smaller plan. */
export function limitsExceeded(usage: PlanUsage): PlanLimit[] {
  return planLimits.filter((name) => {
    const { used, limit } = usage[name];
    return limit !== null && used > limit;
  });
}
