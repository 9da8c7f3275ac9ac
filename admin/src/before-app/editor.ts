import type { PageJson, SessionJson } from '../contract.ts';
import { withChanges } from '../screens/editor/changes.ts';
import { LocalCopies } from '../screens/editor/local-copy.ts';
import { showText } from '../screens/editor/show-text.ts';
import { askAtOnce } from './asked.ts';
import { loadApp } from './load-app.ts';
import { painted } from './painted.ts';

/*
 * Stands in the page of the editor: whoever opens a page has its name and its text to read as soon as the service has told
 * them, long before there is an editor. What the app would show otherwise is left to it.
 */

loadApp(showPage());

async function showPage(): Promise<void> {
  const [session, page] = await Promise.all([
    askAtOnce<SessionJson>('/admin/session'),
    askAtOnce<PageJson>(`/admin${location.pathname}`),
  ]);
  // To whoever may not edit, other words are shown; and which of several texts is the latest is a longer story.
  if (!session?.user.permissions.includes('edit_pages') || !page) return;
  if (new LocalCopies(session.user.id, page.id).list().length > 0) return;
  const { name, body, bodyFormat } = withChanges(page, page.draft?.fields ?? {});
  const field = document.querySelector<HTMLTextAreaElement>('h1 textarea')!;
  field.value = name;
  field.parentElement!.dataset.name = `${name} `;
  showText(document.querySelector('[data-meanwhile]')!, body, bodyFormat);
  await painted();
}
