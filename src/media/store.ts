import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';

/** Stores the bytes of images. Keys are `ACCOUNT/FOLDER/NAME`; the content of a key never changes. */
export interface MediaStore {
  /** Resolves once it is there for good, even if the power fails. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** Copies files to keys that are not in use. Resolves once the copies are there for good. */
  copy(pairs: readonly KeyPair[]): Promise<void>;
  /** Opens a file; undefined if there is none. The stream must be read or destroyed. */
  open(key: string): Promise<Readable | undefined>;
  /** It is no mistake if some are not there. */
  remove(keys: readonly string[]): Promise<void>;
  /** Lists everything that is there, in the order of the keys' bytes. */
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
