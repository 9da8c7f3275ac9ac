import { readItem, removeItem, storedKeys, storeItem } from '../browser-storage.ts';
import type { DraftJson, PageFieldsJson, PageJson } from '../contract.ts';
import { isSameChange } from './changes.ts';

/** The changes to a page that the service does not have yet. They survive lost connections, ended sessions and closed tabs. */
export interface LocalCopy {
  readonly fields: Partial<PageFieldsJson>;
  readonly basedOn: number;
  /** The time by this device's clock, in milliseconds since 1970. Must not be compared with the service's times. */
  readonly at: number;
  /** The `updatedAt` of the service's draft that the copy continues, or null for none. Copies by old app versions lack it. */
  readonly draftAt?: number | null;
  /** Changes that were sent without an answer: the service may have them as its draft. */
  readonly sent?: Partial<PageFieldsJson>;
  /** True if the user has chosen another text: the copy is offered, but never opened by itself. */
  readonly isSetAside?: boolean;
}

/** A copy with its key in the browser's storage. */
export interface StoredCopy extends LocalCopy {
  readonly key: string;
  /** True for the service's draft, if another device or tab has saved it meanwhile. Then `at` is its `updatedAt`. */
  readonly isElsewhere?: boolean;
}

/** One page's copies in this browser, for one user. Each open editor stores its copy under a key of its own. */
export class LocalCopies {
  readonly #page: string;
  #key: string;

  constructor(userId: number, pageId: number) {
    this.#page = `app:draft:${userId}:${pageId}`;
    this.#key = this.#newKey();
  }

  /** Returns the copies, the latest first. */
  list(): StoredCopy[] {
    const keys = storedKeys().filter((key) => key === this.#page || key.startsWith(`${this.#page}:`));
    return keys.flatMap((key) => read(key) ?? []).sort((a, b) => b.at - a.at);
  }

  /** Stores this editor's copy. Returns true if it survives closing the tab. */
  write(copy: LocalCopy): boolean {
    return storeItem(this.#key, copy);
  }

  remove(): void {
    removeItem(this.#key);
  }

  /** Leaves a copy to be offered later, and continues under a new key. */
  setCurrentAside(copy: LocalCopy): StoredCopy {
    const kept = this.setAside({ ...copy, key: this.#key });
    this.#key = this.#newKey();
    return kept;
  }

  /** Stores a copy that will be offered, but not opened by itself. */
  setAside({ key, isElsewhere, ...copy }: StoredCopy): StoredCopy {
    const kept = { ...copy, isSetAside: true };
    storeItem(key, kept);
    return { ...kept, key };
  }

  /** Removes a copy, unless another tab has changed it meanwhile. */
  discard({ key, ...copy }: StoredCopy): void {
    if (JSON.stringify(readItem(key)) === JSON.stringify(copy)) removeItem(key);
  }

  /** Returns the service's draft in the form of a copy to offer. */
  fromServiceDraft({ fields, basedOn, updatedAt }: DraftJson): StoredCopy {
    return { fields, basedOn, at: updatedAt, key: this.#newKey(), isElsewhere: true };
  }

  #newKey(): string {
    return `${this.#page}:${Math.random().toString(36).slice(2)}`;
  }
}

/**
 * Sorts the copies in this browser. The copy that continues the service's draft is the latest text. All others were written
 * while another device or tab saved a draft, so they are offered and nothing is lost.
 */
export function sortCopies(
  page: PageJson,
  copies: LocalCopies,
): { rescued: StoredCopy | undefined; offered: readonly StoredCopy[] } {
  const { draft } = page;
  let rescued: StoredCopy | undefined;
  const offered: StoredCopy[] = [];
  const isSame = (fields: Partial<PageFieldsJson>, known = draft?.fields) =>
    known !== undefined && isSameChange(fields, known, page);
  for (const copy of copies.list()) {
    const { fields, draftAt, sent, isSetAside } = copy;
    const isContinuation = draft === null || draftAt === draft.updatedAt || (sent !== undefined && isSame(sent));
    if (isSame(fields, {}) || isSame(fields)) copies.discard(copy);
    else if (isContinuation && !isSetAside && !rescued) rescued = copy;
    else offered.push(copy);
  }
  return { rescued, offered };
}

function read(key: string): StoredCopy | undefined {
  const copy = readItem(key) as LocalCopy | null | undefined;
  return copy && typeof copy.basedOn === 'number' && typeof copy.fields === 'object' ? { ...copy, key } : undefined;
}
