import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { connectionFailure, isPrivateHost, PrivateAddress, publicLookup } from '../public-address.ts';
import { Refusal } from '../refusal.ts';

/** The settings of the installation for fetching files. */
export interface FetchSettings {
  readonly dnsServers: readonly string[];
  /** Whether files may come from private networks. */
  readonly allowsPrivateNetworks: boolean;
  /** Bytes that a file may have. */
  readonly limit: number;
}

/** Returns the settings of a service: files that are fetched may be as large as those that are sent. */
export function fetchSettings({
  dnsServers,
  webhooksToPrivateNetworks: allowsPrivateNetworks,
  maxBodyBytes: limit,
}: Pick<Config, 'dnsServers' | 'webhooksToPrivateNetworks' | 'maxBodyBytes'>): FetchSettings {
  return { dnsServers, allowsPrivateNetworks, limit };
}

export interface FetchedFile {
  readonly source: Readable;
  /** The name of the file, by its address. */
  readonly name: string;
}

/** For the file as a whole: a server that sends a byte a second holds nobody up for longer. */
const TIMEOUT_MS = 30_000;

const MAX_REDIRECTS = 3;
/** How many answers of 1xx may come before the answer. */
const MAX_INTERIM_ANSWERS = 10;
const MAX_URL_CHARACTERS = 2000;

/**
 * Opens a file on the web, which the caller reads or destroys. No address that it is redirected to may lead into a private network,
 * whatever its name server says a moment later: see `publicLookup`.
 * @throws AppError `invalid` with what is wrong with the address or its answer; reading throws it too, and `too_large`
 */
export async function fetchFile(address: string, settings: FetchSettings): Promise<FetchedFile> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = parseAddress(address, settings);
  for (let redirects = 0; ; redirects++) {
    const source = await open(url, settings, signal);
    const { statusCode = 0, headers } = source;
    if (statusCode === 200) {
      return { source: Readable.from(read(source, settings.limit)), name: decodeName(url.pathname) };
    }
    source.destroy();
    const { location } = headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) {
      throw new AppError('invalid', `The address answers with the status ${statusCode}.`);
    }
    if (redirects === MAX_REDIRECTS) throw new AppError('invalid', 'The address redirects too often.');
    url = parseAddress(URL.parse(location, url)?.href ?? '', settings);
  }
}

/** Leaves the connection at the first byte too many. */
async function* read(source: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let size = Number(source.headers['content-length'] ?? 0);
  try {
    if (size > limit) throw tooLarge(limit);
    size = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid', words(error as Error));
  } finally {
    source.destroy();
  }
}

function tooLarge(limit: number): AppError {
  return new Refusal('too_large', { reason: 'image_too_large', params: { bytes: limit } });
}

function parseAddress(address: string, { allowsPrivateNetworks }: FetchSettings): URL {
  const url = address.length > MAX_URL_CHARACTERS ? null : URL.parse(address);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new AppError('invalid', 'The address must be one of the web, such as https://example.com/photo.jpg.');
  }
  if (!allowsPrivateNetworks && isPrivateHost(url.hostname))
    throw new AppError('invalid', new PrivateAddress().message);
  return url;
}

function open(
  url: URL,
  { dnsServers, allowsPrivateNetworks }: FetchSettings,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Loaded when a file is fetched: most installations never do.
  const { request } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const lookup = allowsPrivateNetworks ? {} : { lookup: publicLookup(dnsServers) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { Accept: 'image/*', 'User-Agent': 'image-import' };
  let interimAnswers = 0;
  const sent = request(url, { ...lookup, agent: false, signal, headers });
  sent
    .once('response', resolve)
    .on('error', (error) => reject(new AppError('invalid', words(error))))
    .on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS) sent.destroy();
    })
    // After an upgrade there is neither a response nor an error.
    .once('close', () => reject(new AppError('invalid', 'The address cannot be reached: the connection was closed.')))
    .end();
  return promise;
}

function words(error: Error & { code?: string }): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `The address did not send the file within ${TIMEOUT_MS / 1000} seconds.`;
  return connectionFailure(error);
}

function decodeName(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
