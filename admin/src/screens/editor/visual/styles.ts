/**
 * The attribute that holds a style as it was written, because browsers normalize styles. Used only in the editor's own HTML.
 */
export const STYLE = 'data-style';

/** Restores the styles as they were written. */
export function withStyles(holder: Element): void {
  for (const element of holder.querySelectorAll(`[${STYLE}]`)) {
    element.setAttribute('style', element.getAttribute(STYLE)!);
    element.removeAttribute(STYLE);
  }
}
