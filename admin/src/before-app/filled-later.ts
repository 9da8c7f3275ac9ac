/** For an element that the script in the page fills: React leaves alone what is in it, also when it takes over the page. */
export const filledLater = { dangerouslySetInnerHTML: { __html: '' } };
