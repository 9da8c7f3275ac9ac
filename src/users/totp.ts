import { createHmac, randomBytes } from 'node:crypto';

/*
 * Codes of authenticator apps by RFC 6238, with the parameters that all apps use: SHA-1, six digits, steps of 30 seconds.
 * There is no package for it because this code is shorter than what reviewing a package would take.
 */
const STEP_MS = 30_000;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns 160 random bits in base32, as RFC 4226 recommends. */
export function newSecret(): string {
  return [...randomBytes(32)].map((byte) => ALPHABET[byte % 32]).join('');
}

/** Returns the URI that an authenticator app reads from a QR code. */
export function secretUri(secret: string, { issuer, name }: { issuer: string; name: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/**
 * Returns the time step of the code: the current one, or the one before or after it, since clocks differ; undefined if the
 * code fits none of them.
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const step = Math.floor(now / STEP_MS);
  return [step, step - 1, step + 1].find((candidate) => codeOf(secret, candidate) === code);
}

export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
