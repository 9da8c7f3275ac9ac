/**
 * Loads the app, which `#rest` of the page lists, after the first paint and after `awaited`: neither needs its scripts. In a
 * hidden tab, or after a second, it does not wait. Buttons clicked until then are marked; src/main.tsx clicks them again.
 */
export function loadApp(awaited?: Promise<unknown>): void {
  noteSubmission();
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
 * Marks the form that is submitted before the app is there, by Enter or by its button: the app sends it once it has taken it
 * over. Typing on takes the mark away, because then the person has not finished.
 */
function noteSubmission(): void {
  document.addEventListener('submit', ({ target, defaultPrevented: isHandled }) => {
    if (!isHandled) (target as HTMLFormElement).dataset.submitted = '';
  });
  document.addEventListener('input', ({ target }) => {
    delete (target as HTMLInputElement).form?.dataset.submitted;
  });
}
