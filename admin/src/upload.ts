import { ApiError, failureOf, isSignedOut, unreachable } from './api-error.ts';
import type { BrandImageNameJson, MediaJson, PageImportJson } from './contract.ts';
import { ownerHeader, whileSignedIn } from './signed-in.ts';

interface UploadOptions {
  /** Called with the fraction of the file that has been sent, from 0 to 1. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads are sent one after the other: the service processes them so anyway, and the first is then done sooner. */
let last: Promise<unknown> = Promise.resolve();

/** Uploads an image after all earlier uploads. Rejects with an ApiError, or with the signal's reason if it aborts. */
export function uploadImage(file: File, options: UploadOptions): Promise<MediaJson> {
  return upload<MediaJson>(`media?name=${encodeURIComponent(file.name)}`, file, options);
}

/** Uploads a logo or an icon after all earlier uploads. */
export function uploadBrandImage(
  kind: 'logo' | 'icon',
  file: File,
  options: UploadOptions,
): Promise<BrandImageNameJson> {
  return upload<BrandImageNameJson>(`brand/images?kind=${kind}`, file, options);
}

/** Uploads a file of pages after all earlier uploads, to check or import it. */
export function importPages(query: Readonly<Record<string, string>>, file: File, options: UploadOptions) {
  return upload<PageImportJson>(`page-imports?${new URLSearchParams(query)}`, file, options);
}

function upload<T>(path: string, file: File, options: UploadOptions): Promise<T> {
  const uploaded = last.then(() => sendWithRetries<T>(path, file, options));
  last = uploaded.catch(() => {});
  return uploaded;
}

/** How often a file is sent while the service is busy. */
const MAX_ATTEMPTS = 4;

/** Sends a file, and again after the delay that a busy service states. */
async function sendWithRetries<T>(path: string, file: File, options: UploadOptions): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await whileSignedIn(() => send<T>(path, file, options), isSignedOut);
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503);
      if (!isBusy || error.retryAfter === 0 || tries === MAX_ATTEMPTS) throw error;
      await pause(error.retryAfter * 1000, options.signal);
    }
  }
}

/** Waits. Rejects with the signal's reason when it aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function retryAfter(request: XMLHttpRequest): number {
  return Number(request.getResponseHeader('retry-after') ?? 0);
}

/** Sends a file by XMLHttpRequest, because `fetch` does not report progress. */
function send<T>(path: string, file: File, { onProgress, signal }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open('POST', `/admin/${path}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    for (const [name, value] of Object.entries(ownerHeader())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () => {
      if (request.status === 200 || request.status === 201) resolve(request.response);
      else reject(failureOf(request.status, request.response ?? undefined, retryAfter(request)));
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    // Wrapped in a Blob without a type, which would override the header.
    request.send(new Blob([file]));
  });
}
