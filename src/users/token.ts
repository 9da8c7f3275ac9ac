import { hash, randomBytes } from 'node:crypto';

/** Returns a new token of 256 random bits, safe in cookies and links. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash under which a token is stored. A plain hash is enough: nobody guesses 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
