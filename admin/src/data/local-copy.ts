import type { DraftJson, PageFieldsJson, PageJson } from '../contract.ts';
import { removeItem, storeItem, readItem, storedKeys } from '../browser-storage.ts';
import { isSameChange } from './changes.ts';

/** What was written and is not with the service yet: for lost connections, ended sessions and closed tabs. */
export interface LocalCopy {
  readonly fields: Partial<PageFieldsJson>;
  readonly basedOn: number;
  /** In milliseconds since 1970, by this device's clock: never to be compared with a time of the service. */
  readonly at: number;
  /** Which of the service's drafts it goes on from: its `updatedAt`, null for none. Copies from before do not say. */
  readonly draftAt?: number | null;
  /** What was sent before it and never answered: the service may have it as its draft. */
  readonly sent?: Partial<PageFieldsJson>;
}

/** One that is in this browser, and where. */
export interface StoredCopy extends LocalCopy {
  readonly key: string;
  /** It is the service's draft, which another device or tab has saved meanwhile: `at` is its `updatedAt`. */
  readonly isElsewhere?: boolean;
}

/** One page's copies in this browser, for one person alone. Each editor that is open has a place of its own for one. */
export class LocalCopies {
  readonly #page: string;
  #key: string;

  constructor(userId: number, pageId: number) {
    this.#page = `freehold:draft:${userId}:${pageId}`;
    this.#key = this.#newKey();
  }

  /** The latest first. */
  list(): StoredCopy[] {
    const keys = storedKeys().filter((key) => key === this.#page || key.startsWith(`${this.#page}:`));
    return keys.flatMap((key) => read(key) ?? []).sort((a, b) => b.at - a.at);
  }

  /** Whether it is still there when the tab is closed. */
  write(copy: LocalCopy): boolean {
    return storeItem(this.#key, copy);
  }

  remove(): void {
    removeItem(this.#key);
  }

  /** Leaves it in its place, and goes on in another one. */
  leave(copy: LocalCopy): StoredCopy {
    const kept = { ...copy, key: this.#key };
    this.putBack(kept);
    this.#key = this.#newKey();
    return kept;
  }

  putBack({ key, ...copy }: StoredCopy): void {
    storeItem(key, copy);
  }

  /** Unless somebody goes on writing it, in another tab: what they have written since stays. */
  discard({ key, ...copy }: StoredCopy): void {
    if (JSON.stringify(readItem(key)) === JSON.stringify(copy)) removeItem(key);
  }

  /** The service's draft, to be offered. */
  ofService({ fields, basedOn, updatedAt }: DraftJson): StoredCopy {
    return { fields, basedOn, at: updatedAt, key: this.#newKey(), isElsewhere: true };
  }

  #newKey(): string {
    return `${this.#page}:${Math.random().toString(36).slice(2)}`;
  }
}

/**
 * What is in this browser: what goes on from the service's draft is the latest there is. The rest was written while
 * another device, or another tab, saved a draft: neither is thrown away.
 */
export function sortOut(
  page: PageJson,
  copies: LocalCopies,
): { rescued: StoredCopy | undefined; offered: readonly StoredCopy[] } {
  const { draft } = page;
  let rescued: StoredCopy | undefined;
  const offered: StoredCopy[] = [];
  const isSame = (fields: Partial<PageFieldsJson>, known = draft?.fields) =>
    known !== undefined && isSameChange(fields, known, page);
  for (const copy of copies.list()) {
    const { fields, draftAt, sent } = copy;
    const isOnTop = draft === null || draftAt === draft.updatedAt || (sent !== undefined && isSame(sent));
    if (isSame(fields, {}) || isSame(fields)) copies.discard(copy);
    else if (isOnTop && !rescued) rescued = copy;
    else offered.push(copy);
  }
  return { rescued, offered };
}

function read(key: string): StoredCopy | undefined {
  const copy = readItem(key) as LocalCopy | null | undefined;
  return copy && typeof copy.basedOn === 'number' && typeof copy.fields === 'object' ? { ...copy, key } : undefined;
}
