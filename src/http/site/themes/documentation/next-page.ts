import { type Html, html, nothing } from '../../markup.ts';
import type { Strings } from '../../strings.ts';
import type { NavigationItem, PageView } from '../../view.ts';

/**
 * The page that follows in the order of the tree; nothing on the last, and where the navigation does not tell. There is no
 * link back: the page before may be the last of a branch that the navigation does not have.
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
