import type { PageFieldsJson, PageJson } from '../../contract.ts';
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
export interface KeptCopy extends LocalCopy {
  readonly key: string;
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
  list(): KeptCopy[] {
    try {
      const keys = Object.keys(localStorage).filter((key) => key === this.#page || key.startsWith(`${this.#page}:`));
      return keys.flatMap((key) => read(key) ?? []).sort((a, b) => b.at - a.at);
    } catch {
      return [];
    }
  }

  /** Goes on in the place of this one. */
  adopt({ key }: KeptCopy): void {
    this.#key = key;
  }

  /** Whether there was room for it. */
  write(copy: LocalCopy): boolean {
    return put(this.#key, copy);
  }

  forget(): void {
    remove(this.#key);
  }

  /** Leaves it in its place, and goes on in another one. */
  leave(copy: LocalCopy): KeptCopy {
    const kept = { ...copy, key: this.#key };
    this.putBack(kept);
    this.#key = this.#newKey();
    return kept;
  }

  putBack({ key, ...copy }: KeptCopy): void {
    put(key, copy);
  }

  discard({ key }: KeptCopy): void {
    remove(key);
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
): { rescued: KeptCopy | undefined; offered: readonly KeptCopy[] } {
  const { draft } = page;
  let rescued: KeptCopy | undefined;
  const offered: KeptCopy[] = [];
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

function read(key: string): KeptCopy | undefined {
  try {
    const copy = JSON.parse(localStorage.getItem(key) ?? 'null') as LocalCopy | null;
    return copy && typeof copy.basedOn === 'number' && typeof copy.fields === 'object' ? { ...copy, key } : undefined;
  } catch {
    return undefined;
  }
}

/** False where storage is full, or not to be had at all. */
function put(key: string, copy: LocalCopy): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(copy));
    return true;
  } catch {
    return false;
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Where there is no storage, there is nothing in it.
  }
}
