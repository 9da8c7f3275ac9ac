import type { SitePreviewJson } from '../../contract.ts';
import type { Counts } from './words.ts';

type Site = Pick<SitePreviewJson, 'updated' | 'added' | 'left'>;

/** Returns how many pages of the sites are updated, added, and left unchanged. */
export function countPages(sites: readonly Site[]): Counts {
  const sum = { updated: 0, added: 0, left: 0 };
  for (const { updated, added, left } of sites) {
    sum.updated += updated.length;
    sum.added += added.length;
    sum.left += left.length;
  }
  return sum;
}

/** Returns the sites that a push would change. */
export function sitesToChange<S extends Site>(sites: readonly S[]): S[] {
  return sites.filter(({ updated, added }) => updated.length + added.length > 0);
}

/** Sorts the sites by importance: first those with pages that are left unchanged, then those that change. */
export function inOrder<S extends Site>(sites: readonly S[]): S[] {
  const rank = ({ updated, added, left }: Site) => (left.length > 0 ? 0 : updated.length + added.length > 0 ? 1 : 2);
  return sites.toSorted((one, other) => rank(one) - rank(other));
}
