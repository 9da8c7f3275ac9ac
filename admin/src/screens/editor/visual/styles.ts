/** The attribute with a style as it was written: browsers write it their own way. Only the editor's own HTML has it. */
export const STYLE = 'data-style';

/** Puts back the styles as they were written. */
export function withStyles(holder: Element): void {
  for (const element of holder.querySelectorAll(`[${STYLE}]`)) {
    element.setAttribute('style', element.getAttribute(STYLE)!);
    element.removeAttribute(STYLE);
  }
}
