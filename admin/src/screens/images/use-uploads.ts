import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { ApiError } from '../../api-error.ts';
import type { MediaJson } from '../../contract.ts';
import { explain } from '../../explain.ts';
import { type FailedUpload, FailedUploads } from '../../parts/failed-uploads.tsx';
import { queryClient } from '../../queries.ts';
import { hasEnded } from '../../signed-in.ts';
import { createStore, useStore } from '../../store.ts';
import { strings } from '../../strings.ts';
import { uploadImage } from '../../upload.ts';

/** A file that is being uploaded, or waits for its turn. */
export interface UnderWay {
  readonly id: number;
  readonly name: string;
  /** The progress, from 0 to 1. */
  readonly done: number;
}

/* Uploads are global state: they go on when the screen is left, and show again when the user returns. */

let count = 0;
const uploads = createStore<readonly UnderWay[]>([]);
const stops = new Map<number, AbortController>();

/** Uploads images to the media library. `onUndescribed` gets the new ones without a description. */
export function useUploads(onUndescribed: (images: readonly MediaJson[]) => void) {
  return {
    uploads: useStore(uploads),
    cancel,
    cancelAll: () => uploads.get().forEach(({ id }) => void cancel(id)),
    upload: async (files: readonly File[]) => {
      const made = await Promise.all(files.map(uploadFile));
      const undescribed = made.filter((media) => media?.alt === null) as MediaJson[];
      if (undescribed.length > 0) onUndescribed(undescribed);
    },
  };
}

async function uploadFile(file: File): Promise<MediaJson | undefined> {
  const id = ++count;
  const stop = new AbortController();
  stops.set(id, stop);
  set([...uploads.get(), { id, name: file.name, done: 0 }]);
  const onProgress = (done: number) =>
    set(uploads.get().map((upload) => (upload.id === id ? { ...upload, done } : upload)));
  try {
    const media = await uploadImage(file, { onProgress, signal: stop.signal });
    await queryClient.invalidateQueries({ queryKey: ['media'] });
    return media;
  } catch (error) {
    if (!stop.signal.aborted) showFailure(file.name, error);
    return undefined;
  } finally {
    takeOut(id);
  }
}

/** Cancels an upload, which may still be waiting for its turn. */
function cancel(id: number): void {
  stops.get(id)?.abort();
  takeOut(id);
}

function takeOut(id: number): void {
  stops.delete(id);
  set(uploads.get().filter((upload) => upload.id !== id));
}

function set(next: readonly UnderWay[]): void {
  if (next.length > 0) window.addEventListener('beforeunload', askBeforeUnload);
  else window.removeEventListener('beforeunload', askBeforeUnload);
  uploads.set(next);
}

/** Asks before the tab is closed, which would end the uploads, but not on signing out or after the end of the session. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  if (!document.body.hidden && !hasEnded()) event.preventDefault();
}

/** The failed uploads since the message about them was last closed. */
let failed: readonly FailedUpload[] = [];

/** Lists all failed uploads in one message, which stays until it is closed: separate messages would cover each other. */
function showFailure(name: string, error: unknown): void {
  const reason = error instanceof ApiError ? explain(error) : strings.errors.unexpected;
  failed = [...failed, { name, reason }];
  const message = createElement(FailedUploads, { failed });
  const close = () => {
    failed = [];
  };
  const shown = { id: 'failed-uploads', color: 'red', message, autoClose: false, onClose: close } as const;
  if (failed.length === 1) notifications.show(shown);
  else notifications.update(shown);
}
