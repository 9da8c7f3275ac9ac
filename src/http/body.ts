import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';

/**
 * Reads a request's body whole.
 * @throws AppError `too_large` beyond `limit` bytes, `malformed` when the client broke off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new AppError('too_large', `The request body is larger than ${limit} bytes.`);
  return new Promise((resolve, reject) => {
    // Node reads on and throws away what is left, so that the client gets to see the answer.
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(tooLarge());
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.resume();
      reject(tooLarge());
    };
    request.on('data', onData);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () => reject(new AppError('malformed', 'The request broke off.')));
  });
}

/** Whether a body was announced with at least one byte. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
