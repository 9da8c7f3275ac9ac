import type { PageToCopy } from '../pages/list-pages-to-copy.ts';

/** A page of a template, and the hash of what it passes on. */
export interface TemplatePage extends PageToCopy {
  hash: string;
}

/** A page of a site that was made from one of the template's, as it is now. */
export interface LinkedPage {
  pageId: number;
  sourceId: number;
  /** The hash of its contents when it was last in step with the template. */
  hash: string;
  /** The hash of its contents now; null if it was deleted there. */
  present: string | null;
  /** Its name now, or null. */
  name: string | null;
}

/** Why a page is left as it is. */
export type LeftReason =
  /** It was changed on the site, and in the template, too. */
  | 'changed'
  /** It was deleted on the site, and changed in the template. */
  | 'deleted'
  /** It is no longer in the template. */
  | 'removed'
  /** Another page of the site has its name. */
  | 'name_taken'
  /** Another page of the site has its address. */
  | 'address_taken'
  /** The page that it would be below is not on the site. */
  | 'no_parent'
  /** It would be nested too deeply. */
  | 'too_deep'
  /** The plan allows no more pages. */
  | 'plan_limit'
  /** The customer does not allow its agency to work on the site. */
  | 'not_allowed';

export type PageChange =
  | { kind: 'update'; sourceId: number; pageId: number; name: string }
  | { kind: 'add'; sourceId: number; name: string }
  /** The site has it as the template has it, by a change of its own. */
  | { kind: 'same'; sourceId: number; pageId: number }
  /** `pageId` is null for a page that is not on the site. */
  | { kind: 'left'; reason: LeftReason; sourceId: number; pageId: number | null; name: string };

/**
 * Compares a template with a site that was made from it, page by page and in three ways: as the page was when they were last
 * in step, as the template has it now, and as the site has it now. What only the template has changed is updated; what the
 * site has changed is left; what both have changed is left and listed. Pages that neither has changed are not in the result.
 */
export function comparePages(template: readonly TemplatePage[], linked: readonly LinkedPage[]): PageChange[] {
  const bySource = new Map(linked.map((page) => [page.sourceId, page]));
  const changes: PageChange[] = [];
  for (const { id: sourceId, name, hash } of template) {
    const link = bySource.get(sourceId);
    bySource.delete(sourceId);
    if (!link) changes.push({ kind: 'add', sourceId, name });
    else if (hash !== link.hash) changes.push(compareChanged(link, { sourceId, name, hash }));
  }
  for (const { sourceId, pageId, present, name } of bySource.values()) {
    if (present !== null) changes.push({ kind: 'left', reason: 'removed', sourceId, pageId, name: name ?? '' });
  }
  return changes;
}

function compareChanged(
  { pageId, hash: common, present, name: nameThere }: LinkedPage,
  { sourceId, name, hash }: { sourceId: number; name: string; hash: string },
): PageChange {
  if (present === null) return { kind: 'left', reason: 'deleted', sourceId, pageId: null, name };
  if (present === hash) return { kind: 'same', sourceId, pageId };
  if (present === common) return { kind: 'update', sourceId, pageId, name: nameThere ?? name };
  return { kind: 'left', reason: 'changed', sourceId, pageId, name: nameThere ?? name };
}
