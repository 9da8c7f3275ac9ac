import type { BenchAccount } from '../data.ts';

/** Describes the service under attack: every attack gets it. */
export interface Target {
  readonly port: number;
  /** The attacker's own account: a key, a session of its owner, a site. */
  readonly attacker: BenchAccount & { readonly cookie: string; readonly site: string };
}

/** A whole request, or the beginning of one. The head may have the number of the request in it, so that no two are alike. */
export interface Request {
  readonly head: (serial: number) => string;
  readonly body?: Buffer;
  /** Comes after the body, and is part of it. */
  readonly tail?: (serial: number) => string;
}

/** One hostile input, in several sizes. */
export interface Attack {
  readonly name: string;
  /** Each size is twice the one before. What they count is for `make` to say. */
  readonly sizes: readonly number[];
  /** Makes the request once; pages that it needs are created before. */
  readonly make: (size: number, target: Target) => Request | Promise<Request>;
  /** How many connections send it at once while others are measured. */
  readonly connections?: number;
  /** Each connection stays open once the request, or the beginning of one, has been sent. */
  readonly staysOpen?: boolean;
  /** All connections are opened first, and send at once later. */
  readonly isSentLater?: boolean;
  /** Only the first request costs what it can cost: each measurement makes a new one. */
  readonly isFirst?: boolean;
  /** All connections send one request each, and what one of them costs is not measured. */
  readonly isHeap?: boolean;
}

/** `GET` or another method without a body. */
export function get(path: string, { host = 'localhost', headers = '', method = 'GET' } = {}): Request {
  return { head: () => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n` };
}

export interface Sent {
  type: string;
  body: Buffer;
  host?: string;
  headers?: string;
  /** Each is as long as the others. */
  tail?: (serial: number) => string;
}

/** Sends a body; `{serial}` in the path stands for the number of the request. */
export function send(
  method: string,
  path: string,
  { type, body, host = 'localhost', headers = '', tail }: Sent,
): Request {
  const length = body.length + (tail?.(0).length ?? 0);
  const more = `Content-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n${headers}\r\n`;
  const head = (serial: number) =>
    `${method} ${path.replace('{serial}', String(serial))} HTTP/1.1\r\nHost: ${host}\r\n${more}`;
  return { head, body, ...(tail && { tail }) };
}

/** Repeats the text as often as it fits into so many bytes. It is never cut: half an escape would be malformed. */
export function filled(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / text.length));
}

/** The headers that a page of the admin app sends. */
export function ofPerson({ attacker }: Target): string {
  return `Origin: http://localhost:8080\r\nSec-Fetch-Site: same-origin\r\nCookie: session=${attacker.cookie}\r\n`;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
/** Inputs that cost less are not worth an attack: of their cost, most does not depend on the size. */
export const MIN_COST_MS = 20;

/** The highest factor by which the cost may grow for each doubling of the size. */
export const MAX_GROWTH = 2.6;

/** Returns the factor by which the cost grows for each doubling; 0 if nothing was measured. */
export function growthOf(costs: readonly number[]): number {
  return costs.length === 0 ? 0 : (costs.at(-1)! / costs[0]!) ** (1 / (costs.length - 1));
}

/** The longest that are read, by default. */
export const MAX_URL_BYTES = MIB + 64 * KIB - 200;
export const MAX_BODY_BYTES = 20 * MIB;

/** A quarter of it, half of it, and that. */
export const upTo = (size: number): number[] => [Math.floor(size / 4), Math.floor(size / 2), size];
