/** Resolves after the next paint, or at once in a hidden tab. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}
