import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { TemplatesTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { primaryHost } from '../sites/primary-host.ts';

export type TemplateRow = Selectable<TemplatesTable>;

/** A template in the form in which it is listed. */
export interface ListedTemplate extends TemplateRow {
  siteName: string;
  subdomain: string;
  primaryHost: string | null;
  /** True if the template's site is deleted, so that no customer can start from it. */
  isGone: boolean;
  /** How many sites were made from the template. */
  sites: number;
}

/** The most templates of an account, few enough to list all at once. */
export const MAX_TEMPLATES = 100;

/** Lists the account's templates in its order, including retired ones. */
export async function listTemplates(db: Db | Trx, accountId: number): Promise<ListedTemplate[]> {
  const rows = await db
    .selectFrom('templates')
    .innerJoin('accounts', 'accounts.id', 'templates.site_id')
    .selectAll('templates')
    .select((e) => ['accounts.name as siteName', 'accounts.subdomain', primaryHost(e as never)])
    .select(sql<number | null>`coalesce(accounts.deleted_at, accounts.deletes_at)`.as('goneAt'))
    .select((e) =>
      e
        .selectFrom('template_sites')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('template_sites.template_id', '=', 'templates.id')
        .as('sites'),
    )
    .where('templates.account_id', '=', accountId)
    .orderBy('templates.position')
    .orderBy('templates.id')
    .execute();
  return rows.map(({ goneAt, sites, ...row }) => ({ ...row, isGone: goneAt !== null, sites: sites ?? 0 }));
}

/** @throws AppError `not_found` */
export async function getTemplate(db: Db | Trx, accountId: number, id: number): Promise<TemplateRow> {
  const template = await db
    .selectFrom('templates')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!template) throw notFound('The template');
  return template;
}

/** Returns a template from which new customers can start. @throws AppError `not_found`; `conflict` if it was retired */
export async function getOfferedTemplate(db: Db | Trx, accountId: number, id: number): Promise<TemplateRow> {
  const template = await getTemplate(db, accountId, id);
  if (template.retired_at === null) return template;
  throw new Refusal('conflict', { reason: 'template_retired', params: { template: template.name } });
}
