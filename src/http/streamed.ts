import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamedBody } from './exchange.ts';

/** A body that comes from elsewhere, once. Whoever asked with HEAD gets `size` alone, and nothing is opened. */
export function streamed(source: Readable, size: number): StreamedBody {
  return { size, sendTo: (target: Writable) => pipeline(source, target) };
}
