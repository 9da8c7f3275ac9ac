import { buffer } from 'node:stream/consumers';
import { constants, crc32, inflateRawSync } from 'node:zlib';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { normalForm } from '../normal-form.ts';
import { firstFailures } from '../pages/import-pages.ts';
import { MAX_DEPTH } from '../pages/page.ts';
import { MAX_PAGES } from '../pages/parse-page-tree.ts';
import { type Entry, fromBufferPromise, type ZipFile } from './library.ts';

/** The most entries: pages, their folders, and images. */
const MAX_ENTRIES = 2 * MAX_PAGES;
const MAX_IMAGES = 200;
const MAX_PATH_CHARACTERS = 400;
/** The most names in a path: one more than there are levels, for the index in the deepest folder. */
const MAX_NAMES = MAX_DEPTH + 1;

/** The most failures that are reported. */
export const MAX_FAILURES = 1000;

/** The most bytes of all unpacked files together: they are in memory at once. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/**
 * The highest ratio of compression. Texts shrink to about a tenth; far more is made to fill the memory, or has no content.
 */
const MAX_RATIO = 200;
/** The size up to which any ratio is harmless. */
const MIN_SUSPICIOUS_BYTES = 1024 * 1024;

export function isTextFile(path: string): boolean {
  return /\.(?:md|markdown|html|htm)$/i.test(path);
}

export function isImageFile(path: string): boolean {
  return /\.(?:jpe?g|png|gif|webp|avif)$/i.test(path);
}

/** True for files that operating systems add to folders. */
export function isSystemFile(path: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path);
}

export interface Archive {
  /** The texts of Markdown and HTML files by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  /** Image files by their paths. */
  readonly images: ReadonlyMap<string, Buffer>;
}

/**
 * Unpacks a ZIP archive of pages and images into memory. The archive is not trusted: everything that its directory says is
 * checked before anything is unpacked, and the unpacked files are compared with the directory.
 * @throws ValidationError with every file that is refused, by its path
 */
export async function readArchive(bytes: Buffer): Promise<Archive> {
  const { zip, entries } = await readDirectory(bytes);
  if (isOfAccount(entries)) throw new ValidationError([{ field: 'archive', code: 'account_archive' }]);
  const failures = validateEntries(entries, bytes.length);
  if (failures.length > 0) throw new ValidationError(firstFailures(failures, MAX_FAILURES));
  const texts = new Map<string, string>();
  const images = new Map<string, Buffer>();
  for (const entry of entries) {
    const { fileName: path } = entry;
    if (isFolder(entry)) continue;
    const content = await unpack(zip, entry);
    const text = content && isTextFile(path) ? decodeText(content) : undefined;
    if (content === undefined) failures.push({ field: path, code: 'damaged' });
    else if (isImageFile(path)) images.set(path, content);
    else if (text === undefined) failures.push({ field: path, code: 'not_utf8' });
    else texts.set(path, text);
  }
  if (failures.length > 0) throw new ValidationError(firstFailures(failures, MAX_FAILURES));
  return { texts, images };
}

/** True if the archive is the export of a whole account. */
function isOfAccount(entries: readonly Entry[]): boolean {
  const names = new Set(entries.map(({ fileName }) => fileName));
  return names.has('account.jsonl') && names.has('manifest.json');
}

/** Returns the entries, without those that operating systems add. */
async function readDirectory(bytes: Buffer): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const entries: Entry[] = [];
  try {
    // Names are checked below, where each failure can have its place.
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false });
    if (zip.entryCount > MAX_ENTRIES) {
      throw new ValidationError([{ field: 'archive', code: 'too_many_files', params: { max: MAX_ENTRIES } }]);
    }
    for await (const entry of zip.eachEntry()) {
      // The name is an undecoded buffer. Only UTF-8 is certain among encodings.
      entry.fileName = decodeText(entry.fileName as unknown as Buffer) ?? '\ufffd';
      if (!isSystemFile(entry.fileName)) entries.push(entry);
    }
    return { zip, entries };
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    throw new ValidationError([{ field: 'archive', code: 'not_a_zip' }]);
  }
}

function validateEntries(entries: readonly Entry[], archiveBytes: number): FieldError[] {
  const failures: FieldError[] = [];
  const taken = new Set<string>();
  for (const entry of entries) {
    const { fileName: path } = entry;
    const field = shownPath(path);
    const code = problemOf(entry);
    if (code) failures.push({ field, code });
    // On some systems, names that differ only in the case or composition of letters are the same file.
    const key = normalForm(path.replace(/\/$/, ''), 'NFC').toLowerCase();
    if (taken.has(key)) failures.push({ field, code: 'duplicate_file' });
    taken.add(key);
  }
  const sum = (size: 'compressedSize' | 'uncompressedSize') => entries.reduce((total, entry) => total + entry[size], 0);
  if (sum('uncompressedSize') > MAX_UNPACKED_BYTES) {
    failures.push({ field: 'archive', code: 'unpacks_too_large', params: { bytes: MAX_UNPACKED_BYTES } });
  }
  // Files may share their compressed bytes: a small archive can then have any number of files.
  if (sum('compressedSize') > archiveBytes) failures.push({ field: 'archive', code: 'not_a_zip' });
  const images = entries.filter(({ fileName }) => isImageFile(fileName)).length;
  if (images > MAX_IMAGES) failures.push({ field: 'archive', code: 'too_many_images', params: { max: MAX_IMAGES } });
  return failures;
}

const STORED = 0;
const DEFLATED = 8;

function problemOf(entry: Entry) {
  const { fileName: path, compressedSize, uncompressedSize, compressionMethod } = entry;
  if (!isSafePath(path)) return 'unsafe_path';
  if (path.replace(/\/$/, '').split('/').length > MAX_NAMES) return 'too_deep';
  if (entry.isEncrypted()) return 'encrypted_file';
  if (!isPlain(entry)) return 'not_a_plain_file';
  if (isFolder(entry)) return uncompressedSize > 0 ? 'not_a_plain_file' : undefined;
  if (!isTextFile(path) && !isImageFile(path)) return 'unknown_file_type';
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) return 'unknown_compression';
  if (uncompressedSize > MIN_SUSPICIOUS_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
    return 'packed_too_densely';
  return undefined;
}

/** Returns the path for a failure, shortened: a ZIP archive may have paths of 64 KB, which JSON makes six times as long. */
function shownPath(path: string): string {
  return path.length > MAX_PATH_CHARACTERS ? `${path.slice(0, MAX_PATH_CHARACTERS).toWellFormed()}…` : path;
}

/** True if the path is relative, stays in the archive, and means the same on every system. */
function isSafePath(path: string): boolean {
  if (path.length > MAX_PATH_CHARACTERS || /[\u0000-\u001f\u007f\\:\ufffd]/.test(path)) return false;
  return path
    .replace(/\/$/, '')
    .split('/')
    .every((name) => name.trim() !== '' && name !== '.' && name !== '..');
}

const UNIX = 3;
const FILE_TYPE = 0o170000;

/** True for a file or a folder, false for a link or a device. Only archives made on Unix have the type. */
function isPlain({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  const type = versionMadeBy >> 8 === UNIX ? (externalFileAttributes >>> 16) & FILE_TYPE : 0;
  return type === 0 || type === 0o100000 || type === 0o040000;
}

function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}

/** Returns the content; undefined if it does not match the directory. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer | undefined> {
  const isDeflated = entry.compressionMethod === DEFLATED;
  try {
    const packed = await buffer(
      await zip.openReadStreamPromise(entry, { ...rawStream, decompress: isDeflated ? false : null }),
    );
    const content = isDeflated ? inflate(packed, entry.uncompressedSize) : packed;
    return content.length === entry.uncompressedSize && crc32(content) === entry.crc32 ? content : undefined;
  } catch {
    return undefined;
  }
}

const rawStream = { decrypt: null, start: null, end: null };

/**
 * Unpacks into one buffer. With zlib's default pieces of 16 KB, an archive of 60 MB left as much memory with malloc, which
 * does not give it back to the system.
 * @throws if there is more than `size`
 */
function inflate(packed: Buffer, size: number): Buffer {
  return inflateRawSync(packed, {
    chunkSize: Math.max(size + 1, constants.Z_MIN_CHUNK),
    maxOutputLength: Math.max(size, 1),
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of a file; undefined if it is not UTF-8. */
export function decodeText(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
