import { act, changeItem, removeItem } from '../../act.ts';
import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { strings } from '../../strings.ts';

const words = strings.editor.imageDialog;
const MEDIA = ['media'];

/** With what is missing now, and the way back. */
export function removeImage(image: MediaJson): void {
  const { id, alt, name } = image;
  const called = alt || name;
  let back = () => {};
  act({
    about: MEDIA,
    show: () => {
      back = removeItem(MEDIA, image);
      return back;
    },
    send: () => api.removeMedia(id),
    onDone: ({ shownOn }) => {
      const pages = shownOn.pages.slice(0, 3).map((page) => page.name);
      showUndo(words.removed(called, pages, shownOn.total), () =>
        act({
          about: MEDIA,
          show: () => {
            back();
            return () => removeItem(MEDIA, image);
          },
          send: () => api.restoreMedia(id),
          onDone: () => showDone(words.restored(called)),
        }),
      );
    },
  });
}

/** Says what an image shows, with the way back to what was said before. */
export function describeImage(image: MediaJson, alt: string): void {
  const say = (now: MediaJson, text: string | null, onDone?: () => void) =>
    act({
      about: MEDIA,
      show: () => changeItem(MEDIA, now, { alt: text }),
      send: () => api.describeMedia(image.id, text),
      ...(onDone && { onDone }),
    });
  say(image, alt, () => showUndo(strings.saved, () => say({ ...image, alt }, image.alt)));
}
