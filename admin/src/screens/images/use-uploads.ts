import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { ApiError } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { explain } from '../../explain.ts';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { uploadImage } from '../../upload.ts';

/** A file on its way. */
export interface UnderWay {
  readonly id: number;
  readonly name: string;
  /** From 0 to 1. */
  readonly done: number;
}

let count = 0;

/** Uploads files and tells how far each is. `onUndescribed` gets those of them of which nobody has said what they show. */
export function useUploads(onUndescribed: (images: readonly MediaJson[]) => void) {
  const [uploads, setUploads] = useState<readonly UnderWay[]>([]);
  const stops = useRef(new Map<number, AbortController>());

  const one = async (file: File): Promise<MediaJson | undefined> => {
    const id = ++count;
    const stop = new AbortController();
    stops.current.set(id, stop);
    setUploads((before) => [...before, { id, name: file.name, done: 0 }]);
    const onProgress = (done: number) =>
      setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, done } : upload)));
    try {
      const media = await uploadImage(file, { onProgress, signal: stop.signal });
      await queryClient.invalidateQueries({ queryKey: ['media'] });
      return media;
    } catch (error) {
      if (!stop.signal.aborted) tell(file.name, error);
      return undefined;
    } finally {
      stops.current.delete(id);
      setUploads((before) => before.filter((upload) => upload.id !== id));
    }
  };

  return {
    uploads,
    cancel: (id: number) => stops.current.get(id)?.abort(),
    upload: async (files: readonly File[]) => {
      const made = await Promise.all(files.map(one));
      const undescribed = made.filter((media) => media?.alt === null) as MediaJson[];
      if (undescribed.length > 0) onUndescribed(undescribed);
    },
  };
}

function tell(name: string, error: unknown): void {
  const message = error instanceof ApiError ? explain(error) : strings.errors.unexpected;
  notifications.show({ color: 'red', title: strings.editor.uploads.failed(name), message, autoClose: 15_000 });
}
