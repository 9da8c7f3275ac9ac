import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { etagOf } from '../content.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** The path of files built by Vite, whose names contain a hash of their content. */
export const HASHED = '/-/app/';

type Encoding = 'br' | 'gz';

/** A file of the app with its precompressed variants, each read when it is first requested. */
export class AppFile {
  readonly #file: string;
  readonly #path: string;
  readonly #encodings: readonly Encoding[];
  readonly #answers = new Map<Encoding | '', HttpResponse>();

  constructor(file: string, path: string, encodings: readonly Encoding[]) {
    this.#file = file;
    this.#path = path;
    this.#encodings = encodings;
  }

  answer({ request: { headers } }: RequestContext): HttpResponse {
    const accepted = headers['accept-encoding'] ?? '';
    const encoding = this.#encodings.find((known) => accepts(accepted, known === 'gz' ? 'gzip' : known)) ?? '';
    const answer = this.#answers.getOrInsertComputed(encoding, () => this.#read(encoding));
    const etag = answer.headers[1]!;
    return headers['if-none-match'] === etag ? { status: 304, headers: answer.headers.slice(0, 6), body: '' } : answer;
  }

  #read(encoding: Encoding | ''): HttpResponse {
    const bytes = readFileSync(encoding ? `${this.#file}.${encoding}` : this.#file);
    const cache = this.#path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
    const headers = [
      ...['ETag', etagOf(bytes), 'Cache-Control', cache, 'Vary', 'Accept-Encoding'],
      ...['Content-Type', types[this.#path.slice(this.#path.lastIndexOf('.') + 1)]!],
      ...['Content-Length', String(bytes.length), 'Cross-Origin-Resource-Policy', 'same-origin'],
    ];
    if (encoding) headers.push('Content-Encoding', encoding === 'gz' ? 'gzip' : encoding);
    return { status: 200, headers, body: bytes };
  }
}

/** Returns the built app's files by their URL paths; empty if the app has not been built. */
export function readAppFiles(folder: string): Map<string, AppFile> {
  const names = new Set(globSync('**/*.*', { cwd: folder }).map((name) => name.replaceAll('\\', '/')));
  const files = new Map<string, AppFile>();
  for (const name of names) {
    if (!Object.hasOwn(types, name.slice(name.lastIndexOf('.') + 1))) continue;
    const encodings = (['br', 'gz'] as const).filter((encoding) => names.has(`${name}.${encoding}`));
    files.set(`/${name}`, new AppFile(join(folder, name), `/${name}`, encodings));
  }
  return files;
}

/** True if the `Accept-Encoding` header allows the encoding. */
export function accepts(header: string, encoding: 'br' | 'gzip'): boolean {
  return header
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [coding, ...parameters] = part.split(';').map((word) => word.trim());
      return coding === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
