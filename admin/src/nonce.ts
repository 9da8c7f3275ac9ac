import { setNonce } from 'get-nonce';

/** The nonce for style elements in the content security policy. Browsers hide it from selectors, so the property is read. */
export const nonce =
  typeof document === 'undefined'
    ? // In the build, a placeholder that the service replaces.
      'NONCE'
    : (document.querySelector<HTMLElement>('script[nonce], meta[nonce]')?.nonce ?? '');

// For the library that locks scrolling behind dialogs, a dependency of Mantine.
setNonce(nonce);
