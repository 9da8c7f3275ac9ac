import type { OneTimeLinkJson } from '../contract.ts';
import { afterPaint } from './after-paint.ts';
import { requestEarly } from './early-requests.ts';
import { loadApp } from './load-app.ts';

/*
 * The inline script of the page that a mailed link leads to. It shows the link's mail address as soon as the service has
 * answered. It does not use up the link: the app's button does.
 */

loadApp(showAddress());

async function showAddress(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  const link = token && (await requestEarly<OneTimeLinkJson>('/admin/one-time-link', { token }));
  if (!link) return;
  const place = document.querySelector<HTMLElement>('[data-words]')!;
  place.textContent = place.dataset.words!.replace('…', () => link.email);
  await afterPaint();
}
