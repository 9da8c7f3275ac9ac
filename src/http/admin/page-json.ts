import type { Trx } from '../../db/database.ts';
import { type Draft, findDraft, listOtherDrafts } from '../../pages/drafts.ts';
import { getPageDetails } from '../../pages/page-details.ts';
import type { Revision, WholeRevision } from '../../pages/revisions.ts';
import { findHomePage } from '../../sites/navigation.ts';
import type { DraftJson, PageJson, RevisionJson, WholeRevisionJson } from './contract.ts';

/** Returns a page as the user sees it, with the user's draft and the authors of other drafts. @throws AppError `not_found` */
export async function readPageJson(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId: number },
  id: number,
): Promise<PageJson> {
  const page = await getPageDetails(trx, accountId, id);
  const draft = await findDraft(trx, accountId, { id, userId });
  const otherDrafts = await listOtherDrafts(trx, accountId, { id, userId });
  const home = await findHomePage(trx, accountId);
  return {
    id: page.id,
    parentId: page.parentId ?? 0,
    name: page.name,
    urlname: page.urlname,
    path: page.path,
    isHome: page.id === home?.id,
    ancestors: page.ancestors.map(({ id, name, urlname, isHidden, isPublished }) => ({
      id,
      name,
      urlname,
      isHidden,
      isPublished,
    })),
    position: page.position,
    isHidden: page.isHidden,
    isPublished: page.isPublished,
    description: page.description,
    customDate: page.customDate,
    body: page.body,
    bodyFormat: page.bodyFormat,
    createdAt: page.createdAt,
    createdBy: page.createdBy,
    updatedAt: page.updatedAt,
    updatedBy: page.updatedBy,
    version: page.version,
    draft: draft ? draftJson(draft) : null,
    otherDrafts: otherDrafts.map(({ by, updatedAt }) => ({ by, updatedAt })),
  };
}

export function draftJson({ fields, basedOn, updatedAt }: Draft): DraftJson {
  return { fields: fields as DraftJson['fields'], basedOn, updatedAt };
}

export function revisionJson({ id, version, name, at, by }: Revision): RevisionJson {
  return { id, version, name, at, by };
}

export function wholeRevisionJson(revision: WholeRevision): WholeRevisionJson {
  const { pageId, urlname, isHidden, customDate, bodyFormat, description, body } = revision;
  return { ...revisionJson(revision), pageId, urlname, isHidden, customDate, bodyFormat, description, body };
}

/** Returns the ETag header of a page, with its version. */
export function pageTag(version: number): string[] {
  return ['ETag', `"${version}"`];
}
