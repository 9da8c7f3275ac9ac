import type { PageView } from './view.ts';

/** The whole HTML document of a page, in its site's theme. */
export function renderDocument(view: PageView): string {
  throw new Error(`not written yet: ${view.name}`);
}
