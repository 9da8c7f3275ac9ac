/*
 * The functions that we use of the passkey library. Together with its certificate code it takes 30 MB of memory, so this
 * file is imported only when a passkey is registered or used.
 */
export {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeAttestationObject } from '@simplewebauthn/server/helpers';
