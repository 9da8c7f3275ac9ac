/** Resolves when what has been put in is on the screen: the frame after is about to be drawn. Where nobody looks, at once. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}
