import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { StreamedBody } from '../exchange.ts';
import type { ListSink } from './page-list.ts';

const CHUNK = 256 * 1024;

/**
 * A large answer on disk: written once, read by any number of clients at their own pace, without a snapshot of the
 * database being held open for the slowest. The file has no name, so nothing is left behind whatever happens.
 */
export class Spool implements ListSink, StreamedBody {
  readonly #file: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;
  #users = 1;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'freehold-'));
    const file = await open(join(folder, 'answer'), 'wx+', 0o600);
    await rm(folder, { recursive: true });
    return new Spool(file);
  }

  get size(): number {
    return this.#written;
  }

  write(part: Buffer): void {
    this.#pending.push(part);
    this.#pendingBytes += part.length;
  }

  async drain(): Promise<void> {
    if (this.#pendingBytes >= CHUNK) await this.flush();
    // What is read next must not come at once: others are waiting.
    else await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Writes out what is left. */
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

  open(): Readable {
    this.#users += 1;
    const file = this.#file;
    let position = 0;
    // Not the file's own stream: destroyed, as it is at every answer's end, it closes the file under the others.
    return new Readable({
      highWaterMark: CHUNK,
      read() {
        file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position).then(
          ({ bytesRead, buffer }) => {
            position += bytesRead;
            this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
          },
          (error) => this.destroy(error),
        );
      },
      destroy: (error, done) => {
        this.release();
        done(error);
      },
    });
  }

  /** Lets go of the file; it is closed once nobody reads it any more. */
  release(): void {
    this.#users -= 1;
    if (this.#users === 0) void this.#file.close();
  }
}
