import { notFound } from '../../errors.ts';
import type { SomePageFields } from '../../pages/page-fields.ts';
import type { PreviewSite, SiteDraft } from '../../sites/preview.ts';
import { holderFinder } from '../../tenancy/holder.ts';
import type { SessionOwner } from '../../users/sessions.ts';
import type { HttpResponse } from '../request-context.ts';
import { previewInput, previewLookInput, previewPageInput } from './contract/writing.ts';
import type { PreviewJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { PreviewLimits } from './preview-limits.ts';
import { documentResponse, longTextResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

type PreviewDependencies = Pick<RouteDependencies, 'db' | 'previewSite'>;

/**
 * Returns the routes that render unpublished contents as visitors would see them. They change nothing.
 */
export function previewRoutes(dependencies: PreviewDependencies): AdminRoute[] {
  return [
    route('POST /admin/pages/:id/preview', {
      takes: 'page',
      mayBeForm: true,
      needs: 'view_pages',
      body: previewPageInput,
      queue: queuePreview,
      handle: (request) => previewPage(dependencies, request),
    }),
    route('POST /admin/site-preview', {
      mayBeForm: true,
      needs: 'view_pages',
      body: previewLookInput,
      handle: ({ ctx, sessionOwner, body: { theme, accent, secondButton } }) =>
        answer(dependencies.previewSite, sessionOwner.accountId, {
          theme,
          accent,
          secondButton,
          page: undefined,
          at: undefined,
          appUrl: ctx.appHost?.url,
        }),
    }),
    route('POST /admin/preview', {
      takes: 'page',
      needs: 'view_pages',
      body: previewInput,
      queue: queuePreview,
      handle: (request) => previewBody(dependencies, request),
    }),
  ];
}

const limits = new PreviewLimits();

/** Makes a user's previews one after the other. */
export function queuePreview({ userId }: SessionOwner, work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  return limits.queue(userId, work);
}

function previewPage(
  { db, previewSite }: PreviewDependencies,
  { ctx, sessionOwner, id, body }: SignedInRequest<typeof previewPageInput>,
) {
  const { fields, theme, accent, at } = body;
  const draft = {
    theme,
    accent,
    page: { id, fields },
    at: at === undefined ? undefined : at / 1000,
    appUrl: ctx.appHost?.url,
  };
  const { accountId } = sessionOwner;
  return limits.withReserved(sizeOf(fields), holderFinder(db, accountId), () => answer(previewSite, accountId, draft));
}

async function answer(previewSite: PreviewSite, accountId: number, draft: SiteDraft) {
  const preview = await previewSite(accountId, draft);
  if (!preview) throw notFound('The page');
  return documentResponse(preview.html, preview.policy);
}

function previewBody({ db }: PreviewDependencies, { sessionOwner, body }: SignedInRequest<typeof previewInput>) {
  const { accountId } = sessionOwner;
  const findHolder = holderFinder(db, accountId);
  return limits.withReserved(sizeOf(body), findHolder, async () => {
    // The renderers take 10 MB of memory, so they are loaded with the first preview.
    const { bodyRenderer } = await import('../../sites/body-renderer.ts');
    const source = { body: body.body, format: body.bodyFormat };
    const { html } = await bodyRenderer.render(accountId, source, findHolder);
    return longTextResponse('html' satisfies keyof PreviewJson, html);
  });
}

function sizeOf({ body, description }: SomePageFields): number {
  return (body?.length ?? 0) + (description?.length ?? 0);
}
