import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamedBody } from './request-context.ts';

/** A body that comes from elsewhere, once. Whoever asked with HEAD gets `size` alone, and nothing is opened. */
export function streamed(source: Readable, size: number): StreamedBody {
  return {
    size,
    async sendTo(target: Writable) {
      try {
        await pipeline(source, target);
      } finally {
        // Where the client has gone before, Node leaves it open; and a file that is found so later ends the process.
        source.destroy();
      }
    },
  };
}
