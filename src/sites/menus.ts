import { LRUCache } from 'lru-cache';
import type { Trx } from '../db/database.ts';
import { type MainMenu, readMainMenu } from './navigation.ts';
import type { Site } from './site.ts';

/** Returns a site's main menu. */
export type MenuLookup = (trx: Trx, site: Site) => Promise<MainMenu>;

/**
 * Returns the look-up of main menus for one process. Menus are cached with their content version, so that the pages of a
 * site share one reading of its menu.
 */
export function mainMenus(): MenuLookup {
  const cache = new LRUCache<number, { version: number; menu: MainMenu }>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ menu }) => 1000 + menu.roots.reduce((sum, { children }) => sum + 1 + children.length, 0) * 400,
  });
  return async (trx, { accountId, contentVersion: version }) => {
    const found = cache.get(accountId);
    // A later menu is not used: it would not fit the rest of what this transaction sees.
    if (found?.version === version) return found.menu;
    const menu = await readMainMenu(trx, accountId);
    if (!found || found.version < version) cache.set(accountId, { version, menu });
    return menu;
  };
}

const MAX_CACHE_BYTES = 8 * 1024 * 1024;
