import { hash, randomBytes } from 'node:crypto';

/** Something to be shown to nobody but its owner: 256 random bits, fit for a cookie and for a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token. A plain hash is enough: nobody guesses 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
