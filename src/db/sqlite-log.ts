import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isBusy } from './sqlite-group-commit.ts';

/*
 * SQLite's log (https://sqlite.org/fileformat2.html#walformat) has a header of 32 bytes and then frames. A frame is a header
 * of 24 bytes and a page. It repeats the salts of the log's header, which change whenever the log starts over, and has a
 * checksum of everything before it.
 */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The first word of the header, which says in which byte order checksums read words. */
const MAGIC = { littleEndian: 0x377f0682, bigEndian: 0x377f0683 };
const MAX_READ_BYTES = 1024 * 1024;

const OPEN_TIMEOUT_MS = 10_000;
/** How long a restart waits for the write lock. */
const WRITE_LOCK_TIMEOUT_MS = 2000;
/** How often a restart tries to copy the last pages, which readers may prevent, and how long it waits between attempts. */
const RESTART_TRIES = 10;
const RESTART_WAIT_MS = 5;

/** The changes that were committed since the last position. */
export interface LoggedChanges {
  /** The frame with the last content of each page, by the page's number. */
  readonly frames: ReadonlyMap<number, number>;
  /** How many pages the database has after these changes. */
  readonly databasePages: number;
}

interface Position {
  /** The header of the log in hexadecimal, which changes whenever the log starts over. */
  header: string;
  frames: number;
  sums: Sums;
}

type Sums = readonly [number, number];

/**
 * Follows SQLite's log and misses no committed frame, even if other processes make checkpoints.
 *
 * The log starts over only when all of it has been copied to the database file and nobody reads from it. So one of two
 * connections has a read transaction at any time. While that transaction reads from the log, the log does not start over. A
 * transaction that begins when everything has been copied reads from the database file instead. Nothing more is copied until
 * it ends, so the log starts over at most once, and before anything is added to the log that has been read.
 *
 * The next transaction begins before the last one ends. The last one ends only after everything that was committed before
 * the next one began has been saved elsewhere.
 */
export class SqliteLog {
  readonly pageSize: number;
  readonly #file: number;
  #current: DatabaseSync;
  #other: DatabaseSync;
  readonly #control: DatabaseSync;
  readonly #length: StatementSync;
  #position: Position | undefined;
  #next: Position | undefined;
  #isHeld = true;

  /** Opens the log at its end. */
  constructor(databaseFile: string) {
    this.#control = open(databaseFile);
    this.#current = open(databaseFile);
    this.#other = open(databaseFile);
    this.#length = this.#control.prepare('pragma wal_checkpoint(noop)');
    read(this.#current);
    this.pageSize = Number(this.#control.prepare('pragma page_size').get()!.page_size);
    // Closing a file ends the locks that the process has on it. The log has none, unlike the database file.
    this.#file = openSync(`${databaseFile}-wal`, 'r');
    this.changes();
    this.advance();
  }

  /** True if the log still has all frames since the last position. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Returns the changes that were committed since the last position. `readPage` returns their content until the caller calls
   * `advance`, which moves the position to their end, or `abandon`, after which they are returned again.
   */
  changes(): LoggedChanges {
    if (!this.#isHeld) throw new Error('The log is not held any more.');
    if (!this.#other.isTransaction) read(this.#other);
    return this.#scan();
  }

  readPage(frame: number): Buffer {
    if (!this.#isHeld) throw new Error('The log is not held any more.');
    return this.#read(HEADER_BYTES + frame * (FRAME_HEADER_BYTES + this.pageSize) + FRAME_HEADER_BYTES, this.pageSize);
  }

  advance(): void {
    if (!this.#isHeld) throw new Error('The log is not held any more.');
    this.#position = this.#next;
    end(this.#current);
    [this.#current, this.#other] = [this.#other, this.#current];
  }

  abandon(): void {
    end(this.#other);
  }

  /** Copies what has been read to the database file while others write. */
  checkpoint(): void {
    this.#control.exec('pragma wal_checkpoint(passive)');
  }

  /**
   * Blocks writers, passes the last committed changes to `keep`, and lets the next writer start the log over if no reader
   * prevents it. `keep` must save the changes, since they are no longer in the log afterwards. Returns false, and does
   * nothing, if there are more than `maxFrames` frames or the write lock cannot be had.
   */
  restart(maxFrames: number, keep: (changes: LoggedChanges) => void): boolean {
    if (this.#other.isTransaction) end(this.#other);
    if (!lockWriters(this.#other)) return false;
    try {
      // Checked before the frames are read, since writers wait.
      if (this.measure().pages - this.#position!.frames > maxFrames) return false;
      const changes = this.#scan();
      if (changes.frames.size > 0) keep(changes);
      this.#position = this.#next;
      // The transaction with the write lock keeps its place in the log, too.
      end(this.#current);
      for (let tries = 0; tries < RESTART_TRIES; tries++) {
        if (tries > 0) wait(RESTART_WAIT_MS);
        this.checkpoint();
        const { pages, copied } = this.measure();
        if (pages === copied) break;
      }
      read(this.#current);
      return true;
    } finally {
      end(this.#other);
    }
  }

  /** Lets the log start over, even if part of it has not been read. */
  release(): void {
    this.#isHeld = false;
    end(this.#current);
    end(this.#other);
  }

  close(): void {
    this.release();
    closeSync(this.#file);
    for (const database of [this.#current, this.#other, this.#control]) database.close();
  }

  /** Returns how many pages are in the log, and how many of them have been copied to the database file. */
  measure(): { pages: number; copied: number } {
    const { log, checkpointed } = this.#length.get() as { log: number; checkpointed: number };
    return { pages: log, copied: checkpointed };
  }

  /** Reads the frames between the position and the last commit. */
  #scan(): LoggedChanges {
    const { header, pages } = this.#end();
    const frames = new Map<number, number>();
    const found = { frames, databasePages: 0 };
    const key = header.toString('hex');
    if (header.length < HEADER_BYTES) {
      this.#next = this.#position ?? { header: '', frames: 0, sums: [0, 0] };
      return found;
    }
    const littleEndian = header.readUInt32BE(0) === MAGIC.littleEndian;
    if (!littleEndian && header.readUInt32BE(0) !== MAGIC.bigEndian) throw damaged('its header is none');
    const headerSums = sumOf(header, 0, 24, [0, 0], littleEndian);
    if (!hasSums(header, 24, headerSums)) throw damaged('the checksum of its header is wrong');
    const begin: Position =
      this.#position?.header === key ? this.#position : { header: key, frames: 0, sums: headerSums };
    const salts = header.subarray(16, 24);

    const frameBytes = FRAME_HEADER_BYTES + this.pageSize;
    const perRead = Math.max(1, Math.floor(MAX_READ_BYTES / frameBytes));
    let { sums } = begin;
    for (let first = begin.frames; first < pages; first += perRead) {
      const count = Math.min(perRead, pages - first);
      const bytes = this.#read(HEADER_BYTES + first * frameBytes, count * frameBytes);
      for (let index = 0; index < count; index++) {
        const at = index * frameBytes;
        sums = sumOf(bytes, at, 8, sums, littleEndian);
        sums = sumOf(bytes, at + FRAME_HEADER_BYTES, this.pageSize, sums, littleEndian);
        const isOfLog = bytes.compare(salts, 0, 8, at + 8, at + 16) === 0;
        if (!isOfLog || !hasSums(bytes, at + 16, sums))
          throw damaged(`the checksum of its frame ${first + index} is wrong`);
        frames.set(bytes.readUInt32BE(at), first + index);
        found.databasePages = bytes.readUInt32BE(at + 4);
      }
    }
    if (frames.size > 0 && found.databasePages === 0) throw damaged('its last frame is not the end of a transaction');
    this.#next = { header: key, frames: Math.max(pages, begin.frames), sums };
    return found;
  }

  /** Returns the header of the log, and how many frames have been committed to that log. */
  #end(): { header: Buffer; pages: number } {
    for (let before = this.#readHeader(); ; ) {
      const { pages } = this.measure();
      const header = this.#readHeader();
      // If the headers differ, the log has started over in between.
      if (header.equals(before)) return { header, pages };
      before = header;
    }
  }

  #readHeader(): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(this.#file, header, 0, HEADER_BYTES, 0));
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length; ) {
      const count = readSync(this.#file, bytes, filled, length - filled, position + filled);
      if (count === 0) throw damaged('its end is missing');
      filled += count;
    }
    return bytes;
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
  // The pages that a checkpoint copies, here or when closing, must be on disk before the log starts over.
  database.exec('pragma synchronous = full; pragma fullfsync = on; pragma wal_autocheckpoint = 0');
  return database;
}

function read(database: DatabaseSync): void {
  // A read transaction begins with its first query.
  database.exec('begin; select 1 from sqlite_schema limit 1');
}

function end(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback');
}

/**
 * Takes the write lock. The service's writers release it for less than a millisecond between their commits, so this asks
 * often.
 */
function lockWriters(database: DatabaseSync): boolean {
  database.exec('pragma busy_timeout = 0');
  try {
    for (const giveUp = performance.now() + WRITE_LOCK_TIMEOUT_MS; performance.now() < giveUp; wait(1)) {
      try {
        database.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    return false;
  } finally {
    database.exec(`pragma busy_timeout = ${OPEN_TIMEOUT_MS}`);
  }
}

function wait(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Continues SQLite's checksum over the bytes. */
function sumOf(bytes: Buffer, from: number, length: number, [first, second]: Sums, littleEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
  let [a, b] = [first, second];
  for (let at = 0; at < length; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) | 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) | 0;
  }
  return [a, b];
}

function hasSums(bytes: Buffer, at: number, [first, second]: Sums): boolean {
  return bytes.readInt32BE(at) === first && bytes.readInt32BE(at + 4) === second;
}

function damaged(why: string): Error {
  return new Error(`SQLite's log is damaged: ${why}.`);
}
