import type { PageStatus } from '../db/schema.ts';
import { MAX_ADDRESS_CHARACTERS } from './old-site.ts';

/** A page of another system, as it will be created here. */
export interface PageToImport {
  /** The index of its parent, which comes before it; undefined for the root. */
  readonly parent: number | undefined;
  readonly name: string;
  /** Made unique among its siblings when it is created. */
  readonly urlname: string;
  /** HTML. `import:INDEX` is the URL of a page of the import, and `import-image:INDEX` that of an image. */
  readonly body: string;
  readonly description: string | null;
  readonly status: PageStatus;
  /** Milliseconds since 1970; undefined for now. */
  readonly date: number | undefined;
  /** The paths, with their queries, that it had on the old site, and that a redirect can have. */
  readonly formerPaths: readonly string[];
}

/** Something that could not be carried over as it was. */
export interface ImportNote {
  readonly code:
    | 'not_imported_type'
    | 'in_trash'
    | 'password'
    | 'members_only'
    | 'no_html'
    | 'block'
    | 'shortcode'
    | 'form_or_script'
    | 'old_link'
    | 'kept_as_html'
    | 'more';
  /** The name of the page; undefined for the whole site. */
  readonly page?: string;
  /** The type, the block, the shortcode, the element, or the address. */
  readonly value: string;
  /** How many there are. */
  readonly count: number;
}

/** The contents of another system. */
export interface SiteToImport {
  /** Each before its children. */
  readonly pages: readonly PageToImport[];
  /** How many of them are posts of its blog, below a page of their own. */
  readonly postCount: number;
  /** The addresses of its images. */
  readonly images: readonly string[];
  readonly notes: readonly ImportNote[];
}

/** Far more than anybody reads; the others are counted. A file may give reasons for a million, each with a long address. */
const MAX_NOTES = 10_000;

/** Collects notes, and counts the same ones. */
export class ImportNotes {
  readonly #notes = new Map<string, { -readonly [key in keyof ImportNote]: ImportNote[key] }>();
  #more = 0;

  add(code: ImportNote['code'], value: string, page?: string): void {
    const told = value.slice(0, MAX_ADDRESS_CHARACTERS);
    const key = JSON.stringify([code, told, page]);
    const note = this.#notes.get(key);
    if (note) note.count += 1;
    else if (this.#notes.size < MAX_NOTES) this.#notes.set(key, { code, value: told, ...(page && { page }), count: 1 });
    else this.#more += 1;
  }

  list(): ImportNote[] {
    const notes = [...this.#notes.values()];
    return this.#more === 0 ? notes : [...notes, { code: 'more', value: '', count: this.#more }];
  }
}
