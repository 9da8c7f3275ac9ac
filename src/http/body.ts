import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';

/** In bytes: a body up to this is read whatever else there is. */
const SMALL = 256 * 1024;

/** In bytes: how much one process holds of bodies that are on their way, before it takes no more large ones. */
const MOST_HELD = 128 * 1024 * 1024;

let held = 0;

/**
 * Reads a request's body whole.
 * @throws AppError `too_large` beyond `limit` bytes, `malformed` when the client broke off, `unavailable` when others are
 * sending so much that there would be no room: however many keys and connections somebody has, memory is everybody's.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const brokenOff = () => new AppError('malformed', 'The request broke off.');
  // Then it tells nobody any more: neither that it has ended nor what was wrong.
  if (request.destroyed) throw brokenOff();
  const tooLarge = () => new AppError('too_large', `The request body is larger than ${limit} bytes.`);
  // Node reads on and throws away what is left, so that the client gets to see the answer.
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        held += chunk.length;
        const noRoom = size > SMALL && held > Math.max(MOST_HELD, 2 * limit);
        if (size <= limit && !noRoom) {
          chunks.push(chunk);
          return;
        }
        request.off('data', onData);
        request.resume();
        reject(noRoom ? new AppError('unavailable', 'Too much is being sent at once. Try again.') : tooLarge());
      };
      request.on('data', onData);
      request.on('end', resolve);
      request.on('error', () => reject(brokenOff()));
    });
  } finally {
    held -= size;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Whether a body was announced with at least one byte. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
