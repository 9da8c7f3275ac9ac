import { notifications } from '@mantine/notifications';
import { ApiError } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { explain } from '../../explain.ts';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { uploadImage } from '../../upload.ts';
import classes from './uploads.module.css';

const words = strings.editor.uploads;

/** What stands in an editor for an image that is on its way. It is no part of the text. */
export interface UploadBox {
  readonly dom: HTMLElement;
  /** The image; undefined when it was cancelled or did not work, which people have been told by then. */
  readonly done: Promise<MediaJson | undefined>;
  cancel(): void;
}

/** Begins to upload an image, and shows how far it is. */
export function uploadBox(file: File): UploadBox {
  const stop = new AbortController();
  const { dom, show } = boxOf(file.name, () => stop.abort());
  const done = uploadImage(file, { onProgress: show, signal: stop.signal }).then(
    (media) => {
      void queryClient.invalidateQueries({ queryKey: ['media'] });
      return media;
    },
    (error: unknown) => {
      if (!stop.signal.aborted) tell(file.name, error);
      return undefined;
    },
  );
  return { dom, done, cancel: () => stop.abort() };
}

function boxOf(name: string, onCancel: () => void) {
  const dom = document.createElement('span');
  dom.className = classes.box!;
  dom.contentEditable = 'false';
  const bar = document.createElement('progress');
  bar.max = 100;
  bar.value = 0;
  bar.setAttribute('aria-label', words.label(name));
  const text = document.createElement('span');
  text.textContent = words.label(name);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '×';
  button.setAttribute('aria-label', words.cancel(name));
  button.addEventListener('click', onCancel);
  dom.append(text, bar, button);
  const show = (done: number) => {
    bar.value = Math.round(done * 100);
    // All has been sent: how long the rest takes nobody knows.
    if (done < 1) return;
    bar.removeAttribute('value');
    text.textContent = words.processing(name);
  };
  return { dom, show };
}

function tell(name: string, error: unknown): void {
  const message = error instanceof ApiError ? explain(error) : strings.errors.unexpected;
  notifications.show({ color: 'red', title: words.failed(name), message, autoClose: 15_000 });
}
