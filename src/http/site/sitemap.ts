import { setImmediate } from 'node:timers/promises';
import type { VisiblePages } from '../../sites/visible-pages.ts';

/** The limits of one file, from https://www.sitemaps.org/protocol.html */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;

/** More bytes than an entry has besides its URL. */
const ENTRY_OVERHEAD_BYTES = 100;

/**
 * Returns one file of the sitemap. `/sitemap.xml` (part 0) lists all visible pages. If they do not fit into one file, it
 * lists the files `/sitemap-1.xml`, `/sitemap-2.xml`, … (parts 1, 2, …), which list the pages. Returns undefined for a part
 * that does not exist.
 */
export async function sitemap(pages: VisiblePages, siteUrl: string, part: number): Promise<Buffer | undefined> {
  const most = entriesOfFile(pages, siteUrl);
  const parts = partsOf(pages, siteUrl);
  if (part > parts) return undefined;
  if (part === 0 && parts > 0) return index(siteUrl, parts);
  const from = part === 0 ? 0 : (part - 1) * most;
  const chunks = [Buffer.from(`${XML}<urlset xmlns="${NAMESPACE}">\n`)];
  let lines = '';
  let count = 0;
  for (const { path, updatedAt } of pages) {
    count += 1;
    if (count > from + most) break;
    // URLs contain no characters that must be escaped in XML.
    if (count > from) {
      lines += `<url><loc>${siteUrl}${path}</loc><lastmod>${new Date(updatedAt).toISOString()}</lastmod></url>\n`;
    }
    if (count % PAUSE_EVERY !== 0) continue;
    chunks.push(Buffer.from(lines));
    lines = '';
    await setImmediate();
  }
  chunks.push(Buffer.from(`${lines}</urlset>\n`));
  return Buffer.concat(chunks);
}

/** Returns how many parts a sitemap has, or 0 if one file holds everything. */
export function partsOf(pages: VisiblePages, siteUrl: string): number {
  const most = entriesOfFile(pages, siteUrl);
  return pages.length > most ? Math.ceil(pages.length / most) : 0;
}

/** Returns how many entries fit into a file even if all are as long as the longest. URLs are ASCII. */
function entriesOfFile(pages: VisiblePages, siteUrl: string): number {
  return Math.min(MAX_ENTRIES, Math.floor(MAX_BYTES / (siteUrl.length + pages.longestPath() + ENTRY_OVERHEAD_BYTES)));
}

/** The number of pages that are processed before other requests run. They wait for a few milliseconds at most. */
const PAUSE_EVERY = 2000;
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function index(siteUrl: string, parts: number): Buffer {
  const files = Array.from(
    { length: parts },
    (_, part) => `<sitemap><loc>${siteUrl}/sitemap-${part + 1}.xml</loc></sitemap>\n`,
  );
  return Buffer.from(`${XML}<sitemapindex xmlns="${NAMESPACE}">\n${files.join('')}</sitemapindex>\n`);
}
