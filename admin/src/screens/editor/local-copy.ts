import type { PageFieldsJson } from '../../contract.ts';

/** What was written and is not with the service yet: for lost connections, ended sessions and closed tabs. */
export interface LocalCopy {
  readonly fields: Partial<PageFieldsJson>;
  readonly basedOn: number;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** One page's copy in this browser, for one person alone. */
export class LocalCopies {
  readonly #key: string;

  constructor(userId: number, pageId: number) {
    this.#key = `freehold:draft:${userId}:${pageId}`;
  }

  read(): LocalCopy | undefined {
    try {
      const copy = JSON.parse(localStorage.getItem(this.#key) ?? 'null') as LocalCopy | null;
      return copy && typeof copy.basedOn === 'number' && typeof copy.fields === 'object' ? copy : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether there was room for it. */
  write(copy: LocalCopy): boolean {
    try {
      localStorage.setItem(this.#key, JSON.stringify(copy));
      return true;
    } catch {
      return false;
    }
  }

  forget(): void {
    localStorage.removeItem(this.#key);
  }
}
