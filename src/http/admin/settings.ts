import { changeSettings } from '../../accounts/change-settings.ts';
import { listToDos } from '../../accounts/to-do.ts';
import { siteUrl } from '../../addresses.ts';
import { appStyle } from '../../brands/app-style.ts';
import { brandOwner } from '../../brands/brand-of.ts';
import { brandColumns, type ShownBrand, shownBrand } from '../../brands/shown-brand.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError } from '../../errors.ts';
import { primaryHost } from '../../sites/primary-host.ts';
import { getPlanUsage } from '../../tenancy/plan-limits.ts';
import { permissionsOf } from '../../users/roles.ts';
import { settingsInput } from './contract/settings.ts';
import type { AccountJson, PlanUsageJson, ShownBrandJson, ToDoJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the settings of an account. */
export function settingsRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/settings', {
      needs: 'update_settings',
      handle: async ({ sessionOwner }) => jsonResponse(200, await readAccount(db, sessionOwner.accountId, config)),
    }),
    route('GET /admin/to-do', {
      needs: 'update_settings',
      handle: async ({ sessionOwner }) => {
        const toDo = await snapshot(db, (trx) => listToDos(trx, sessionOwner.accountId));
        return jsonResponse(200, toDo satisfies ToDoJson);
      },
    }),
    route('GET /admin/usage', {
      needs: 'update_settings',
      handle: async ({ sessionOwner }) =>
        jsonResponse(200, (await getPlanUsage(db, sessionOwner.accountId)) satisfies PlanUsageJson),
    }),
    route('PATCH /admin/settings', {
      needs: 'update_settings',
      body: settingsInput,
      handle: async ({ sessionOwner, actor, body, change }) => {
        const looks = [body.theme, body.accent, body.secondButton].some((value) => value !== undefined);
        if (looks && !permissionsOf(sessionOwner.role).includes('update_theme')) {
          throw new AppError('forbidden', 'Your role does not allow you to change how the site looks.');
        }
        await change((trx) => changeSettings(trx, sessionOwner.accountId, body, actor));
        return jsonResponse(200, await readAccount(db, sessionOwner.accountId, config));
      },
    }),
  ];
}

export async function readAccount(db: Db, accountId: number, config: Config): Promise<AccountJson> {
  const account = await db
    .selectFrom('accounts')
    .leftJoin('brands', (join) => join.on('brands.account_id', '=', brandOwner('accounts.id')))
    .select((e) => [
      'accounts.name',
      'subdomain',
      'editor',
      'theme',
      'accounts.accent',
      'second_button_page_id',
      'language',
      'time_zone',
      'currency',
      primaryHost(e),
      ...brandColumns,
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    id: accountId,
    name: account.name,
    subdomain: account.subdomain,
    address: siteUrl(account, config),
    editor: account.editor,
    theme: account.theme,
    accent: account.accent,
    secondButton: account.second_button_page_id,
    language: account.language,
    timeZone: account.time_zone,
    currency: account.currency,
    brand: brandJson(shownBrand(account)),
  };
}

function brandJson(brand: ShownBrand | null): ShownBrandJson | null {
  if (!brand) return null;
  const { accent: _, ...shown } = brand;
  return { ...shown, style: appStyle(brand) };
}
