import { AppError, notFound, ValidationError } from '../../errors.ts';
import type { SomePageFields } from '../../pages/page-fields.ts';
import type { PreviewSite, SiteDraft } from '../../sites/preview.ts';
import { themes } from '../../sites/site.ts';
import type { PreviewJson } from './contract.ts';
import type { Fields } from './fields.ts';
import { readPageFields } from './page-request.ts';
import { PreviewLimits } from './preview-limits.ts';
import { documentResponse, jsonResponse } from './responses.ts';
import type { AdminRoute, SignedInRequest } from './route.ts';

/**
 * Routes that render unpublished contents as visitors would see them. They return documents for frames and change
 * nothing.
 */
export function previewRoutes({ previewSite }: { readonly previewSite: PreviewSite }): AdminRoute[] {
  return [
    {
      method: 'POST',
      path: '/admin/pages/:id/preview',
      takes: 'page',
      needs: 'view_pages',
      handle: (request) => previewPage(previewSite, request),
    },
    {
      method: 'POST',
      path: '/admin/site-preview',
      needs: 'view_pages',
      handle: (request) => previewAppearance(previewSite, request),
    },
    { method: 'POST', path: '/admin/preview', takes: 'page', needs: 'view_pages', handle: previewBody },
  ];
}

const limits = new PreviewLimits();

function previewPage(previewSite: PreviewSite, { caller, id, formFields }: SignedInRequest) {
  return limits.take(caller.userId, async (hold) => {
    const sent = await formFields();
    const fields = readPageFields(sent.object('fields'));
    hold(sizeOf(fields));
    return answer(previewSite, caller.accountId, {
      ...readAppearance(sent),
      page: { id, fields },
      at: readPlace(sent),
    });
  });
}

async function previewAppearance(previewSite: PreviewSite, { caller, formFields }: SignedInRequest) {
  return answer(previewSite, caller.accountId, {
    ...readAppearance(await formFields()),
    page: undefined,
    at: undefined,
  });
}

async function answer(previewSite: PreviewSite, accountId: number, draft: SiteDraft) {
  const preview = await previewSite(accountId, draft);
  if (!preview) throw notFound('The page');
  return documentResponse(preview.html, preview.policy);
}

function readAppearance(fields: Fields): Pick<SiteDraft, 'theme' | 'accent'> {
  const wanted = fields.optionalText('theme');
  const theme = themes.find((known) => known === wanted);
  const accent = fields.optionalText('accent');
  if (wanted !== undefined && !theme) throw new ValidationError([{ field: 'theme', code: 'not_included' }]);
  if (accent !== undefined && !/^#[0-9a-f]{6}$/i.test(accent)) {
    throw new ValidationError([{ field: 'accent', code: 'not_a_colour' }]);
  }
  return { theme, accent: accent?.toLowerCase() };
}

/** Reads the place in the body, in thousandths. */
function readPlace(fields: Fields): number | undefined {
  const at = fields.optionalInteger('at');
  if (at !== undefined && (at < 0 || at > 1000)) throw new AppError('malformed', '"at" must be from 0 to 1000.');
  return at === undefined ? undefined : at / 1000;
}

function previewBody({ caller, fields }: SignedInRequest) {
  return limits.take(caller.userId, async (hold) => {
    const sent = readPageFields(await fields());
    hold(sizeOf(sent));
    const { body = '', bodyFormat: format = '' } = sent;
    // The renderers take 10 MB, and come with the first preview.
    const { bodyRenderer } = await import('../../sites/body-renderer.ts');
    const { html } = await bodyRenderer.render(caller.accountId, { body, format });
    return jsonResponse(200, { html } satisfies PreviewJson);
  });
}

function sizeOf({ body, description }: SomePageFields): number {
  return (body?.length ?? 0) + (description?.length ?? 0);
}
