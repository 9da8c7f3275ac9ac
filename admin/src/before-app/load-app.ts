/**
 * Loads the app, which `#rest` of the page lists, after the first paint and after `awaited`: neither needs its scripts. In a
 * hidden tab, or after a second, it does not wait. Buttons pressed until then are marked; src/main.tsx clicks them again.
 */
export function loadApp(awaited?: Promise<unknown>): void {
  notePressed();
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
 * Marks the buttons that are pressed before the app is there. A form is sent only as it was when somebody sent it: if they
 * type on, its button is not pressed for them.
 */
function notePressed(): void {
  const mark = (button: Element | null | undefined, isPressed: boolean) =>
    button?.closest('#root:not([data-is-app])') && button.toggleAttribute('data-clicked', isPressed);
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button');
    // A submit button counts only once the browser has checked its form.
    if (button?.type !== 'submit') mark(button, true);
  });
  document.addEventListener('submit', (event) => {
    if (mark(event.submitter, true)) event.preventDefault();
  });
  document.addEventListener('input', ({ target }) => {
    mark((target as HTMLInputElement).form?.querySelector('[type=submit]'), false);
  });
}
