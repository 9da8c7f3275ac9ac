import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/bricolage-grotesque/index.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { markClosing } from './closing.ts';
import { recordEarlyInput } from './keep-early-input.ts';
import { blockKeysBelowCover } from './parts/cover.tsx';
import { Root } from './root.tsx';
import { sendUnsent } from './run-optimistic.ts';
import { type ScreenName, screens } from './screens.tsx';

// Must be called before any other listener is added.
blockKeysBelowCover();
// On “Back”, the browser may show a stored document, although another user may have signed in since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

addEventListener('pagehide', () => {
  markClosing();
  sendUnsent();
});

// Otherwise, a file dropped beside a drop zone would replace the app, with everything typed.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
}

const root = document.getElementById('root')!;
if (root.hasChildNodes()) void hydrate();
else createRoot(root).render(<Root />);

/** Hydrates the prerendered page: see ../prerender.ts. */
async function hydrate(): Promise<void> {
  // Must come first: prerendering has turned the inline styles into CSS rules, which the whole style sheet would override.
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style!;
    delete element.dataset.style;
  }
  const { screen } = root.dataset;
  // If loading fails, the app shows the error in place of the screen.
  const loaded = screen && screens[screen as ScreenName].load().catch(() => {});
  await Promise.all([wholeStyleSheet(), loaded]);
  const early = recordEarlyInput(root);
  const clicked = [...root.querySelectorAll<HTMLElement>('[data-clicked]')];
  for (const { dataset } of clicked) delete dataset.clicked;
  // From here on, React handles clicks itself.
  root.dataset.isApp = '';
  // Counts repeated clicks on one element once: people click again when nothing seems to happen.
  hydrateRoot(
    root,
    <Root onBuilt={early.keep} onShown={() => clicked.forEach((button) => void early.find(button)?.click())} />,
  );
}

/** Loads the whole style sheet. The page contains only the part for its first view. */
function wholeStyleSheet(): Promise<unknown> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=preload][as=style]');
  return new Promise((resolve) => {
    if (!link) return resolve(undefined);
    // Without the style sheet the app is ugly, but works.
    link.onload = link.onerror = resolve;
    link.rel = 'stylesheet';
  });
}
