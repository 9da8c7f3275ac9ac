import { sql } from 'kysely';
import { setUpAccount } from '../src/accounts/setup.ts';
import { type Db, dialectOf } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { type DatabaseConfig, openDatabase } from '../src/db/open-database.ts';
import { createPage } from '../src/pages/create-page.ts';

export interface BenchAccount {
  id: number;
  userId: number;
  key: string;
}

/** Opens a database for filling, with the schema in place. */
export async function openForFilling(config: DatabaseConfig): Promise<Db> {
  const db = await openDatabase(config);
  await migrate(db);
  return db;
}

export async function addAccount(db: Db, subdomain: string): Promise<BenchAccount> {
  const input = {
    accountName: `Account ${subdomain}`,
    subdomain,
    userName: 'Olivia Owner',
    userEmail: 'olivia@example.com',
  };
  const addresses = { publicUrl: 'http://localhost:8080', sitesDomain: 'localhost:8080' };
  const { accountId, userId, key } = await db.transaction().execute((trx) => setUpAccount(trx, input, addresses));
  return { id: accountId, userId, key };
}

/** Adds 100 pages in 3 levels, whose list has about 113 KB. */
export async function addTypicalPages(db: Db, { id, userId }: BenchAccount): Promise<void> {
  const ids: number[] = [];
  const body = `<h2>Heading</h2>${'<p>A paragraph of ordinary length, such as people write on their pages.</p>'.repeat(9)}`;
  for (let index = 0; index < 100; index++) {
    const parent = index < 10 ? undefined : index < 40 ? ids[index % 10] : ids[10 + (index % 30)];
    const page = await db.transaction().execute((trx) =>
      createPage(trx, id, {
        name: `Page ${index}`,
        body,
        parentId: parent?.toString(),
        isHidden: undefined,
        description: 'What the page is about, in a sentence.',
        bodyFormat: undefined,
        userId,
        quota: Number.MAX_SAFE_INTEGER,
        ip: '192.0.2.1',
      }),
    );
    ids.push(page);
  }
}

/** Adds very many pages in two levels, with bodies of 1 KB, by SQL that generates the rows. */
export async function addManyPages(db: Db, account: BenchAccount, count: number): Promise<void> {
  const { id, userId } = account;
  const body = `<p>${'x'.repeat(1000)}</p>`;
  const roots = 1000;
  const insert = (from: number, to: number, parent: string, position: string) => sql`
    insert into pages (account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date, created_at,
      created_by, updated_at, updated_by, version, body)
    select ${sql.lit(id)}, ${sql.raw(parent)}, 'Many ' || n, 'many-' || n, ${sql.raw(position)}, 0, 'wysiwyg_format', 0, 0,
      ${sql.lit(userId)}, 0, ${sql.lit(userId)}, 1, ${sql.lit(body)}
    from (${series(db, from, to)}) as numbers`;
  await db.transaction().execute(async (trx) => {
    await insert(1, roots, 'null', 'n').execute(trx);
    const { first } = await trx
      .selectFrom('pages')
      .select((e) => e.fn.min('id').as('first'))
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    await insert(roots + 1, count, `${first} + (n % ${roots})`, `(n - ${roots} - 1) / ${roots} + 1`).execute(trx);
  });
}

/** Adds very many customers on the account's default plan, and updates the counts. */
export async function addManyCustomers(db: Db, account: BenchAccount, count: number): Promise<void> {
  const { id } = account;
  await db.transaction().execute(async (trx) => {
    const plan = await trx.selectFrom('plans').select('id').where('account_id', '=', id).executeTakeFirstOrThrow();
    await sql`
      insert into accounts (parent_id, plan_id, own_plan_name, own_plan_price_cents, name, subdomain, status, editor, created_at)
      select ${sql.lit(id)}, ${sql.lit(plan.id)}, '', 0, 'Customer ' || n, ${sql.lit(`c${id}-`)} || n, 'active',
        'wysiwyg_format', 0
      from (${series(db, 1, count)}) as numbers`.execute(trx);
    await trx.updateTable('plans').set({ active_customers: count }).where('id', '=', plan.id).execute();
  });
}

/** Returns a query that selects the numbers `n` of a range. */
export function series(db: Db, from: number, to: number) {
  return dialectOf(db) === 'postgres'
    ? sql`select n from generate_series(${sql.lit(from)}::bigint, ${sql.lit(to)}::bigint) as n`
    : sql`with recursive counter(n) as (select ${sql.lit(from)} union all select n + 1 from counter where n < ${sql.lit(to)}) select n from counter`;
}
