import { type BrandRow, findOwnBrand } from '../../brands/brand.ts';
import type { BrandImageKind } from '../../brands/brand-image.ts';
import { changeBrand, removeBrand } from '../../brands/change-brand.ts';
import { uploadBrandImage } from '../../brands/upload-brand-image.ts';
import { replyAddressOfOwner } from '../../mail/reply-address.ts';
import { appUrl } from '../host.ts';
import { previewBrand } from './brand-preview.ts';
import { brandImageQuery, brandInput, brandPreviewInput } from './contract/brand.ts';
import type { BrandAnswerJson, BrandImageNameJson, BrandJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { withImageBody } from './image-body.ts';
import { brandPreviewPolicy } from './mail-preview.ts';
import { documentResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the account's own brand, which its customers see. */
export function brandRoutes({ db, config, imageMaker }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/brand', {
      needs: 'manage_brand',
      handle: async ({ sessionOwner: { accountId } }) => {
        const [brand, ownersAddress] = await Promise.all([
          findOwnBrand(db, accountId),
          replyAddressOfOwner(db, accountId),
        ]);
        return jsonResponse(200, { brand: brandJson(brand), ownersAddress } satisfies BrandAnswerJson);
      },
    }),
    route('PUT /admin/brand', {
      needs: 'manage_brand',
      body: brandInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) =>
        brandResponse(await change((trx) => changeBrand(trx, accountId, body, actor))),
    }),
    route('POST /admin/brand/preview', {
      mayBeForm: true,
      needs: 'manage_brand',
      body: brandPreviewInput,
      handle: async ({ ctx, sessionOwner: { accountId }, body }) => {
        const shownTo = { ...config, publicUrl: appUrl(ctx, config.publicUrl) };
        const document = await previewBrand(db, shownTo, accountId, body);
        return documentResponse(document, brandPreviewPolicy(shownTo.publicUrl));
      },
    }),
    route('POST /admin/brand/images', {
      takes: 'image',
      needs: 'manage_brand',
      query: brandImageQuery,
      handle: ({ sessionOwner: { accountId }, actor, ctx, query, change }) =>
        withImageBody(accountId, ctx, async () => {
          const kind = query.kind as BrandImageKind;
          const maker = await imageMaker();
          const input = { source: ctx.request, kind, limit: config.maxBodyBytes, maker, commit: change };
          const name = await uploadBrandImage(accountId, input, actor);
          return jsonResponse(201, { name } satisfies BrandImageNameJson);
        }),
    }),
    route('DELETE /admin/brand', {
      needs: 'manage_brand',
      handle: async ({ sessionOwner: { accountId }, actor, change }) => {
        await change((trx) => removeBrand(trx, accountId, actor));
        return brandResponse(undefined);
      },
    }),
  ];
}

function brandResponse(brand: BrandRow | undefined) {
  return jsonResponse(200, { brand: brandJson(brand) } satisfies { brand: BrandJson | null });
}

function brandJson(brand: BrandRow | undefined): BrandJson | null {
  if (!brand) return null;
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
    logo: brand.logo,
    logoDark: brand.logo_dark,
    icon: brand.icon,
    version: brand.version,
    changedAt: brand.changed_at,
  };
}
