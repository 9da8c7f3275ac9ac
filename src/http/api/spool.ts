import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { StreamedBody } from '../request-context.ts';
import type { ListSink } from './page-list.ts';

/**
 * The amount written to the file at once, and the amount that a reader gets at once, which is the memory that each slow
 * client takes.
 */
const WRITE_CHUNK_BYTES = 256 * 1024;
const READ_CHUNK_BYTES = 64 * 1024;

/**
 * A large answer on disk. It is written once, and read by any number of clients at their own pace, so that no database
 * snapshot stays open for the slowest. The file has no name, so nothing is left behind even after a crash.
 */
export class Spool implements ListSink, StreamedBody {
  readonly #file: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;
  #users = 1;
  readonly #onClose: () => void;

  private constructor(file: FileHandle, onClose: () => void) {
    this.#file = file;
    this.#onClose = onClose;
  }

  static async create(onClose: () => void): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'freehold-'));
    const file = await open(join(folder, 'answer'), 'wx+', 0o600);
    await rm(folder, { recursive: true });
    return new Spool(file, onClose);
  }

  get size(): number {
    return this.#written;
  }

  write(part: Buffer): void {
    this.#pending.push(part);
    this.#pendingBytes += part.length;
  }

  async drain(): Promise<void> {
    if (this.#pendingBytes >= WRITE_CHUNK_BYTES) await this.flush();
    // Let other requests run before the next part.
    else await setImmediate();
  }

  /** Writes the pending bytes to the file. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#written);
      done += bytesWritten;
      this.#written += bytesWritten;
    }
  }

  async sendTo(target: Writable): Promise<void> {
    this.#users += 1;
    const closed = new Promise<void>((resolve) => target.once('close', resolve));
    // Each reader has one buffer, which is refilled when its content has been written.
    const chunk = Buffer.allocUnsafe(READ_CHUNK_BYTES);
    try {
      for (let position = 0; position < this.#written; ) {
        const { bytesRead } = await this.#file.read(chunk, 0, READ_CHUNK_BYTES, position);
        position += bytesRead;
        const taken = Promise.withResolvers<void>();
        target.write(chunk.subarray(0, bytesRead), (error) => (error ? taken.reject(error) : taken.resolve()));
        await Promise.race([taken.promise, closed]);
        if (target.destroyed) throw new Error('The reader is gone.');
      }
      target.end();
    } finally {
      this.release();
    }
  }

  /** Releases one use of the file. The last release closes it. */
  release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    void this.#file.close();
    this.#onClose();
  }
}

/** The limit for one account. A few spools are cached for future requests, and the others are being read by slow clients. */
const MAX_SPOOLS_PER_ACCOUNT = 8;

/**
 * Creates spools, and limits their number for each account. Each request may need another one: clients that do not read
 * theirs would otherwise fill the disk.
 */
export class Spools {
  readonly #counts = new Map<number, number>();

  /** @throws AppError `unavailable` if the account has too many */
  async create(accountId: number): Promise<Spool> {
    if ((this.#counts.get(accountId) ?? 0) >= MAX_SPOOLS_PER_ACCOUNT) {
      throw new AppError('unavailable', 'Too many large answers are being read. Try again.');
    }
    this.#add(accountId, 1);
    try {
      return await Spool.create(() => this.#add(accountId, -1));
    } catch (error) {
      this.#add(accountId, -1);
      throw error;
    }
  }

  #add(accountId: number, change: 1 | -1): void {
    const count = (this.#counts.get(accountId) ?? 0) + change;
    if (count > 0) this.#counts.set(accountId, count);
    else this.#counts.delete(accountId);
  }
}
