import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError } from '../errors.ts';
import { inChunks, LineError, splitLines } from '../json-lines.ts';
import { isFileError, replaceFile } from '../replace-file.ts';

/*
 * A backup is gzip'd text, one JSON value a line, the same from either database:
 *   {"format":"freehold-backup","version":1,"created_at":1767225600000,"migrations":["001-initial"]}
 *   {"table":"accounts","row":{"id":1,…}}          one for each row
 *   {"counts":{"accounts":1,…},"last_ids":{"accounts":1,…}}
 *   {"sha256":"…"}                                 of every line before, each with its line feed
 * Only a file that has its last line is complete.
 */
const FORMAT = 'freehold-backup';
const VERSION = 1;

export interface BackupHeader {
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The migrations of the database it was made from. */
  migrations: string[];
}

export interface BackupRow {
  table: string;
  row: Record<string, string | number | null>;
  /** The length of its line: roughly the memory that it takes. */
  size: number;
}

export interface BackupEnd {
  counts: Record<string, number>;
  /** The last id that each table gave out. */
  lastIds: Record<string, number>;
}

/** Writes rows to a file that replaces an older one only when it is complete and on disk. */
export async function writeBackupFile(
  file: string,
  header: BackupHeader,
  rows: () => AsyncGenerator<Omit<BackupRow, 'size'>, BackupEnd>,
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
    for (; !next.done; next = await source.next()) yield line({ table: next.value.table, row: next.value.row });
    end = next.value;
    yield line({ counts: end.counts, last_ids: end.lastIds });
    yield `${JSON.stringify({ sha256: sum.digest('hex') })}\n`;
  }
  await replaceFile(file, 'backup', (unfinished) => {
    // Readable by the owner only: it contains password hashes and everyone's mail.
    const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    return pipeline(Readable.from(inChunks(lines())), createGzip(), target);
  });
  return end!;
}

/**
 * Reads a backup from its first to its last line. Only when the generator returns is it certain that the file is
 * complete and as it was written: a caller that acts on rows before must be able to undo everything.
 * @throws AppError `invalid` when it is not.
 */
export async function* readBackupFile(
  file: string,
): AsyncGenerator<{ header: BackupHeader } | { row: BackupRow }, BackupEnd> {
  const sum = createHash('sha256');
  const counts: Record<string, number> = {};
  let header: BackupHeader | undefined;
  let end: BackupEnd | undefined;
  let isComplete = false;
  for await (const line of readLines(file)) {
    if (isComplete) throw damaged('it goes on after its end');
    const value = parse(line);
    if (!header) {
      header = readHeader(value);
      yield { header };
    } else if (end) {
      if (value.sha256 !== sum.digest('hex')) throw damaged('its checksum is wrong');
      isComplete = true;
    } else if (isRecord(value.row) && typeof value.table === 'string') {
      counts[value.table] = (counts[value.table] ?? 0) + 1;
      yield { row: { table: value.table, row: value.row as BackupRow['row'], size: line.length } };
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
  if (version !== VERSION) {
    throw new AppError('conflict', 'The backup was made by a newer version of Freehold. Restore it with that version.');
  }
  if (typeof created_at !== 'number' || !Array.isArray(migrations)) throw damaged('its first line is not right');
  return { createdAt: created_at, migrations: migrations.map(String) };
}

function readEnd(value: Record<string, unknown>, found: Record<string, number>): BackupEnd {
  const { counts, last_ids } = value;
  if (!isRecord(counts) || !isRecord(last_ids)) throw damaged('it has a line of no known kind');
  const names = new Set([...Object.keys(counts), ...Object.keys(found)]);
  if ([...names].some((name) => (counts[name] ?? 0) !== (found[name] ?? 0))) throw damaged('rows are missing');
  return { counts: counts as Record<string, number>, lastIds: last_ids as Record<string, number> };
}

async function* readLines(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = createGunzip();
  // An error of the file reaches the reader of the text.
  source.on('error', (error) => text.destroy(error));
  try {
    yield* splitLines(source.pipe(text));
  } catch (error) {
    throw readable(error);
  } finally {
    source.destroy();
  }
}

function readable(error: unknown): unknown {
  if (error instanceof LineError) return damaged('its last line is cut off');
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'Z_BUF_ERROR') return damaged('its end is missing');
  if (String(error.code).startsWith('Z_')) return /header/.test(error.message) ? notBackup() : damaged(error.message);
  return isFileError(error) ? new AppError('invalid', `The backup cannot be read: ${error.message}`) : error;
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
  return new AppError('invalid', 'The file is not a backup made by Freehold.');
}

function damaged(what: string): AppError {
  return new AppError('invalid', `The backup is damaged: ${what}.`);
}
