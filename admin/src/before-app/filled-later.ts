/** Props of an element that an inline script fills: React leaves its content alone, even when it hydrates the page. */
export const filledLater = { dangerouslySetInnerHTML: { __html: '' } };
