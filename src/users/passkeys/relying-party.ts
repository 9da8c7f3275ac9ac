import { isIP } from 'node:net';
import { Refusal } from '../../refusal.ts';

/** The relying party of passkeys: a browser offers a passkey only to the host that it was made for. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Whom passkeys are made for at PUBLIC_URL; undefined where browsers do not have any: at an IP address, and over plain
 * HTTP anywhere but on the machine itself.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isAddress || !isSecure ? undefined : { id: hostname, origin };
}

/** @throws AppError `conflict` where there cannot be any. */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const found = relyingPartyOf(publicUrl);
  if (found) return found;
  throw new Refusal('conflict', { reason: 'passkeys_impossible' });
}

/**
 * Returns the handle by which a passkey identifies its owner: no name or address, since anybody who has the device can
 * read it.
 */
export function userHandle(userId: number): string {
  return Buffer.from(`user_${userId}`).toString('base64url');
}
