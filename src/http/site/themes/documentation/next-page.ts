import { type Html, html, nothing } from '../../markup.ts';
import type { Strings } from '../../strings.ts';
import type { NavigationItem, PageView } from '../../view.ts';

/**
 * Returns a link to the next page in the order of the tree. Returns nothing on the last page, and if the navigation does not
 * include the next one. There is no link back: the previous page may be the last of a branch that the navigation does not
 * include.
 */
export function nextPage({ navigation, navigationHasMore }: PageView, strings: Strings): Html {
  const next = following(navigation, navigationHasMore, undefined);
  if (!next) return nothing;
  return html`<p class="next"><a rel="next" href="${next.path}"><span class="name"><small>${strings.next}</small> ${next.name}</span></a></p>`;
}

function following(
  items: readonly NavigationItem[],
  hasMore: boolean,
  afterwards: NavigationItem | undefined,
): NavigationItem | undefined {
  const index = items.findIndex(({ isCurrent, isAncestor }) => isCurrent || isAncestor);
  if (index === -1) return undefined;
  const { isCurrent, children, hasMore: hasMoreChildren } = items[index]!;
  const isLastListed = index === items.length - 1;
  const after = isLastListed && hasMore ? undefined : (items[index + 1] ?? afterwards);
  return isCurrent ? (children[0] ?? after) : following(children, hasMoreChildren, after);
}
