import { hash } from 'node:crypto';
import type { PageToCopy } from '../pages/list-pages-to-copy.ts';

/** The contents of a page that a template passes on. The page's place and date are copied only when the page is created. */
type PageState = Pick<PageToCopy, 'name' | 'urlname' | 'isHidden' | 'description' | 'body' | 'bodyFormat' | 'status'>;

/**
 * Returns a hash of the contents that a template passes on. Stored with the copy, the hash later tells which side has changed
 * the page, without a second copy of every text. Since hashes are stored, the fields and their order must never change.
 */
export function pageHash({ name, urlname, isHidden, description, body, bodyFormat, status }: PageState): string {
  const text = JSON.stringify([name, urlname, isHidden, description, body, bodyFormat, status]);
  return hash('sha256', text).slice(0, 32);
}
