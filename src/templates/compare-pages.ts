import type { PageToCopy } from '../pages/list-pages-to-copy.ts';

/** A page of a template, and the hash of the contents that the template passes on. */
export interface TemplatePage extends PageToCopy {
  hash: string;
}

/** The present state of a site's page that was made from a page of the template. */
export interface LinkedPage {
  pageId: number;
  sourceId: number;
  /** The hash of the page's contents when it was last in sync with the template. */
  hash: string;
  /** The hash of the page's present contents; null if the page was deleted on the site. */
  present: string | null;
  /** The page's present name; null if the page was deleted. */
  name: string | null;
}

/** The reason why a page is left unchanged. */
export type LeftReason =
  /** The page was changed on the site, and in the template, too. */
  | 'changed'
  /** The page was deleted on the site, and changed in the template. */
  | 'deleted'
  /** The page is no longer in the template. */
  | 'removed'
  /** Another page of the site has the page's name. */
  | 'name_taken'
  /** Another page of the site has the page's address. */
  | 'address_taken'
  /** The page's parent is not on the site. */
  | 'no_parent'
  /** The page would be nested too deeply. */
  | 'too_deep'
  /** The plan allows no more pages. */
  | 'plan_limit'
  /** The customer does not allow its agency to work on the site. */
  | 'not_allowed';

export type PageChange =
  | { kind: 'update'; sourceId: number; pageId: number; name: string }
  | { kind: 'add'; sourceId: number; name: string }
  /** The site's page equals the template's, because both were changed alike. */
  | { kind: 'same'; sourceId: number; pageId: number }
  /** `pageId` is null for a page that is not on the site. */
  | { kind: 'left'; reason: LeftReason; sourceId: number; pageId: number | null; name: string };

/**
 * Compares a template with a site made from it, page by page and in three ways: the page when it was last in sync, the
 * template's present page, and the site's present page. Changes by the template alone are updates. Pages that the site has
 * changed are left, and listed if the template has changed them, too. Pages that neither has changed are not in the result.
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
