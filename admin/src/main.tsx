import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/bricolage-grotesque/index.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { noteClosing } from './closing.ts';
import { noteEarlyInput } from './keep-early-input.ts';
import { blockKeysBelowCover } from './parts/cover.tsx';
import { Root } from './root.tsx';
import { sendUnsent } from './run-optimistic.ts';
import { type ScreenName, screens } from './screens.tsx';

// Before anything else listens.
blockKeysBelowCover();
// The browser may keep the document and show it again on “Back”, when somebody else may have signed in.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

addEventListener('pagehide', () => {
  noteClosing();
  sendUnsent();
});

// A file that is dropped beside a drop zone would replace the app, with everything that was typed.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
}

const root = document.getElementById('root')!;
if (root.hasChildNodes()) void takeOver();
else createRoot(root).render(<Root />);

/** Hydrates what came with the page: see ../prerender.ts. */
async function takeOver(): Promise<void> {
  // First of all: as rules they would count less than what comes with the whole sheet.
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style!;
    delete element.dataset.style;
  }
  const { screen } = root.dataset;
  // If it cannot be loaded, the app says so in its place.
  const loaded = screen && screens[screen as ScreenName].load().catch(() => {});
  await Promise.all([wholeStyleSheet(), loaded]);
  const early = noteEarlyInput(root);
  const clicked = [...root.querySelectorAll<HTMLElement>('[data-clicked]')];
  for (const { dataset } of clicked) delete dataset.clicked;
  // From here on React hears of clicks itself.
  root.dataset.isApp = '';
  // Each is clicked once, however often it was: people click again when nothing happens.
  hydrateRoot(
    root,
    <Root onBuilt={early.keep} onShown={() => clicked.forEach((button) => void early.find(button)?.click())} />,
  );
}

/** The page came with as much of it as its first view takes. */
function wholeStyleSheet(): Promise<unknown> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=preload][as=style]');
  return new Promise((resolve) => {
    if (!link) return resolve(undefined);
    // Without it the app is no beauty, but works.
    link.onload = link.onerror = resolve;
    link.rel = 'stylesheet';
  });
}
