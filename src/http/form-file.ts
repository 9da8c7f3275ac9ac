import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import { addField, multipartParser, PairReader } from './form.ts';
import { type Fields, malformed, type ObjectShape } from './form-shape.ts';

/** More parts than any form with a file has. */
const MAX_PARTS = 50;
const MAX_FIELD_BYTES = 16 * 1024;

/** The most bytes that a form may have besides its file. */
export const MAX_BYTES_BESIDE = 256 * 1024;

export interface FormFile {
  /** The file's bytes. They must be read to their end. */
  readonly source: Readable;
  /** The file's name as the client sent it. */
  readonly name: string;
  /**
   * Resolves with the object's fields when the whole form has arrived, or with undefined if it has none. Rejects with
   * `malformed`.
   */
  readonly fields: Promise<Fields | undefined>;
}

/**
 * Reads a multipart form up to its file, the part named `object[file]`. Neither the form nor the file is held in memory.
 * @throws AppError `malformed` if there is no such part, the form ends early, or is larger than `limit` and
 * `MAX_BYTES_BESIDE` together
 */
export function readFormFile(request: IncomingMessage, shape: ObjectShape, limit: number): Promise<FormFile> {
  const reader = new PairReader(shape.object, shape.fields);
  const whole = Promise.withResolvers<Fields | undefined>();
  // If the file is refused, nobody may be waiting for the fields, and the rejection would be unhandled.
  whole.promise.catch(() => {});
  return new Promise((resolve, reject) => {
    let source: Readable | undefined;
    const fail = () => {
      request.unpipe();
      request.resume();
      source?.destroy(malformed());
      whole.reject(malformed());
      reject(malformed());
    };
    let parser: BusboyInstance;
    try {
      parser = multipartParser(request.headers['content-type']!, {
        maxFieldBytes: MAX_FIELD_BYTES,
        maxParts: MAX_PARTS,
      });
    } catch {
      return fail();
    }
    parser.on('field', (...field) => {
      try {
        // The parser replaces bytes that are not UTF-8 with this character.
        if (field[1].includes('\ufffd')) throw malformed();
        addField(reader, field);
      } catch {
        fail();
      }
    });
    parser.on('file', (name, stream, fileName) => {
      stream.on('error', fail);
      if (name !== `${shape.object}[file]`) {
        stream.resume();
        return;
      }
      if (source) return fail();
      source = stream;
      resolve({ source, name: fileName, fields: whole.promise });
    });
    parser.on('fieldsLimit', fail);
    parser.on('partsLimit', fail);
    parser.on('error', fail);
    parser.on('finish', () => {
      if (!source) return fail();
      try {
        whole.resolve(reader.result());
      } catch {
        fail();
      }
    });
    request.once('close', () => {
      if (!request.complete) fail();
    });
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit + MAX_BYTES_BESIDE) fail();
    });
    request.pipe(parser);
  });
}
