/*
 * All that is taken of the library. It and what it needs to look at certificates take 30 MB, so this file is imported when
 * a passkey is made or signs in, and not before.
 */
export {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeAttestationObject } from '@simplewebauthn/server/helpers';
