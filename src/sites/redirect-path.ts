import type { BrokenRule } from '../field-error.ts';
import { canonicalPath } from './canonical-path.ts';

/** Returns the path of a site that is to lead to a page, or the rule that the text breaks. */
export function readRedirectPath(text: string): string | BrokenRule {
  const trimmed = text.trim();
  if (trimmed === '') return { code: 'blank' };
  const path = canonicalPath(trimmed);
  // The home page is always there.
  return path === undefined || path === '/' ? { code: 'not_a_path' } : path;
}
