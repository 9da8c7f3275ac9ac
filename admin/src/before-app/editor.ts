import type { PageJson, SessionJson } from '../contract.ts';
import { withChanges } from '../data/changes.ts';
import { LocalCopies } from '../data/local-copy.ts';
import { showText } from '../parts/show-text.ts';
import { afterPaint } from './after-paint.ts';
import { requestEarly } from './early-requests.ts';
import { loadApp } from './load-app.ts';

/*
 * The inline script of the editor's page. It shows the name and text of a page as soon as the service has answered, long
 * before the editor has loaded. All other cases are left to the app.
 */

/** The longest that readers wait for the font. */
const FONT_TIMEOUT_MS = 300;

loadApp(showPage());

async function showPage(): Promise<void> {
  const [session, page] = await Promise.all([
    requestEarly<SessionJson>('/admin/session'),
    requestEarly<PageJson>(`/admin${location.pathname}`),
  ]);
  // Users who may not edit see other texts. If the browser has copies of the page, the app decides which text is the latest.
  if (!session?.user.permissions.includes('edit_pages') || !page) return;
  if (new LocalCopies(session.user.id, page.id).list().length > 0) return;
  // The page preloads the font. With another font, lines would break elsewhere, and the text would move while it is being
  // read.
  await Promise.race([document.fonts.load("1em 'Inter Variable'"), wait(FONT_TIMEOUT_MS)]).catch(() => {});
  const { name, body, bodyFormat, isHidden } = withChanges(page, page.draft?.fields ?? {});
  const field = document.querySelector<HTMLTextAreaElement>('h1 textarea')!;
  field.value = name;
  field.parentElement!.dataset.name = `${name} `;
  const note = document.querySelector<HTMLElement>('[data-note]')!;
  const above = page.ancestors.find((ancestor) => ancestor.isHidden || !ancestor.isPublished);
  if (!page.isPublished) note.textContent = note.dataset.noteUnpublished!;
  else if (above) note.textContent = note.dataset.noteAbove!.replace('…', () => above.name);
  else if (page.isHidden && isHidden) note.textContent = note.dataset.note!;
  showText(document.querySelector('[data-meanwhile]')!, body, bodyFormat);
  await afterPaint();
}

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
