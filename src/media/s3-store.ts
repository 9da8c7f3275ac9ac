import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { KeyPair, MediaSettings, MediaStore, StoredFile } from './store.ts';

/** How long the storage may take until it starts to respond. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** How often a request is repeated after a failure that may be temporary. */
const MAX_RETRIES = 2;

/** How many files are copied at the same time. */
const COPIES_AT_ONCE = 8;

/** The prefix of images in the bucket, which may contain other objects as well. */
const PREFIX = 'media/';

/** Stores images in a bucket of S3 or a compatible service. */
export function s3Store(settings: MediaSettings, listedAtOnce = 1000): MediaStore {
  const request = requestSender(settings);
  const put = async (key: string, bytes: Buffer) => {
    const { status } = await request('PUT', `/${PREFIX}${key}`, bytes);
    if (status === 404) throw new StoreUnavailable('The image storage bucket does not exist.');
  };
  const copy = async ({ from, to }: KeyPair) => {
    // Downloads and uploads the file: not all services support server-side copies in the same way, and the URL does not
    // always contain the bucket's name.
    const response = await request('GET', `/${PREFIX}${from}`);
    if (response.status === 404) throw new StoreUnavailable('An image file is missing.');
    await put(to, Buffer.from(await response.arrayBuffer()));
  };
  return {
    put,
    async copy(pairs) {
      const left = [...pairs];
      const copyNext = async () => {
        for (let next = left.pop(); next; next = left.pop()) await copy(next);
      };
      await Promise.all(Array.from({ length: COPIES_AT_ONCE }, copyNext));
    },
    async open(key) {
      const { status, body } = await request('GET', `/${PREFIX}${key}`);
      if (status !== 404 && body) return Readable.fromWeb(body as ReadableStream);
      await body?.cancel();
      return undefined;
    },
    async remove(keys) {
      for (const key of keys) await (await request('DELETE', `/${PREFIX}${key}`)).body?.cancel();
    },
    list: () => listObjects(request, listedAtOnce),
  };
}

type SendRequest = (method: string, pathAndQuery: string, body?: Buffer) => Promise<Response>;

/** Returns a function that sends requests to the storage and resolves for a success or "not found". */
function requestSender({ mediaS3Url, mediaS3Region, mediaS3Key, mediaS3Secret }: MediaSettings): SendRequest {
  const client = new AwsClient({
    accessKeyId: mediaS3Key,
    secretAccessKey: mediaS3Secret,
    region: mediaS3Region,
    service: 's3',
    retries: MAX_RETRIES,
    initRetryMs: 200,
  });
  return async (method, pathAndQuery, body) => {
    const startTimeout = new AbortController();
    // The timeout applies only until the response begins: a client may read an image slowly.
    const timer = setTimeout(() => startTimeout.abort(), RESPONSE_TIMEOUT_MS);
    try {
      const response = await client.fetch(mediaS3Url + pathAndQuery, {
        method,
        // The storage verifies the hash and refuses data that was damaged in transit.
        headers: { 'X-Amz-Content-Sha256': hash('sha256', body ?? '') },
        ...(body && { body: new Uint8Array(body) }),
        redirect: 'error',
        signal: startTimeout.signal,
      });
      if (response.ok || response.status === 404) return response;
      // Errors of the storage repeat the signed request, which must not be logged. Their code is enough.
      const code = /<Code>(\w{1,60})<\/Code>/.exec(await response.text())?.[1] ?? 'no code';
      throw new StoreUnavailable(`The image storage answered with ${response.status} (${code}).`);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const { cause } = error as Error;
      throw new StoreUnavailable('The image storage cannot be reached.', { cause: cause ?? error });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** An outage of the storage. Surfaces treat it like an outage of the database. */
class StoreUnavailable extends Error {
  readonly code = 'ESTORE';
}

/** Lists objects with version 1 of the listing API, which continues after a key: every S3-compatible service supports it. */
async function* listObjects(request: SendRequest, atOnce: number): AsyncGenerator<StoredFile> {
  for (let marker = ''; ; ) {
    const query = new URLSearchParams({ prefix: PREFIX, marker, 'max-keys': String(atOnce) });
    const text = await (await request('GET', `?${query}`)).text();
    // Our keys contain no characters that XML escapes. Keys that do are not ours.
    for (const content of text.split('<Contents>').slice(1)) {
      marker = /<Key>([^<]*)<\/Key>/.exec(content)?.[1] ?? '';
      yield { key: marker.slice(PREFIX.length), bytes: Number(/<Size>(\d+)<\/Size>/.exec(content)?.[1]) };
    }
    if (!text.includes('<IsTruncated>true</IsTruncated>')) return;
  }
}
