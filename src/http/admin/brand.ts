import { type BrandRow, findOwnBrand } from '../../brands/brand.ts';
import { changeBrand, removeBrand } from '../../brands/change-brand.ts';
import { brandInput } from './contract/brand.ts';
import type { BrandJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Routes for the account's own brand, which its customers see. */
export function brandRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/brand',
      needs: 'manage_brand',
      handle: async ({ caller: { accountId } }) => answer(await findOwnBrand(db, accountId)),
    }),
    route({
      method: 'PUT',
      path: '/admin/brand',
      needs: 'manage_brand',
      body: brandInput,
      handle: async ({ caller: { accountId }, actor, body, change }) =>
        answer(await change((trx) => changeBrand(trx, accountId, body, actor))),
    }),
    route({
      method: 'DELETE',
      path: '/admin/brand',
      needs: 'manage_brand',
      handle: async ({ caller: { accountId }, actor, change }) => {
        await change((trx) => removeBrand(trx, accountId, actor));
        return answer(undefined);
      },
    }),
  ];
}

function answer(brand: BrandRow | undefined) {
  return jsonResponse(200, { brand: brand ? brandJson(brand) : null } satisfies { brand: BrandJson | null });
}

function brandJson(brand: BrandRow): BrandJson {
  return {
    name: brand.name,
    accent: brand.accent,
    supportEmail: brand.support_email,
    supportUrl: brand.support_url,
    legalNoticeUrl: brand.legal_notice_url,
    privacyUrl: brand.privacy_url,
    termsUrl: brand.terms_url,
    senderName: brand.sender_name,
    replyTo: brand.reply_to,
    version: brand.version,
    changedAt: brand.changed_at,
  };
}
