/**
 * Asks for what `#rest` of the page lists, which is the app: what can be seen needs neither its scripts nor the whole style
 * sheet, so that comes when it is painted, and when what is `awaited` is. Where nobody looks, or either takes a second,
 * without that. Once it is here, src/main.tsx makes it count. What is clicked by then is marked: it clicks that once more.
 */
export function loadApp(awaited?: Promise<unknown>): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('#root:not([data-is-app]) button');
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
