import { isIP } from 'node:net';
import { Refusal } from '../../refusal.ts';

/** The relying party of passkeys: a browser offers a passkey only to the host that it was made for. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the relying party at PUBLIC_URL; undefined where browsers support no passkeys: at an IP address, and over plain
 * HTTP except on localhost.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isAddress || !isSecure ? undefined : { id: hostname, origin };
}

/**
 * Returns the relying party at PUBLIC_URL.
 * @throws AppError `conflict` where browsers support no passkeys
 */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const found = relyingPartyOf(publicUrl);
  if (found) return found;
  throw new Refusal('conflict', { reason: 'passkeys_impossible' });
}

/**
 * Returns the handle by which a passkey identifies its owner. It contains no name or address, since anybody who has the
 * device can read it.
 */
export function userHandle(userId: number): string {
  return Buffer.from(`user_${userId}`).toString('base64url');
}
