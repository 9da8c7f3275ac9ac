/**
 * Loads the app's files, which the page lists in `#rest`, after the first paint and after `awaited`. Neither of these needs
 * the app, so its scripts must not delay them. Loads at once in a hidden tab, and after a second in any case. Marks buttons
 * that are clicked until then, and src/main.tsx clicks them again.
 */
export function loadApp(awaited?: Promise<unknown>): void {
  markSubmittedForms();
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('#root:not([data-is-app]) button:not([type=submit])');
    if (button) button.dataset.clicked = '';
  });
  let rest = document.querySelector<HTMLTemplateElement>('#rest')?.content;
  const load = () => {
    if (rest) document.head.append(rest.cloneNode(true));
    rest = undefined;
  };
  if (document.hidden) load();
  else
    new PerformanceObserver(() => void Promise.resolve(awaited).then(load)).observe({ type: 'paint', buffered: true });
  setTimeout(load, 1000);
}

/**
 * Marks a form that is submitted before the app has loaded, by Enter or by its button. The app submits it after hydration.
 * Typing removes the mark, because the user has not finished.
 */
function markSubmittedForms(): void {
  document.addEventListener('submit', ({ target, defaultPrevented: isHandled }) => {
    if (!isHandled) (target as HTMLFormElement).dataset.submitted = '';
  });
  document.addEventListener('input', ({ target }) => {
    delete (target as HTMLInputElement).form?.dataset.submitted;
  });
}
