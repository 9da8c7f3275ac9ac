/** Props of an element that the script in the page fills: React leaves its content alone, also when it hydrates the page. */
export const filledLater = { dangerouslySetInnerHTML: { __html: '' } };
