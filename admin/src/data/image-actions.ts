import { runOptimistic, changeItem, removeItem } from '../run-optimistic.ts';
import { runOptimisticWithUndo } from '../run-optimistic-with-undo.ts';
import { api } from '../api.ts';
import type { MediaJson } from '../contract.ts';
import { showDone, showUndo } from '../parts/undo.tsx';
import { strings } from '../strings.ts';

const words = strings.editor.imageDialog;
const MEDIA = ['media'];

/** With what is missing now, and the way back. */
export function removeImage(image: MediaJson): void {
  const { id, alt, name } = image;
  const called = alt || name;
  runOptimisticWithUndo({
    about: MEDIA,
    show: () => removeItem(MEDIA, image),
    send: () => api.removeMedia(id),
    sendBack: () => api.restoreMedia(id),
    done: ({ shownOn }) => {
      const pages = shownOn.pages.slice(0, 3).map((page) => page.name);
      return words.removed(called, pages, shownOn.total);
    },
    undone: words.restored(called),
  });
}

/** Says what an image shows, with the way back to what was said before. */
export function describeImage(image: MediaJson, alt: string): void {
  const say = (now: MediaJson, text: string | null, onDone: () => void) =>
    runOptimistic({
      about: MEDIA,
      show: () => changeItem(MEDIA, now, { alt: text }),
      send: () => api.describeMedia(image.id, text),
      onDone,
    });
  const back = () => say({ ...image, alt }, image.alt, () => showDone(strings.undone));
  say(image, alt, () => showUndo(strings.saved, back));
}
