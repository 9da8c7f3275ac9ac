import { notFound } from '../../errors.ts';
import type { SomePageFields } from '../../pages/page-fields.ts';
import type { PreviewSite, SiteDraft } from '../../sites/preview.ts';
import type { SessionOwner } from '../../users/sessions.ts';
import type { HttpResponse } from '../request-context.ts';
import { previewInput, previewLookInput, previewPageInput } from './contract/writing.ts';
import type { PreviewJson } from './contract.ts';
import { PreviewLimits } from './preview-limits.ts';
import { documentResponse, longTextResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/**
 * Routes that render unpublished contents as visitors would see them. They return documents for frames and change
 * nothing.
 */
export function previewRoutes({ previewSite }: { readonly previewSite: PreviewSite }): AdminRoute[] {
  return [
    route({
      method: 'POST',
      path: '/admin/pages/:id/preview',
      takes: 'page',
      mayBeForm: true,
      needs: 'view_pages',
      body: previewPageInput,
      queue: oneAtATime,
      handle: (request) => previewPage(previewSite, request),
    }),
    route({
      method: 'POST',
      path: '/admin/site-preview',
      mayBeForm: true,
      needs: 'view_pages',
      body: previewLookInput,
      handle: ({ ctx, caller, body: { theme, accent, secondButton } }) =>
        answer(previewSite, caller.accountId, {
          ...{ theme, accent, secondButton, page: undefined, at: undefined },
          appUrl: ctx.appHost?.url,
        }),
    }),
    route({
      method: 'POST',
      path: '/admin/preview',
      takes: 'page',
      needs: 'view_pages',
      body: previewInput,
      queue: oneAtATime,
      handle: previewBody,
    }),
  ];
}

const limits = new PreviewLimits();

/** Makes a person's previews one after the other. */
export function oneAtATime({ userId }: SessionOwner, work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  return limits.queue(userId, work);
}

function previewPage(previewSite: PreviewSite, { ctx, caller, id, body }: SignedInRequest<typeof previewPageInput>) {
  const { fields, theme, accent, at } = body;
  const draft = {
    theme,
    accent,
    page: { id, fields },
    at: at === undefined ? undefined : at / 1000,
    appUrl: ctx.appHost?.url,
  };
  return limits.hold(sizeOf(fields), () => answer(previewSite, caller.accountId, draft));
}

async function answer(previewSite: PreviewSite, accountId: number, draft: SiteDraft) {
  const preview = await previewSite(accountId, draft);
  if (!preview) throw notFound('The page');
  return documentResponse(preview.html, preview.policy);
}

function previewBody({ caller, body }: SignedInRequest<typeof previewInput>) {
  return limits.hold(sizeOf(body), async () => {
    // The renderers take 10 MB, and come with the first preview.
    const { bodyRenderer } = await import('../../sites/body-renderer.ts');
    const { html } = await bodyRenderer.render(caller.accountId, { body: body.body, format: body.bodyFormat });
    return longTextResponse('html' satisfies keyof PreviewJson, html);
  });
}

function sizeOf({ body, description }: SomePageFields): number {
  return (body?.length ?? 0) + (description?.length ?? 0);
}
