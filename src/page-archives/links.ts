import type { TreePage } from '../pages/read-page-tree.ts';
import { TextGrowth } from '../text-growth.ts';
import { replaceAddresses, resolvePath } from './references.ts';

/**
 * Returns what gives a page of an archive the text whose links lead to the paths that the pages get. They may name the files, with or
 * without the extension, or their folders.
 */
export function linkedTexts(pages: readonly TreePage[]): (index: number, paths: readonly string[]) => string {
  const byFile = new Map(pages.map(({ place }, index) => [keyOf(place), index]));
  const growth = new TextGrowth();
  return (index, paths) => {
    const { body, place } = pages[index]!;
    return replaceAddresses(body, (address) => {
      // Without a path, it is the page itself.
      const file = /^(?:\?|$)/.test(address) ? undefined : resolvePath(address, place);
      const target = file === undefined ? undefined : byFile.get(keyOf(file));
      if (target === undefined) return undefined;
      const path = paths[target]!;
      return growth.admits(path.length) ? path + address.slice(address.search(/[?#]|$/)) : undefined;
    });
  };
}

/** `services/cakes.md` → `services/cakes`, `services/index.md` and `services/` → `services`, `index.md` → nothing */
function keyOf(path: string): string {
  return path
    .replace(/\/$/, '')
    .replace(/\.(?:md|markdown|html|htm)$/i, '')
    .replace(/(?:^|\/)_?index$/i, '');
}
