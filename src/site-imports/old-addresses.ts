import { readRedirectPath } from '../sites/redirect-path.ts';
import { TextGrowth } from '../text-growth.ts';
import { MAX_ADDRESS_CHARACTERS, type OldItem } from './old-site.ts';

interface OldPage {
  readonly id: number;
  /** The page's address on the old site. */
  readonly link: string;
}

interface OldFile extends OldPage {
  readonly fileUrl: string;
}

/** Maps addresses of the old site to the pages that come from it, and to its images. */
export class OldAddresses {
  /** The addresses of the images that were asked for. `import-image:INDEX` in a text stands for each. */
  readonly images: string[] = [];
  readonly #host: string;
  readonly #pagesByPath = new Map<string, number>();
  readonly #pagesById = new Map<number, number>();
  readonly #files = new Map<string, string>();
  readonly #imageIndexes = new Map<string, number>();
  readonly #growth = new TextGrowth();

  /** A page that is undefined has no counterpart on the old site. */
  constructor(
    siteUrl: string,
    { pages, files }: { pages: readonly (OldPage | undefined)[]; files: readonly OldFile[] },
  ) {
    this.#host = hostOf(URL.parse(siteUrl));
    for (const [index, page] of pages.entries()) {
      if (!page) continue;
      this.#pagesById.set(page.id, index);
      const path = pathKey(parseAddress(page.link));
      if (path !== '') this.#pagesByPath.set(path, index);
    }
    for (const { fileUrl, link } of files) {
      const key = fileKey(parseAddress(fileUrl));
      this.#files.set(key, fileUrl);
      // WordPress makes a page for each file, and its galleries link to these pages.
      const path = pathKey(parseAddress(link));
      if (path !== '') this.#files.set(`${this.#host}${path}`, fileUrl);
    }
  }

  /**
   * Returns the placeholder for an address until the import knows the target. `base` is the address of the page with the
   * link.
   */
  linkTo(href: string, base: string, onOldLink: (address: string) => void): string {
    if (href === '' || href.startsWith('#')) return href;
    const url = parse(href, base);
    if (!url) return href;
    const file = this.#fileAt(url);
    if (file !== undefined && isImage(file)) return this.#image(file) ?? href;
    if (!this.#isOwn(url)) return href;
    const id = /^\?(?:p|page_id)=(\d{1,15})$/.exec(url.search)?.[1];
    const path = pathKey(url);
    const index = id === undefined ? this.#pagesByPath.get(path) : this.#pagesById.get(Number(id));
    if (index !== undefined) return `import:${index}${url.hash}`;
    if (path === '' && url.search === '') return `/${url.hash}`;
    onOldLink(url.href);
    return url.href;
  }

  /** Returns the paths, with queries, that led to an item on the old site and can redirect. */
  formerPaths({ link, permanentLink }: OldItem): string[] {
    const links = this.#isOwnAddress(permanentLink) ? [link, permanentLink] : [link];
    return [...new Set(links.flatMap((address) => redirectOf(address) ?? []))];
  }

  imageAt(src: string, base: string): string {
    const url = parse(src, base);
    if (!url) return src;
    const file = this.#fileAt(url);
    if (file === undefined && !this.#isOwn(url)) return src;
    return this.#image(file ?? url.href) ?? src;
  }

  /** Returns the placeholder for an image; undefined if the addresses take more memory than those of any real site. */
  #image(address: string): string | undefined {
    let index = this.#imageIndexes.get(address);
    if (index === undefined) {
      if (!this.#growth.admits(address.length)) return undefined;
      index = this.images.push(address) - 1;
      this.#imageIndexes.set(address, index);
    }
    return `import-image:${index}`;
  }

  /** Returns the URL of an image's original, whatever size of it the address is for. */
  #fileAt(url: URL): string | undefined {
    return this.#files.get(fileKey(url)) ?? this.#files.get(`${hostOf(url)}${pathKey(url)}`);
  }

  #isOwnAddress(address: string): boolean {
    const url = parseAddress(address);
    return url !== null && this.#isOwn(url);
  }

  #isOwn(url: URL): boolean {
    return hostOf(url) === this.#host;
  }
}

export function isImage(address: string): boolean {
  return /\.(?:jpe?g|png|gif|webp|avif)$/i.test(URL.parse(address)?.pathname ?? '');
}

/** Returns the path and query of an address, if they can redirect. */
function redirectOf(address: string): string | undefined {
  const url = parseAddress(address);
  const path = url && readRedirectPath(url.pathname + url.search);
  return typeof path === 'string' ? path : undefined;
}

/** Parses an address. Addresses that are too long, also when encoded, count as invalid. */
function parseAddress(address: string, base?: string): URL | null {
  const url = address.length <= MAX_ADDRESS_CHARACTERS ? URL.parse(address, base) : null;
  return url && url.href.length <= MAX_ADDRESS_CHARACTERS ? url : null;
}

function parse(address: string, base: string): URL | undefined {
  const hasBase = base.length <= MAX_ADDRESS_CHARACTERS && URL.canParse(base);
  const url = parseAddress(address, hasBase ? base : undefined);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * Returns one key for all spellings of a page's address; empty for the home page, and for addresses that are in the query.
 */
function pathKey(url: URL | null): string {
  let path = url?.pathname.toLowerCase() ?? '';
  while (path.endsWith('/')) path = path.slice(0, -1);
  return path;
}

/** Returns one key for all sizes of an image: WordPress adds `-300x200` to the file's name, or the size to the query. */
function fileKey(url: URL | null): string {
  return `${hostOf(url)}${url?.pathname.replace(/-\d{1,5}x\d{1,5}(?=\.\w{1,5}$)/, '')}`;
}

function hostOf(url: URL | null): string {
  return url?.host.replace(/^www\./, '') ?? '';
}
