import type { OneTimeLinkJson } from '../contract.ts';
import { askAtOnce } from './asked.ts';
import { loadApp } from './load-app.ts';
import { painted } from './painted.ts';

/*
 * Stands in the page that a mailed link leads to: which address it is for is there to be read as soon as the service has told
 * it. Looking is all that is done here: the link is used up by the app's button.
 */

loadApp(showAddress());

async function showAddress(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  const link = token && (await askAtOnce<OneTimeLinkJson>('/admin/one-time-link', { token }));
  if (!link) return;
  const place = document.querySelector<HTMLElement>('[data-words]')!;
  place.textContent = place.dataset.words!.replace('…', () => link.email);
  await painted();
}
