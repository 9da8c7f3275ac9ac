import { setNonce } from 'get-nonce';

/** The nonce that the page's policy demands of style elements. Browsers hide it from selectors, so it is read as a property. */
export const nonce =
  typeof document === 'undefined'
    ? // Of what the build writes: the service puts the real one there.
      'NONCE'
    : (document.querySelector<HTMLElement>('script[nonce], meta[nonce]')?.nonce ?? '');

// For what keeps the page still behind a dialog, deep inside Mantine.
setNonce(nonce);
