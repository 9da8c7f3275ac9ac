import { createHash, type Hash } from 'node:crypto';
import { constants as fileConstants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { AppError } from '../errors.ts';

/*
 * The format of a continuous backup: a folder of series. A series is a folder with the changes from one start of the
 * service to its end:
 *   2026-11-28T09-00-00.000Z-3f9a/
 *     snapshot-0000000000-0000000002-1795856400000.zst   the database file; changes 1 and 2 were made while it was copied
 *     changes-0000000001-1795856398000.zst               pages of the database that changed until that time
 *     changes-0000000002-1795856400000.zst
 *     changes-0000000003-1795856402000-part.zst          changes whose end is in the next file
 *     changes-0000000004-1795856402000.zst
 * Each file is compressed with Zstandard: a line of JSON, the content, and the SHA-256 of both. The content of changes is,
 * for each page, its number in four bytes (big-endian) and the page. A file of changes has whole transactions, or is one of
 * several parts of which the last ends with a transaction.
 */
const FORMAT = 'freehold-continuous-backup';
const VERSION = 1;
/** The fastest level, since the service has priority. The files are hardly larger than with the default level. */
export const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const SUM_BYTES = 32;
const LINE_FEED = 10;
const MAX_HEADER_BYTES = 4096;

export interface ChangesHeader {
  series: string;
  sequence: number;
  /** Milliseconds since 1970. All earlier commits are in this file or previous ones. */
  time: number;
  pageSize: number;
  /** The size of the database after these changes; 0 in a part. */
  databasePages: number;
  /** The checksum of the previous changes; empty for the first changes of a series. */
  previous: string;
}

export interface SnapshotHeader {
  series: string;
  /** The sequence number of the last changes that the snapshot contains. Later changes are applied to it. */
  after: number;
  /** The sequence number of the last changes that must be applied, since they were made while the database was copied. */
  upTo: number;
  /** The time when the snapshot was complete, in milliseconds since 1970. */
  time: number;
}

/** A file of a series, parsed from its name. */
export type SeriesFile =
  | { kind: 'snapshot'; name: string; after: number; upTo: number; time: number }
  | { kind: 'changes'; name: string; sequence: number; time: number; isPart: boolean };

const padded = (sequence: number) => String(sequence).padStart(10, '0');

export const snapshotName = ({ after, upTo, time }: SnapshotHeader): string =>
  `snapshot-${padded(after)}-${padded(upTo)}-${time}.zst`;

export const changesName = ({ sequence, time, databasePages }: ChangesHeader): string =>
  `changes-${padded(sequence)}-${time}${databasePages === 0 ? '-part' : ''}.zst`;

/** Parses the name of a file in a series. Returns undefined for any other name. */
export function parseName(name: string): SeriesFile | undefined {
  const [, after, upTo, copied] = /^snapshot-(\d{10})-(\d{10})-(\d{13})\.zst$/.exec(name) ?? [];
  if (after) return { kind: 'snapshot', name, after: Number(after), upTo: Number(upTo), time: Number(copied) };
  const [, sequence, time, part] = /^changes-(\d{10})-(\d{13})(-part)?\.zst$/.exec(name) ?? [];
  if (sequence)
    return { kind: 'changes', name, sequence: Number(sequence), time: Number(time), isPart: part !== undefined };
  return undefined;
}

/** Returns true if the folder has the name of a series. */
export function isSeries(name: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{4}$/.test(name);
}

function headerLine(header: object): Buffer {
  return Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION, ...header })}\n`);
}

/** Returns the compressed file of the changes, and its checksum. */
export function encodeChanges(header: ChangesHeader, pages: readonly Buffer[]): { bytes: Buffer; sum: string } {
  const content = Buffer.concat([headerLine(header), ...pages]);
  const sum = createHash('sha256').update(content).digest();
  return { bytes: zstdCompressSync(Buffer.concat([content, sum]), COMPRESSION), sum: sum.toString('hex') };
}

/** Yields the content with the header before it and the checksum after it. */
export async function* encodeSnapshot(header: SnapshotHeader, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  const line = headerLine(header);
  sum.update(line);
  yield line;
  for await (const bytes of content) {
    sum.update(bytes);
    yield bytes;
  }
  yield sum.digest();
}

/**
 * Reads a file of a series: passes on its header, then its content in chunks. The content is known to be unaltered only
 * once the promise resolves. Returns the checksum.
 * @throws AppError `invalid` if the file is incomplete or damaged; `conflict` if a newer version wrote it
 */
export async function readSeriesFile<H>(
  path: string,
  read: { header(header: H): void | Promise<void>; content(bytes: Buffer): void | Promise<void> },
): Promise<string> {
  const sum = createHash('sha256');
  let ending: Buffer = Buffer.alloc(0);
  try {
    await pipeline(await openFile(path), createZstdDecompress(), async (chunks: AsyncIterable<Buffer>) => {
      let hasHeader = false;
      for await (const chunk of chunks) {
        let bytes = Buffer.concat([ending, chunk]);
        if (!hasHeader) {
          const end = bytes.indexOf(LINE_FEED);
          if (end < 0 && bytes.length > MAX_HEADER_BYTES) throw damaged(path);
          if (end >= 0) {
            hasHeader = true;
            await read.header(parseHeader(path, bytes.subarray(0, end)) as H);
            sum.update(bytes.subarray(0, end + 1));
            bytes = bytes.subarray(end + 1);
          }
        }
        const length = hasHeader ? Math.max(0, bytes.length - SUM_BYTES) : 0;
        ending = bytes.subarray(length);
        if (length > 0) await pass(bytes.subarray(0, length), sum, read.content);
      }
    });
  } catch (error) {
    throw isOfStream(error) ? damaged(path) : error;
  }
  const found = sum.digest();
  if (!found.equals(ending)) throw damaged(path);
  return found.toString('hex');
}

/** Opens a regular file. A plain open would wait forever for a named pipe. */
async function openFile(path: string): Promise<Readable> {
  const file = await open(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file.createReadStream();
  await file.close();
  throw damaged(path);
}

async function pass(bytes: Buffer, sum: Hash, content: (bytes: Buffer) => void | Promise<void>): Promise<void> {
  sum.update(bytes);
  await content(bytes);
}

function parseHeader(path: string, line: Buffer): unknown {
  let header: unknown;
  try {
    header = JSON.parse(line.toString());
  } catch {
    throw damaged(path);
  }
  const { format, version } = header as { format?: unknown; version?: unknown };
  if (format !== FORMAT) throw damaged(path);
  if (version !== VERSION) {
    throw new AppError(
      'conflict',
      `"${path}" was written by a newer version of Freehold. Restore it with that version.`,
    );
  }
  return header;
}

/** Returns true if the decompression failed, or the file ended too early. */
function isOfStream(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('ZSTD_') || code.startsWith('ERR_') || code === 'Z_BUF_ERROR';
}

export function damaged(path: string, advice = ''): AppError {
  return new AppError(
    'invalid',
    `"${path}" is damaged: it is incomplete or not a regular file, or its checksum is wrong. ${advice}`.trim(),
  );
}
