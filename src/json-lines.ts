const CHUNK_CHARACTERS = 64 * 1024;

/** Joins lines into chunks. Compression passes each chunk to another thread, which takes longer than compressing one line. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Thrown for a text whose lines are incomplete or too long. */
export class LineError extends Error {
  /** `unfinished` means that the last line has no line feed. */
  readonly reason: 'unfinished' | 'too_long';

  constructor(reason: LineError['reason']) {
    super(`A line is ${reason}.`);
    this.name = 'LineError';
    this.reason = reason;
  }
}

/**
 * Splits a text into its lines, without their line feeds. Only a line feed ends a line: JSON may contain U+2028 and similar
 * characters unescaped.
 * @throws LineError
 */
export async function* splitLines(source: AsyncIterable<Buffer>, maxBytes = Number.POSITIVE_INFINITY) {
  let rest: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let stop = chunk.indexOf(10); stop !== -1; stop = chunk.indexOf(10, start)) {
      if (bytes + stop - start > maxBytes) throw new LineError('too_long');
      yield rest.length === 0 ? chunk.subarray(start, stop) : Buffer.concat([...rest, chunk.subarray(start, stop)]);
      rest = [];
      bytes = 0;
      start = stop + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes) throw new LineError('too_long');
  }
  if (rest.length > 0) throw new LineError('unfinished');
}
