import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';

/** Stores the files of images. Keys are `ACCOUNT/FOLDER/NAME`. The content of a key never changes. */
export interface MediaStore {
  /** Stores a file. Resolves once the file survives a power failure. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** Copies files to unused keys. Resolves once the copies survive a power failure. */
  copy(pairs: readonly KeyPair[]): Promise<void>;
  /** Opens a file; undefined if there is none. The stream must be read or destroyed. */
  open(key: string): Promise<Readable | undefined>;
  /** Removes files. Keys without a file are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Lists all files, in the byte order of their keys. */
  list(): AsyncIterable<StoredFile>;
}

export interface KeyPair {
  from: string;
  to: string;
}

export interface StoredFile {
  key: string;
  bytes: number;
}

export type MediaSettings = Pick<Config, 'dataDir' | 'mediaS3Url' | 'mediaS3Region' | 'mediaS3Key' | 'mediaS3Secret'>;
