import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { AccountShares } from '../tenancy/account-shares.ts';
import type { Holder } from '../tenancy/holder.ts';
import { HEAD_BYTES } from './kind-of.ts';

/** The prefix of the folders that uploads are received in. */
export const UPLOAD_FOLDER = 'freehold-image-';

/** The most bytes that all uploads of a process may take up on the disk at once: a hundred of the largest. */
const MAX_HELD_BYTES = 2 * 1024 ** 3;

/** Counts the bytes of current uploads on the disk, for all holders. */
const sharedRoom = new AccountShares(MAX_HELD_BYTES);

interface ReceiveOptions {
  /** The largest upload in bytes. */
  readonly limit: number;
  /** The holder of the uploading account: the file counts towards its share of the disk. */
  readonly holder: Holder;
  readonly room?: AccountShares;
}

/** A received file in its own folder. Disposing of the upload deletes the folder. */
interface Upload extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  /** The first 128 bits of SHA-256, in hex. */
  readonly hash: string;
  /** The beginning of the file, long enough to identify its kind. */
  readonly head: Buffer;
}

/**
 * Writes an upload to a file, and never holds more than a part of it in memory.
 * @throws AppError `too_large` beyond `limit` bytes (the rest is read and discarded, so that the client reads the response),
 * `malformed` if the client broke off, `invalid` for an empty upload, `unavailable` if all uploads together, or those of the
 * holder, would exceed their share of the disk.
 */
export async function receiveUpload(
  source: Readable,
  { limit, holder, room = sharedRoom }: ReceiveOptions,
): Promise<Upload> {
  const folder = await mkdtemp(join(tmpdir(), UPLOAD_FOLDER));
  let heldBytes = 0;
  const reserveBytes = (bytes: number) => {
    if (!room.hasRoom(holder, bytes)) throw new Refusal('unavailable', { reason: 'images_busy' });
    room.take(holder, bytes);
    heldBytes += bytes;
  };
  const clean = async () => {
    await rm(folder, { recursive: true, force: true });
    room.giveBack(holder, heldBytes);
  };
  try {
    const path = join(folder, 'upload');
    const received = await write(source, path, { limit, reserveBytes });
    return { folder, path, ...received, [Symbol.asyncDispose]: clean };
  } catch (error) {
    await clean();
    throw error;
  }
}

async function write(
  source: Readable,
  path: string,
  { limit, reserveBytes }: { limit: number; reserveBytes: (bytes: number) => void },
): Promise<Pick<Upload, 'hash' | 'head'>> {
  const digest = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of partsOf(source)) {
      if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
      size += chunk.length;
      if (size > limit) {
        throw new Refusal('too_large', { reason: 'image_too_large', params: { bytes: limit } });
      }
      reserveBytes(chunk.length);
      digest.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  if (size === 0) throw new Refusal('invalid', { reason: 'empty_file' });
  return { hash: digest.digest('hex').slice(0, 32), head: Buffer.concat(head) };
}

async function* partsOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('malformed', 'The upload was interrupted.', { cause: error });
  } finally {
    // Only now: when the iteration ends, the stream stops flowing as well.
    source.resume();
  }
}
