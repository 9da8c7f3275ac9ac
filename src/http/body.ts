import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { Turns, type Whose } from '../turns.ts';
import { sendContinue } from './continue.ts';

/** In bytes: a body up to this is read whatever else there is. */
const SMALL = 256 * 1024;

/** In bytes: how much one process holds of bodies that are not done with, before it takes no more large ones. */
const MOST_HELD = 128 * 1024 * 1024;

let held = 0;
const heldBy = new Map<Whose, number>();

/**
 * Admits one large body at a time: 16 MB take a fifth of a second to be decoded, parsed and stored, and everybody would wait
 * that long for each connection that sends so much. Accounts take turns.
 */
const largeBodies = new Turns(1);

export interface BodyOptions {
  /** In bytes. */
  readonly limit: number;
  /** On whose behalf it is sent. */
  readonly whose: Whose;
}

/**
 * Reads a request's body whole and does `work` with it; where it is large, when no other large one is worked on.
 * @throws AppError `too_large` beyond `limit` bytes, `malformed` when the client broke off, `unavailable` when others are
 * sending so much that there would be no room: however many keys and connections somebody has, memory is everybody's.
 */
export async function withBody<T>(
  request: IncomingMessage,
  { limit, whose }: BodyOptions,
  work: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  const body = { chunks: [] as Buffer[], size: 0 };
  try {
    await receive(request, { limit, whose }, body);
    const workOnAll = async () => {
      const bytes = body.chunks.length === 1 ? body.chunks[0]! : Buffer.concat(body.chunks.splice(0));
      await letOthersIn(bytes);
      return work(bytes);
    };
    return await (body.size > SMALL ? largeBodies.take(workOnAll, whose) : workOnAll());
  } finally {
    hold(whose, -body.size);
  }
}

interface Body {
  chunks: Buffer[];
  /** In bytes, of all that has come. */
  size: number;
}

async function receive(request: IncomingMessage, { limit, whose }: BodyOptions, body: Body): Promise<void> {
  const brokenOff = () => new AppError('malformed', 'The request broke off.');
  // Then it tells nobody any more: neither that it has ended nor what was wrong.
  if (request.destroyed) throw brokenOff();
  checkAnnounced(request, limit);
  sendContinue(request);
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      body.size += chunk.length;
      hold(whose, chunk.length);
      const most = Math.max(MOST_HELD, 2 * limit);
      // Nobody takes up all of it: others are to find room as well.
      const noRoom = body.size > SMALL && (held > most || (heldBy.get(whose) ?? 0) > most / 2);
      if (body.size <= limit && !noRoom) {
        body.chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.resume();
      reject(noRoom ? new AppError('unavailable', 'Too much is being sent at once. Try again.') : tooLarge(limit));
    };
    request.on('data', onData);
    request.on('end', resolve);
    request.on('error', () => reject(brokenOff()));
  });
}

/** Between two steps of the work on a large body, those who arrived during the first one are answered. */
export async function letOthersIn(bytes: Buffer): Promise<void> {
  if (bytes.length > SMALL) await setImmediate();
}

function hold(whose: Whose, bytes: number): void {
  held += bytes;
  const own = (heldBy.get(whose) ?? 0) + bytes;
  if (own > 0) heldBy.set(whose, own);
  else heldBy.delete(whose);
}

/** @throws AppError `too_large` when the request says itself that its body is larger than `limit` bytes. */
export function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  // Node reads on and throws away what is left, so that the client gets to see the answer.
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `The request body is larger than ${limit} bytes.`);
}

/** Whether a body was announced with at least one byte. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
