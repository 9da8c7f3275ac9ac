import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. Fields that are not given get correct values. */
export interface ZipFile {
  name: string | Buffer;
  content?: string | Uint8Array;
  isStored?: boolean;
  /** The general purpose bits: 1 for an encrypted file. */
  flags?: number;
  method?: number;
  /** The file type and permissions of Unix. */
  mode?: number;
  crc?: number;
  /** The uncompressed size that the directory claims. */
  size?: number;
  /** The name of another file whose data this file shares. */
  sharesWith?: string;
}

/** Returns a ZIP archive, which may contradict itself. */
export function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const starts = new Map<string, number>();
  let offset = 0;
  for (const { name, content = '', isStored = false, flags = 0, mode = 0o100644, sharesWith, ...lies } of files) {
    const path = Buffer.from(name);
    const plain = Buffer.from(content);
    const packed = isStored ? plain : deflateRawSync(plain);
    const { method = isStored ? 0 : 8, crc = crc32(plain), size = plain.length } = lies;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags | 0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(path.length, 22);
    const start = sharesWith === undefined ? offset : starts.get(sharesWith)!;
    starts.set(String(name), start);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(start, 10);
    // Version made by: Unix.
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), common, rest, path);
    if (sharesWith !== undefined) continue;
    const entry = [Buffer.from([0x50, 0x4b, 3, 4]), common, path, packed];
    parts.push(...entry);
    offset += Buffer.concat(entry).length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
