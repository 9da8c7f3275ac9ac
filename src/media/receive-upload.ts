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

/** How many bytes all uploads of a process may take up on the disk at once: a hundred of the largest. */
const MAX_HELD_BYTES = 2 * 1024 ** 3;

/** Counts the bytes of the uploads that are on the disk. */
const roomOfAll = new AccountShares(MAX_HELD_BYTES);

interface ReceiveOptions {
  /** In bytes. */
  readonly limit: number;
  /** The uploader's holder: the file counts towards its share of the disk. */
  readonly holder: Holder;
  readonly room?: AccountShares;
}

/** A received file, in a folder of its own that is deleted when this is disposed of. */
interface Upload extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  /** The first 128 bits of SHA-256, in hex. */
  readonly hash: string;
  /** The beginning of the file, long enough to identify its kind. */
  readonly head: Buffer;
}

/**
 * Writes what comes to a file, and never holds more than a part of it in memory.
 * @throws AppError `too_large` beyond `limit` bytes (the rest is read and thrown away, so that the client gets to see
 * the answer), `malformed` when the client broke off, `invalid` where nothing came, `unavailable` where all uploads together, or those of the
 * holder, would take more of the disk than they may.
 */
export async function receiveUpload(
  source: Readable,
  { limit, holder, room = roomOfAll }: ReceiveOptions,
): Promise<Upload> {
  const folder = await mkdtemp(join(tmpdir(), UPLOAD_FOLDER));
  let held = 0;
  const take = (bytes: number) => {
    if (!room.hasRoom(holder, bytes)) throw new Refusal('unavailable', { reason: 'images_busy' });
    room.take(holder, bytes);
    held += bytes;
  };
  const clean = async () => {
    await rm(folder, { recursive: true, force: true });
    room.giveBack(holder, held);
  };
  try {
    const path = join(folder, 'upload');
    const received = await write(source, path, { limit, take });
    return { folder, path, ...received, [Symbol.asyncDispose]: clean };
  } catch (error) {
    await clean();
    throw error;
  }
}

async function write(
  source: Readable,
  path: string,
  { limit, take }: { limit: number; take: (bytes: number) => void },
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
      take(chunk.length);
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
    throw error instanceof AppError ? error : new AppError('malformed', 'The upload broke off.', { cause: error });
  } finally {
    // Not any sooner: when it stops to iterate, a stream stops to flow as well.
    source.resume();
  }
}
