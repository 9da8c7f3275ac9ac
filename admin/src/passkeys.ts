import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { loadPart } from './load-part.ts';
import { strings } from './strings.ts';

/* Asks the browser for passkeys. The library is loaded on demand. Its counterpart in the service defines the data. */

const library = () => loadPart(() => import('@simplewebauthn/browser'));

/** True if the browser supports passkeys. Browsers do not over plain HTTP. */
export const knowsPasskeys = 'PublicKeyCredential' in globalThis;

/** Asks the user to choose a passkey. @throws if the user does not */
export async function choosePasskey(options: unknown): Promise<unknown> {
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}

/**
 * Offers passkeys in the autofill of the field marked with `webauthn`. Resolves when the user chooses one, or to undefined
 * if the offer is withdrawn or the browser does not support it.
 */
export async function offerPasskeys(options: unknown): Promise<unknown> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => undefined);
}

/** Withdraws the offer of passkeys. */
export async function withdrawPasskeys(): Promise<void> {
  const { WebAuthnAbortService } = await library();
  WebAuthnAbortService.cancelCeremony();
}

/** Asks the user's device to create a passkey. @throws if it does not */
export async function makePasskey(options: unknown): Promise<unknown> {
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
}

/** Says why the browser returned no passkey. Returns undefined for errors that are not the browser's. */
export function explainPasskey(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const words = strings.passkeys;
  if ('code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return words.already;
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return words.notChosen;
  return 'code' in error && String(error.code).startsWith('ERROR_') ? words.notPossible : undefined;
}
