import type { PageStatus } from '../db/schema.ts';
import { MAX_ADDRESS_CHARACTERS } from './old-site.ts';

/** A page of another system in the form in which it will be created. */
export interface PageToImport {
  /** The index of the parent, which comes earlier; undefined for a root page. */
  readonly parent: number | undefined;
  readonly name: string;
  /** The urlname, which gets a number on creation if a sibling has it. */
  readonly urlname: string;
  /** The HTML. `import:INDEX` stands for the URL of a page of the import, `import-image:INDEX` for that of an image. */
  readonly body: string;
  readonly description: string | null;
  readonly status: PageStatus;
  /** Milliseconds since 1970; undefined for the time of the import. */
  readonly date: number | undefined;
  /** The paths, with queries, that the page had on the old site and that can redirect. */
  readonly formerPaths: readonly string[];
}

/** Something that could not be imported unchanged. */
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
  /** The type, block, shortcode, element or address. */
  readonly value: string;
  /** How often it occurs. */
  readonly count: number;
}

/** The contents of another system's site. */
export interface SiteToImport {
  /** The pages, each before its children. */
  readonly pages: readonly PageToImport[];
  /** How many of the pages are posts of the site's blog, below a page of their own. */
  readonly postCount: number;
  /** The addresses of the site's images. */
  readonly images: readonly string[];
  readonly notes: readonly ImportNote[];
}

/** The most notes that are listed: the rest are only counted. A file may cause a million, each with a long address. */
const MAX_NOTES = 10_000;

/** Collects notes, and counts equal ones. */
export class ImportNotes {
  readonly #notes = new Map<string, { -readonly [key in keyof ImportNote]: ImportNote[key] }>();
  #more = 0;

  add(code: ImportNote['code'], value: string, page?: string): void {
    const shortValue = value.slice(0, MAX_ADDRESS_CHARACTERS);
    const key = JSON.stringify([code, shortValue, page]);
    const note = this.#notes.get(key);
    if (note) note.count += 1;
    else if (this.#notes.size < MAX_NOTES)
      this.#notes.set(key, { code, value: shortValue, ...(page && { page }), count: 1 });
    else this.#more += 1;
  }

  list(): ImportNote[] {
    const notes = [...this.#notes.values()];
    return this.#more === 0 ? notes : [...notes, { code: 'more', value: '', count: this.#more }];
  }
}
