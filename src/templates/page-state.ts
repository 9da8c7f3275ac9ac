import { hash } from 'node:crypto';
import type { PageToCopy } from '../pages/list-pages-to-copy.ts';

/** What a template passes on of a page. Its place and date are passed on once, when the page is made. */
export type PageState = Pick<
  PageToCopy,
  'name' | 'urlname' | 'isHidden' | 'description' | 'body' | 'bodyFormat' | 'status'
>;

/**
 * Returns a hash of what a template passes on of a page. Stored with the copy, it tells later on which side the page has
 * changed, without a second copy of every text. Hashes are stored: the fields and their order stay as they are.
 */
export function pageHash({ name, urlname, isHidden, description, body, bodyFormat, status }: PageState): string {
  const text = JSON.stringify([name, urlname, isHidden, description, body, bodyFormat, status]);
  return hash('sha256', text).slice(0, 32);
}
