import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { connectionFailure, isPrivateHost, PrivateAddress, publicLookup } from '../public-address.ts';
import { Refusal } from '../refusal.ts';

/** The settings of the installation for fetching files. */
export interface FetchSettings {
  readonly dnsServers: readonly string[];
  /** True if files may come from private networks. */
  readonly allowsPrivateNetworks: boolean;
  /** The largest file in bytes. */
  readonly limit: number;
}

/** Returns the settings of a service. Fetched files may be as large as uploaded ones. */
export function fetchSettings({
  dnsServers,
  webhooksToPrivateNetworks: allowsPrivateNetworks,
  maxBodyBytes: limit,
}: Pick<Config, 'dnsServers' | 'webhooksToPrivateNetworks' | 'maxBodyBytes'>): FetchSettings {
  return { dnsServers, allowsPrivateNetworks, limit };
}

interface FetchedFile {
  readonly source: Readable;
  /** The decoded path of the file's URL. */
  readonly name: string;
}

/** The limit for the whole file, in case a server sends one byte a second. */
const TIMEOUT_MS = 30_000;

const MAX_REDIRECTS = 3;
/** The most interim responses (1xx) before the final one. */
const MAX_INTERIM_RESPONSES = 10;
const MAX_URL_CHARACTERS = 2000;

/**
 * Opens a file on the web, which the caller reads or destroys. Neither the address nor a redirect may lead into a private
 * network, even if its name server changes the answer in between: see `publicLookup`.
 * @throws AppError `invalid` with the problem of the address or its response; reading the file throws it as well, and
 * `too_large`
 */
export async function fetchFile(address: string, settings: FetchSettings): Promise<FetchedFile> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = parseAddress(address, settings);
  for (let redirects = 0; ; redirects++) {
    const source = await sendRequest(url, settings, signal);
    const { statusCode = 0, headers } = source;
    if (statusCode === 200) {
      return { source: Readable.from(readLimited(source, settings.limit)), name: decodeName(url.pathname) };
    }
    source.destroy();
    const { location } = headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) {
      throw new AppError('invalid', `The address answers with the status ${statusCode}.`);
    }
    if (redirects === MAX_REDIRECTS) throw new AppError('invalid', 'The address redirects too many times.');
    url = parseAddress(URL.parse(location, url)?.href ?? '', settings);
  }
}

/** Reads the file, and closes the connection when it exceeds the limit. */
async function* readLimited(source: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
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
    throw error instanceof AppError ? error : new AppError('invalid', failureMessage(error as Error));
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
    throw new AppError(
      'invalid',
      'The address must begin with http:// or https://, like https://example.com/photo.jpg.',
    );
  }
  if (!allowsPrivateNetworks && isPrivateHost(url.hostname))
    throw new AppError('invalid', new PrivateAddress().message);
  return url;
}

function sendRequest(
  url: URL,
  { dnsServers, allowsPrivateNetworks }: FetchSettings,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Loaded only when a file is fetched, which most installations never do.
  const { request } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const lookup = allowsPrivateNetworks ? {} : { lookup: publicLookup(dnsServers) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { Accept: 'image/*', 'User-Agent': 'image-import' };
  let interimResponses = 0;
  const sent = request(url, { ...lookup, agent: false, signal, headers });
  sent
    .once('response', resolve)
    .on('error', (error) => reject(new AppError('invalid', failureMessage(error))))
    .on('information', () => {
      interimResponses += 1;
      if (interimResponses > MAX_INTERIM_RESPONSES) sent.destroy();
    })
    // A connection that is upgraded ends without a response or an error.
    .once('close', () => reject(new AppError('invalid', 'The address cannot be reached: the connection was closed.')))
    .end();
  return promise;
}

function failureMessage(error: Error & { code?: string }): string {
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
