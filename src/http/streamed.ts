import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamedBody } from './request-context.ts';
import { whileAdmitted } from './while-admitted.ts';

/**
 * Returns a body from a stream that is read once. For HEAD only `size` is used, and nothing is read. With `assertAdmitted`,
 * the answer breaks off when it throws.
 */
export function streamed(source: Readable, size: number, assertAdmitted?: () => Promise<void>): StreamedBody {
  return {
    size,
    async sendTo(target: Writable) {
      try {
        await (assertAdmitted ? pipeline(whileAdmitted(source, assertAdmitted), target) : pipeline(source, target));
      } finally {
        // If the client has disconnected, Node leaves the stream open, and an open file that is garbage-collected ends the
        // process.
        source.destroy();
      }
    },
  };
}
