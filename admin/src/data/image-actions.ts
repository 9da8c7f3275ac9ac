import { api } from '../api.ts';
import type { MediaJson } from '../contract.ts';
import { changeItem, removeItem } from '../run-optimistic.ts';
import { runOptimisticWithUndo } from '../run-optimistic-with-undo.ts';
import { strings } from '../strings.ts';
import { refreshTrash } from './trash.ts';

const words = strings.editor.imageDialog;
const MEDIA = ['media'];

/** Deletes an image. The message names the pages that showed it. */
export function removeImage(image: MediaJson): void {
  const { id, alt, name } = image;
  const called = alt || name;
  runOptimisticWithUndo({
    about: MEDIA,
    show: () => removeItem(MEDIA, image),
    send: () => api.removeMedia(id),
    onDone: () => void refreshTrash(),
    sendBack: () => api.restoreMedia(id),
    later: () => ({ call: 'restoreMedia', id }),
    onUndone: () => void refreshTrash(),
    done: ({ shownOn }) => {
      const pages = shownOn.pages.slice(0, 3).map((page) => page.name);
      return words.removed(called, pages, shownOn.total, shownOn.hasMore);
    },
    undone: words.restored(called),
  });
}

/** Saves an image's description. */
export function describeImage(image: MediaJson, alt: string): void {
  runOptimisticWithUndo({
    about: MEDIA,
    show: () => changeItem(MEDIA, image, { alt }),
    send: () => api.describeMedia(image.id, alt),
    sendBack: () => api.describeMedia(image.id, image.alt),
    done: () => strings.saved,
  });
}
