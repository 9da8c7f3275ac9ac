import { type Expression, type RawBuilder, sql } from 'kysely';
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

/** SQL for how much of each resource an account uses. The account's id is a value or a column. */
const usedBy: Record<PlanLimit, (accountId: number | Expression<number>) => RawBuilder<number>> = {
  pages: (accountId) => sql`(select count(*) from pages where pages.account_id = ${accountId})`,
  people: (accountId) =>
    sql`(select count(*) from users where users.account_id = ${accountId} and users.removed_at is null)`,
  storage: (accountId) => sql`(
    select coalesce(sum(media.bytes), 0) from media where media.account_id = ${accountId} and media.removed_at is null
  )`,
  domains: (accountId) => sql`(select count(*) from domains where domains.account_id = ${accountId})`,
};

/** SQL for a limit of the plan that a row of `accounts` is on; null if there is none. `account` is the alias of the table. */
export function selectPlanLimit(limit: PlanLimit, account: string): RawBuilder<number | null> {
  return sql`(
    select ${sql.ref(columns[limit])} from plans
    where plans.account_id = ${sql.ref(`${account}.parent_id`)} and plans.id = ${sql.ref(`${account}.plan_id`)}
  )`;
}

/** SQL for whether a row of `accounts` has reached any limit of its row of `plans`. Counts only resources with a limit. */
export const hasReachedAnyLimit: RawBuilder<boolean> = sql`(${sql.join(planLimits.map(reaches), sql` or `)})`;

/** SQL for columns with the names of the resources: 1 if the row of `accounts` has reached the limit, otherwise 0. */
export const reachedLimitColumns: RawBuilder<unknown> = sql.join(
  planLimits.map((name) => sql`case when ${reaches(name)} then 1 else 0 end as ${sql.ref(name)}`),
);

function reaches(name: PlanLimit): RawBuilder<boolean> {
  const limit = sql.ref(`plans.${columns[name]}`);
  return sql`(${limit} is not null and ${usedBy[name](sql.ref('accounts.id'))} >= ${limit})`;
}

/** Returns SQL for whether a row of `accounts` exceeds any of these limits; undefined if none is set. */
export function exceedsAnyLimit(limits: Readonly<Record<PlanLimit, number | null>>): RawBuilder<boolean> | undefined {
  const limited = planLimits.filter((name) => limits[name] !== null);
  if (limited.length === 0) return undefined;
  return sql`(${sql.join(
    limited.map((name) => sql`${usedBy[name](sql.ref('accounts.id'))} > ${limits[name]}`),
    sql` or `,
  )})`;
}

/**
 * Checks that the account's plan has room for more. If the transaction has locked the account's row, no other transaction can
 * take the room meanwhile.
 * @throws LimitReached
 */
export async function checkPlanLimit(db: Db | Trx, accountId: number, limit: PlanLimit, added = 1): Promise<void> {
  const failure = await findPlanLimitFailure(db, accountId, limit, added);
  if (failure) throw new LimitReached([failure]);
}

/** Returns the failure of adding something if the account's plan has no room for it. Counts only if there is a limit. */
export async function findPlanLimitFailure(
  db: Db | Trx,
  accountId: number,
  limit: PlanLimit,
  added = 1,
): Promise<FieldError | undefined> {
  const { rows } = await sql<{ most: number | null; seller: string }>`
    select ${selectPlanLimit(limit, 'own')} as most, seller.name as seller
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
    select ${selectPlanLimit(limit, 'accounts')} as most from accounts where id = ${accountId}`.execute(db);
  return rows[0]?.most ?? undefined;
}

function limitFailure(params: { limit: PlanLimit; used: number; max: number; seller: string }): FieldError {
  return { field: 'plan', code: 'plan_limit', params };
}

async function countUsed(db: Db | Trx, accountId: number, limit: PlanLimit): Promise<number> {
  const { rows } = await sql<{ used: number }>`select ${usedBy[limit](accountId)} as used`.execute(db);
  return Number(rows[0]!.used);
}

/** Returns the account's use of its plan. A top-level account has no plan, and so no limits. */
export async function getPlanUsage(db: Db | Trx, accountId: number): Promise<PlanUsage> {
  const columns = planLimits.flatMap((name) => [
    sql`${selectPlanLimit(name, 'accounts')} as ${sql.ref(`max_${name}`)}`,
    sql`${usedBy[name](accountId)} as ${sql.ref(name)}`,
  ]);
  const { rows } = await sql<Record<string, number | null>>`
    select ${sql.join(columns)} from accounts where id = ${accountId}`.execute(db);
  const [row = {}] = rows;
  const usage = planLimits.map((name) => [name, { used: Number(row[name]), limit: row[`max_${name}`] ?? null }]);
  return Object.fromEntries(usage) as PlanUsage;
}

/** Returns the limits that an account exceeds, as after a change to a smaller plan. */
export function listExceededLimits(usage: PlanUsage): PlanLimit[] {
  return planLimits.filter((name) => {
    const { used, limit } = usage[name];
    return limit !== null && used > limit;
  });
}
