import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { loadPart } from './load-part.ts';
import { strings } from './strings.ts';

/*
 * Asks the browser for passkeys. The library is loaded when it is needed; its data is between it and its
 * other half in the service.
 */

const library = () => loadPart(() => import('@simplewebauthn/browser'));

/** Whether this browser knows of passkeys at all. It does not where a page came over plain HTTP. */
export const knowsPasskeys = 'PublicKeyCredential' in globalThis;

/** Has the person choose one of their passkeys. @throws where they did not. */
export async function choosePasskey(options: unknown): Promise<unknown> {
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}

/**
 * Has the browser offer passkeys where it offers addresses and passwords, in the field marked with `webauthn`. Resolves
 * when somebody takes one; undefined where it was given up for another request, or is not known here.
 */
export async function offerPasskeys(options: unknown): Promise<unknown> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => undefined);
}

/** Takes the offer back. */
export async function withdrawPasskeys(): Promise<void> {
  const { WebAuthnAbortService } = await library();
  WebAuthnAbortService.cancelCeremony();
}

/** Has the person's device make a passkey. @throws where it did not. */
export async function makePasskey(options: unknown): Promise<unknown> {
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
}

/** Why the browser gave none, in words; undefined for errors that are not the browser's. */
export function explainPasskey(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const words = strings.passkeys;
  if ('code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return words.already;
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return words.notChosen;
  return 'code' in error && String(error.code).startsWith('ERROR_') ? words.notPossible : undefined;
}
