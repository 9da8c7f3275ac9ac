import { setNonce } from 'get-nonce';

/** What the page's policy asks of style elements. Browsers hide it from selectors, so it is read as a property. */
export const nonce = document.querySelector<HTMLElement>('script[nonce], meta[nonce]')?.nonce ?? '';

// For what keeps the page still behind a dialog, deep inside Mantine.
setNonce(nonce);
