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

/** The prefix of images in the bucket, which others may use as well. */
const PREFIX = 'media/';

/** Stores images in a bucket of S3 or a compatible service. */
export function s3Store(settings: MediaSettings, listedAtOnce = 1000): MediaStore {
  const ask = asker(settings);
  const put = async (key: string, bytes: Buffer) => {
    const { status } = await ask('PUT', `/${PREFIX}${key}`, bytes);
    if (status === 404) throw new StoreUnavailable('There is no such bucket for the images.');
  };
  const copy = async ({ from, to }: KeyPair) => {
    // Not every storage copies by itself in the same way, and the name of the bucket is not always in the address.
    const response = await ask('GET', `/${PREFIX}${from}`);
    if (response.status === 404) throw new StoreUnavailable('A file of an image is missing.');
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
      const { status, body } = await ask('GET', `/${PREFIX}${key}`);
      if (status !== 404 && body) return Readable.fromWeb(body as ReadableStream);
      await body?.cancel();
      return undefined;
    },
    async remove(keys) {
      for (const key of keys) await (await ask('DELETE', `/${PREFIX}${key}`)).body?.cancel();
    },
    list: () => listObjects(ask, listedAtOnce),
  };
}

type Ask = (method: string, pathAndQuery: string, body?: Buffer) => Promise<Response>;

/** Returns a function that sends requests to the storage and resolves for a success or "not found". */
function asker({ mediaS3Url, mediaS3Region, mediaS3Key, mediaS3Secret }: MediaSettings): Ask {
  const client = new AwsClient({
    accessKeyId: mediaS3Key,
    secretAccessKey: mediaS3Secret,
    region: mediaS3Region,
    service: 's3',
    retries: MAX_RETRIES,
    initRetryMs: 200,
  });
  return async (method, pathAndQuery, body) => {
    const patience = new AbortController();
    // Only until the response begins: a client may read an image slowly.
    const timer = setTimeout(() => patience.abort(), RESPONSE_TIMEOUT_MS);
    try {
      const response = await client.fetch(mediaS3Url + pathAndQuery, {
        method,
        // The storage verifies the hash and refuses data that was damaged on its way.
        headers: { 'X-Amz-Content-Sha256': hash('sha256', body ?? '') },
        ...(body && { body: new Uint8Array(body) }),
        redirect: 'error',
        signal: patience.signal,
      });
      if (response.ok || response.status === 404) return response;
      // Its errors repeat what was signed, which is not for the log; their code says enough.
      const code = /<Code>(\w{1,60})<\/Code>/.exec(await response.text())?.[1] ?? 'without a code';
      throw new StoreUnavailable(`The storage of the images answers ${response.status}, ${code}.`);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const { cause } = error as Error;
      throw new StoreUnavailable('The storage of the images cannot be reached.', { cause: cause ?? error });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Surfaces take it for an outage, as they do those of the database. */
class StoreUnavailable extends Error {
  readonly code = 'ESTORE';
}

/** In the first version of listing, which goes on after a key: everything that speaks like S3 has it. */
async function* listObjects(ask: Ask, atOnce: number): AsyncGenerator<StoredFile> {
  for (let marker = ''; ; ) {
    const query = new URLSearchParams({ prefix: PREFIX, marker, 'max-keys': String(atOnce) });
    const text = await (await ask('GET', `?${query}`)).text();
    // Keys of ours have nothing that XML writes in another way; what has is none of ours.
    for (const content of text.split('<Contents>').slice(1)) {
      marker = /<Key>([^<]*)<\/Key>/.exec(content)?.[1] ?? '';
      yield { key: marker.slice(PREFIX.length), bytes: Number(/<Size>(\d+)<\/Size>/.exec(content)?.[1]) };
    }
    if (!text.includes('<IsTruncated>true</IsTruncated>')) return;
  }
}
