import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { RowsOfTable } from '../db/load-rows.ts';
import { AppError } from '../errors.ts';
import { fileProblemOf, isFileError } from '../file-problem.ts';
import { LineError, splitLines } from '../json-lines.ts';

/*
 * The format of a backup: text compressed with Zstandard, one JSON value a line, independent of the kind of database:
 *   {"format":"freehold-backup","version":2,"created_at":1767225600000,"migrations":["001-initial"]}
 *   {"table":"accounts","columns":["id",…],"rows":[[1,…],…]}      some rows of one table
 *   {"counts":{"accounts":1,…},"last_ids":{"accounts":1,…}}
 *   {"sha256":"…"}                                 of all lines before, each with its line feed
 * Only a file that has its last line is complete.
 *
 * Version 1 can still be restored. It was compressed with gzip and had a line for each row:
 *   {"table":"accounts","row":{"id":1,…}}
 */
const FORMAT = 'freehold-backup';
const VERSION = 2;
/** The magic bytes with which each compression format begins. */
const MAGIC = { zstd: '28b52ffd', gzip: '1f8b' };
const CHUNK_BYTES = 256 * 1024;

/** The path of a backup, or the open file. */
export type BackupSource = string | FileHandle;

export interface BackupHeader {
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The migrations that were applied to the database when the backup was made. */
  migrations: string[];
}

export interface BackupEnd {
  counts: Record<string, number>;
  /** The highest id that each table has ever assigned. */
  lastIds: Record<string, number>;
}

/** Writes a backup of the rows to the stream. Returns the end of the backup: its counts and last ids. */
export async function writeBackup(
  target: Writable,
  header: BackupHeader,
  rows: () => AsyncGenerator<RowsOfTable, BackupEnd>,
): Promise<BackupEnd> {
  let end: BackupEnd | undefined;
  async function* lines(): AsyncGenerator<string> {
    const sum = createHash('sha256');
    const line = (value: unknown) => {
      const text = `${JSON.stringify(value)}\n`;
      sum.update(text);
      return text;
    };
    const { createdAt, migrations } = header;
    yield line({ format: FORMAT, version: VERSION, created_at: createdAt, migrations });
    const source = rows();
    let next = await source.next();
    for (; !next.done; next = await source.next()) yield line(next.value);
    end = next.value;
    yield line({ counts: end.counts, last_ids: end.lastIds });
    yield `${JSON.stringify({ sha256: sum.digest('hex') })}\n`;
  }
  await pipeline(Readable.from(lines()), createZstdCompress(), target);
  return end!;
}

/**
 * Reads a backup from its first to its last line. The file is known to be complete and unaltered only once the generator
 * returns. A caller that acts on rows before that must be able to undo everything.
 * @throws AppError `invalid` if the file is incomplete or damaged
 */
export async function* readBackup(
  backup: BackupSource,
): AsyncGenerator<{ header: BackupHeader } | { part: RowsOfTable; bytes: number }, BackupEnd> {
  const sum = createHash('sha256');
  const counts: Record<string, number> = {};
  let header: BackupHeader | undefined;
  let end: BackupEnd | undefined;
  let isComplete = false;
  for await (const line of readLines(backup)) {
    if (isComplete) throw damaged('it continues after its end');
    const value = parse(line);
    if (!header) {
      header = readHeader(value);
      yield { header };
    } else if (end) {
      if (value.sha256 !== sum.digest('hex')) throw damaged('its checksum is wrong');
      isComplete = true;
    } else if (typeof value.table === 'string') {
      const part = readRows(value.table, value);
      counts[part.table] = (counts[part.table] ?? 0) + part.rows.length;
      yield { part, bytes: line.length };
    } else {
      end = readEnd(value, counts);
    }
    if (!isComplete) sum.update(line).update('\n');
  }
  if (!end || !isComplete) throw damaged('its end is missing');
  return end;
}

function readHeader(value: Record<string, unknown>): BackupHeader {
  const { format, version, created_at, migrations } = value;
  if (format !== FORMAT) throw notBackup();
  if (version !== 1 && version !== VERSION) {
    throw new AppError('conflict', 'The backup was made by a newer version of Freehold. Restore it with that version.');
  }
  if (typeof created_at !== 'number' || !Array.isArray(migrations)) throw damaged('its first line is invalid');
  return { createdAt: created_at, migrations: migrations.map(String) };
}

function readRows(table: string, { row, columns, rows }: Record<string, unknown>): RowsOfTable {
  if (isRecord(row)) return { table, columns: Object.keys(row), rows: [Object.values(row)] as RowsOfTable['rows'] };
  const isTable = Array.isArray(columns) && Array.isArray(rows);
  if (!isTable || !rows.every((values) => Array.isArray(values) && values.length === columns.length))
    throw unknownLine();
  return { table, columns: columns.map(String), rows };
}

function readEnd(value: Record<string, unknown>, found: Record<string, number>): BackupEnd {
  const { counts, last_ids } = value;
  if (!isRecord(counts) || !isRecord(last_ids)) throw unknownLine();
  const names = new Set([...Object.keys(counts), ...Object.keys(found)]);
  if ([...names].some((name) => (counts[name] ?? 0) !== (found[name] ?? 0))) throw damaged('rows are missing');
  return { counts: counts as Record<string, number>, lastIds: last_ids as Record<string, number> };
}

async function* readLines(backup: BackupSource): AsyncGenerator<Buffer> {
  let opened: FileHandle | undefined;
  try {
    const file = typeof backup === 'string' ? await open(backup) : backup;
    if (file !== backup) opened = file;
    const text = await makeDecompressor(file);
    const source = Readable.from(chunksOf(file));
    // Passes errors of the file on to the reader of the text.
    source.on('error', (error) => text.destroy(error));
    try {
      yield* splitLines(source.pipe(text));
    } finally {
      source.destroy();
    }
  } catch (error) {
    throw toReadError(error);
  } finally {
    await opened?.close();
  }
}

/**
 * Reads the file from its beginning and leaves it open. A stream of `node:fs` would close the file, but a restore reads it
 * twice.
 */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

async function makeDecompressor(file: FileHandle): Promise<Transform> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const beginning = buffer.toString('hex', 0, bytesRead);
  if (beginning === MAGIC.zstd) return createZstdDecompress();
  if (beginning.startsWith(MAGIC.gzip)) return createGunzip();
  if (bytesRead > 0) throw notBackup();
  throw new AppError(
    'invalid',
    'The backup is empty. If it comes through a pipe, look at the messages of the earlier programs.',
  );
}

function toReadError(error: unknown): unknown {
  if (error instanceof LineError) return damaged('its last line is cut off');
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'Z_BUF_ERROR') return damaged('its end is missing');
  if (/^Z_|^ZSTD_/.test(String(error.code))) return damaged(error.message);
  return isFileError(error) ? new AppError('invalid', `The backup cannot be read: ${fileProblemOf(error)}.`) : error;
}

function parse(line: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {}
  if (!isRecord(value)) throw damaged('a line is not JSON');
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notBackup(): AppError {
  return new AppError('invalid', 'The file is not a backup made by Freehold. If it is encrypted, decrypt it first.');
}

function unknownLine(): AppError {
  return damaged('it has a line of an unknown kind');
}

function damaged(what: string): AppError {
  return new AppError('invalid', `The backup is damaged: ${what}.`);
}
