import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { inChunks } from '../json-lines.ts';

/** Sizes and offsets from this value on are in separate fields (ZIP64), and the usual fields contain this value. */
const IN_ZIP64 = 0xffffffff;
const MAX_ENTRIES = 0xffff;

const [STORED, DEFLATED] = [0, 8];
/** The date of all files: 1 January 1980, the first day of the format, so that equal content gives an equal archive. */
const DATE = 0x21;
/** A file that its owner may write and everybody may read, made by Unix. */
const [MADE_BY, ATTRIBUTES] = [(3 << 8) | 45, (0o100644 << 16) >>> 0];

interface WrittenEntry {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Writes a ZIP archive of any size to a file. Equal content always gives equal bytes. */
export class ZipWriter {
  readonly #file: FileHandle;
  readonly #entries: WrittenEntry[] = [];
  #offset = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Adds a file that is already compressed. */
  async addStored(path: string, bytes: Buffer): Promise<void> {
    const name = Buffer.from(path);
    const sizes = { crc: crc32(bytes), packed: bytes.length, size: bytes.length };
    const entry = { name, method: STORED, offset: this.#offset, ...sizes };
    await this.#append(localHeader(entry));
    await this.#append(bytes);
    this.#entries.push(entry);
  }

  /** Adds a file of lines, compressing it while the lines are made. */
  async addLines(path: string, lines: AsyncIterable<string>): Promise<void> {
    const entry = { name: Buffer.from(path), method: DEFLATED, crc: 0, packed: 0, size: 0, offset: this.#offset };
    await this.#append(localHeader(entry));
    const start = this.#offset;
    async function* measured() {
      for await (const chunk of inChunks(lines)) {
        const bytes = Buffer.from(chunk);
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        yield bytes;
      }
    }
    await pipeline(Readable.from(measured()), createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) await this.#append(chunk);
    });
    entry.packed = this.#offset - start;
    // Writes the header again, since the sizes are known only now.
    await this.#write(localHeader(entry), entry.offset);
    this.#entries.push(entry);
  }

  /** Writes the directory, which completes the archive. */
  async end(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#entries) await this.#append(directoryEntry(entry));
    await this.#append(endOf({ count: this.#entries.length, start, size: this.#offset - start }));
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#write(bytes, this.#offset);
    this.#offset += bytes.length;
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }
}

/** Returns the fields that a file's header and its directory entry share, starting with the required version. */
function commonFields(
  { name, method, crc }: WrittenEntry,
  sizes: { packed: number; size: number; extra: Buffer },
): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(45, 0);
  // The flag for a UTF-8 name.
  fields.writeUInt16LE(0x800, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(sizes.packed, 14);
  fields.writeUInt32LE(sizes.size, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(sizes.extra.length, 24);
  return fields;
}

/** Returns the header of a file, always with ZIP64 fields: the sizes of a text are not known when it begins. */
function localHeader(entry: WrittenEntry): Buffer {
  const extra = zip64Field([entry.size, entry.packed]);
  const fields = commonFields(entry, { packed: IN_ZIP64, size: IN_ZIP64, extra });
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, entry.name, extra]);
}

function directoryEntry(entry: WrittenEntry): Buffer {
  const { size, packed, offset, name } = entry;
  const shown = [size, packed, offset].map((value) => Math.min(value, IN_ZIP64));
  const large = [size, packed, offset].filter((value) => value >= IN_ZIP64);
  const extra = large.length === 0 ? Buffer.alloc(0) : zip64Field(large);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(ATTRIBUTES, 6);
  rest.writeUInt32LE(shown[2]!, 10);
  const version = Buffer.alloc(2);
  version.writeUInt16LE(MADE_BY);
  const fields = commonFields(entry, { packed: shown[1]!, size: shown[0]!, extra });
  return Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, fields, rest, name, extra]);
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

function endOf({ count, start, size }: { count: number; start: number; size: number }): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(count, MAX_ENTRIES), 8);
  end.writeUInt16LE(Math.min(count, MAX_ENTRIES), 10);
  end.writeUInt32LE(Math.min(size, IN_ZIP64), 12);
  end.writeUInt32LE(Math.min(start, IN_ZIP64), 16);
  const isLarge = count >= MAX_ENTRIES || size >= IN_ZIP64 || start >= IN_ZIP64;
  return isLarge ? Buffer.concat([zip64End({ count, start, size }), end]) : end;
}

function zip64End({ count, start, size }: { count: number; start: number; size: number }): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_BY, 12);
  record.writeUInt16LE(45, 14);
  for (const [index, value] of [count, count, size, start].entries()) {
    record.writeBigUInt64LE(BigInt(value), 24 + 8 * index);
  }
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}
