import type { TreePage } from '../pages/parse-page-tree.ts';
import { TextGrowth } from '../text-growth.ts';
import { replaceAddresses, resolvePath } from './references.ts';

/**
 * Returns a function for the text of a page whose links lead to the pages' new paths. In the archive, links name files, with or
 * without the extension, or folders.
 */
export function linkedTexts(pages: readonly TreePage[]): (index: number, paths: readonly string[]) => string {
  const byFile = new Map(pages.map(({ place }, index) => [keyOf(place), index]));
  const growth = new TextGrowth();
  return (index, paths) => {
    const { body, place } = pages[index]!;
    return replaceAddresses(body, (address) => {
      // An address without a path refers to the page itself.
      const file = /^(?:\?|$)/.test(address) ? undefined : resolvePath(address, place);
      const target = file === undefined ? undefined : byFile.get(keyOf(file));
      if (target === undefined) return undefined;
      const path = paths[target]!;
      return growth.admits(path.length) ? path + address.slice(address.search(/[?#]|$/)) : undefined;
    });
  };
}

/** Returns one key for all names of a page: `services/cakes` for `services/cakes.md`, `services` for `services/index.md`. */
function keyOf(path: string): string {
  return path
    .replace(/\/$/, '')
    .replace(/\.(?:md|markdown|html|htm)$/i, '')
    .replace(/(?:^|\/)_?index$/i, '');
}
