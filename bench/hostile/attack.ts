import type { BenchAccount } from '../data.ts';

/** Describes the service under attack: every attack gets it. */
export interface Target {
  readonly port: number;
  /** The attacker's own account: a key, a session of its owner, a site. */
  readonly attacker: BenchAccount & { readonly cookie: string; readonly site: string };
}

/** A complete request or the beginning of one. The head may contain the request's number, so that all requests differ. */
export interface Request {
  readonly head: (serial: number) => string;
  readonly body?: Buffer;
  /** Returns the end of the body. */
  readonly tail?: (serial: number) => string;
}

/** One hostile input, in several sizes. */
export interface Attack {
  readonly name: string;
  /** The sizes, each twice the previous one. `make` decides what they count. */
  readonly sizes: readonly number[];
  /** Makes the request, and first creates the pages that it needs. */
  readonly make: (size: number, target: Target) => Request | Promise<Request>;
  /** The number of connections that send the request at once while others are measured. */
  readonly connections?: number;
  /** True if each connection stays open after sending. */
  readonly staysOpen?: boolean;
  /** True if all connections are opened first and send together later. */
  readonly isSentLater?: boolean;
  /** True if only the first such request is expensive, so that each measurement must make a new one. */
  readonly isFirst?: boolean;
  /** True if each connection sends one request and only the memory matters, not the cost of a request. */
  readonly isHeap?: boolean;
}

/** Returns a request without a body, by default a `GET`. */
export function get(path: string, { host = 'localhost', headers = '', method = 'GET' } = {}): Request {
  return { head: () => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n` };
}

export interface Sent {
  type: string;
  body: Buffer;
  host?: string;
  headers?: string;
  /** Returns the end of the body, which must have the same length for every serial number. */
  tail?: (serial: number) => string;
}

/** Returns a request with a body; `{serial}` in the path stands for the request's number. */
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

/** Repeats the text as often as it fits into the bytes, without cutting it: half an escape sequence would be malformed. */
export function filled(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / text.length));
}

/** Returns the headers that a page of the admin app sends. */
export function ofPerson({ attacker }: Target): string {
  return `Origin: http://localhost:8080\r\nSec-Fetch-Site: same-origin\r\nCookie: session=${attacker.cookie}\r\n`;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
/** Cheaper inputs are not worth an attack: most of their cost does not depend on the size. */
export const MIN_COST_MS = 20;

/** The highest factor by which the cost may grow when the size doubles. */
export const MAX_GROWTH = 2.6;

/** Returns the factor by which the cost grows when the size doubles; 0 if nothing was measured. */
export function growthOf(costs: readonly number[]): number {
  return costs.length === 0 ? 0 : (costs.at(-1)! / costs[0]!) ** (1 / (costs.length - 1));
}

/** The longest URLs that the service reads by default. */
export const MAX_URL_BYTES = MIB + 64 * KIB - 200;
export const MAX_BODY_BYTES = 20 * MIB;

/** Returns a quarter of the size, half of it, and the size. */
export const upTo = (size: number): number[] => [Math.floor(size / 4), Math.floor(size / 2), size];
