import type { DraftJson, PageFieldsJson, PageJson } from '../contract.ts';
import { removeItem, storeItem, readItem, storedKeys } from '../browser-storage.ts';
import { isSameChange } from './changes.ts';

/** A text that the service does not have yet: for lost connections, ended sessions and closed tabs. */
export interface LocalCopy {
  readonly fields: Partial<PageFieldsJson>;
  readonly basedOn: number;
  /** In milliseconds since 1970, by this device's clock: never to be compared with a time of the service. */
  readonly at: number;
  /** Which of the service's drafts it goes on from: its `updatedAt`, null for none. Copies from before do not say. */
  readonly draftAt?: number | null;
  /** The request before it that was never answered: the service may have that as its draft. */
  readonly sent?: Partial<PageFieldsJson>;
  /** Somebody has chosen another text: this one is offered, and never opened by itself. */
  readonly isSetAside?: boolean;
}

/** A copy with its place in the browser's storage. */
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
    this.#page = `app:draft:${userId}:${pageId}`;
    this.#key = this.#newKey();
  }

  /** Latest first. */
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

  /** Leaves it in its place, to be offered, and goes on in another one. */
  leave(copy: LocalCopy): StoredCopy {
    const kept = this.setAside({ ...copy, key: this.#key });
    this.#key = this.#newKey();
    return kept;
  }

  /** Keeps it in this browser, to be offered. */
  setAside({ key, isElsewhere, ...copy }: StoredCopy): StoredCopy {
    const kept = { ...copy, isSetAside: true };
    storeItem(key, kept);
    return { ...kept, key };
  }

  /** Removes it, unless another tab has gone on writing it. */
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
 * Sorts the copies in this browser. The one that continues the service's draft is the latest text. The others were written
 * while another device or tab saved a draft: they are offered, so that neither is lost.
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
    const { fields, draftAt, sent, isSetAside } = copy;
    const isOnTop = draft === null || draftAt === draft.updatedAt || (sent !== undefined && isSame(sent));
    if (isSame(fields, {}) || isSame(fields)) copies.discard(copy);
    else if (isOnTop && !isSetAside && !rescued) rescued = copy;
    else offered.push(copy);
  }
  return { rescued, offered };
}

function read(key: string): StoredCopy | undefined {
  const copy = readItem(key) as LocalCopy | null | undefined;
  return copy && typeof copy.basedOn === 'number' && typeof copy.fields === 'object' ? { ...copy, key } : undefined;
}
