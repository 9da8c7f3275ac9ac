import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '../errors.ts';
import { fileProblemOf, isFileError } from '../file-problem.ts';
import { LineError, splitLines } from '../json-lines.ts';
import { readMediaName } from '../media/media-name.ts';
import { type Entry, openPromise, type ZipFile } from '../page-archives/library.ts';
import {
  type FileName,
  FORMAT,
  fileNames,
  IMAGES_FOLDER,
  type Line,
  MANIFEST,
  type Manifest,
  pathOf,
  VERSION,
} from './format.ts';

/** Each image has up to eight files. */
const MAX_ENTRIES = 500_000;
const MAX_MANIFEST_BYTES = 64 * 1024;
/** More than the largest image that the service makes. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

interface Limits {
  /** The largest size of a line, which is read into memory as a whole. */
  readonly lineBytes: number;
  /** The largest unpacked size of a file with lines. */
  readonly fileBytes: number;
}

/** Returns the error of an archive that cannot be read. */
export function damaged(what: string): AppError {
  return new AppError('invalid', `The archive is damaged, or is not the archive of an account: ${what}.`);
}

/**
 * An open archive from an untrusted source. Its whole directory is checked before anything is unpacked, and the contents
 * are then checked against the directory.
 */
export class ArchiveReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limits: Limits;
  readonly manifest: Manifest;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: Limits, manifest: Manifest) {
    this.#zip = zip;
    this.#entries = entries;
    this.#limits = limits;
    this.manifest = manifest;
  }

  /** Opens an archive. @throws AppError `not_found`, `invalid`; `conflict` if it is of a newer version */
  static async open(file: string, limits: Limits): Promise<ArchiveReader> {
    const zip = await openZip(file);
    try {
      const entries = await readDirectory(zip, (await stat(file)).size, limits);
      return new ArchiveReader(zip, entries, limits, await readManifest(zip, entries));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#zip.close();
  }

  /** Yields the lines of a file. @throws AppError `invalid` with the place */
  async *lines(name: FileName): AsyncGenerator<Line> {
    const path = pathOf(name);
    const entry = this.#entries.get(path)!;
    let number = 1;
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      try {
        for await (const bytes of splitLines(checked(stream, entry), this.#limits.lineBytes)) {
          yield parseLine(bytes, `${path}, line ${number}`);
          number += 1;
        }
      } finally {
        stream.destroy();
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!(error instanceof LineError)) throw damaged(`${path} cannot be unpacked (${(error as Error).message})`);
      const why = error.reason === 'too_long' ? 'is too long' : 'is cut off';
      throw damaged(`${path}, line ${number}: it ${why}`);
    }
    const expected = this.manifest.lines[name];
    if (number - 1 !== expected) throw damaged(`${path} has ${number - 1} lines instead of ${expected}`);
  }

  /** Returns the unpacked size of an image file; undefined if it is not in the archive. */
  imageBytes(name: string): number | undefined {
    return this.#entries.get(IMAGES_FOLDER + name)?.uncompressedSize;
  }

  /** The number of image files. */
  get imageCount(): number {
    return this.#entries.size - fileNames.length - 1;
  }

  async readImage(name: string): Promise<Buffer> {
    return readWhole(this.#zip, this.#entries.get(IMAGES_FOLDER + name)!);
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    // Names are checked below, and `close` closes the file.
    return await openPromise(file, { lazyEntries: true, decodeStrings: false, autoClose: false });
  } catch (error) {
    if (isFileError(error)) throw new AppError('not_found', `The archive cannot be read: ${fileProblemOf(error)}.`);
    throw damaged('it is not a readable ZIP file');
  }
}

async function readDirectory(zip: ZipFile, fileBytes: number, limits: Limits): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw damaged(`it has more than ${MAX_ENTRIES} files`);
  const entries = new Map<string, Entry>();
  let packed = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      // With `decodeStrings: false`, the name is a buffer. All valid names are ASCII.
      const path = (entry.fileName as unknown as Buffer).toString('latin1');
      const problem = entries.has(path) ? 'is in it twice' : problemWith(path, entry, limits);
      if (problem) throw damaged(`"${path.slice(0, 200)}" ${problem}`);
      packed += entry.compressedSize;
      entries.set(path, entry);
    }
  } catch (error) {
    throw error instanceof AppError ? error : damaged(`its directory cannot be read (${(error as Error).message})`);
  }
  // Refuses overlapping files: with them, a small archive could contain any number of files.
  if (packed > fileBytes) throw damaged('its files overlap');
  const missing = [MANIFEST, ...fileNames.map(pathOf)].find((path) => !entries.has(path));
  if (missing !== undefined) throw damaged(`${missing} is missing`);
  return entries;
}

const linePaths: ReadonlySet<string> = new Set(fileNames.map(pathOf));

function problemWith(path: string, entry: Entry, limits: Limits): string | undefined {
  const isImage = path.startsWith(IMAGES_FOLDER) && readMediaName(path.slice(IMAGES_FOLDER.length)) !== undefined;
  if (!isImage && path !== MANIFEST && !linePaths.has(path)) return 'does not belong in an archive';
  if (entry.isEncrypted()) return 'is encrypted';
  if (!isPlain(entry)) return 'is a link or another special file';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return 'is compressed in a way that is not supported';
  const max = isImage ? MAX_IMAGE_BYTES : path === MANIFEST ? MAX_MANIFEST_BYTES : limits.fileBytes;
  return entry.uncompressedSize > max ? `has more than ${max} bytes` : undefined;
}

const UNIX = 3;
const FILE_TYPE = 0o170000;

/** Returns true if the entry is a file, not a folder, link or device. Only archives from Unix tell. */
function isPlain({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  const type = versionMadeBy >> 8 === UNIX ? (externalFileAttributes >>> 16) & FILE_TYPE : 0;
  return type === 0 || type === 0o100000;
}

/** Reads the manifest, whose presence was checked before. */
async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const value = parseLine(await readWhole(zip, entries.get(MANIFEST)!), MANIFEST) as Partial<Manifest>;
  if (value.format !== FORMAT) throw damaged(`${MANIFEST} does not describe the archive of an account`);
  if (typeof value.version === 'number' && value.version > VERSION) {
    throw new AppError('conflict', 'The archive was made by a newer version of Freehold. Import it with that version.');
  }
  const isCount = (count: unknown) => Number.isSafeInteger(count) && (count as number) >= 0;
  const hasCounts = fileNames.every((name) => isCount(value.lines?.[name]));
  if (value.version !== VERSION || typeof value.has_secrets !== 'boolean' || !hasCounts) {
    throw damaged(`${MANIFEST} is invalid`);
  }
  return value as Manifest;
}

async function readWhole(zip: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    const stream = await zip.openReadStreamPromise(entry);
    return Buffer.concat(await Array.fromAsync(checked(stream, entry)));
  } catch (error) {
    const name = (entry.fileName as unknown as Buffer).toString('latin1');
    throw error instanceof AppError ? error : damaged(`"${name}" cannot be unpacked (${(error as Error).message})`);
  }
}

/**
 * Passes on the bytes of a file, and compares their checksum with the directory. The library ends the stream if there are
 * too many bytes.
 */
async function* checked(stream: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of stream) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) throw new Error('its checksum is wrong');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseLine(bytes: Buffer, place: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw damaged(`${place}: it is not JSON in UTF-8`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw damaged(`${place}: it is not an object`);
  }
  return value as Line;
}
