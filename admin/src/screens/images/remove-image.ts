import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';

const words = strings.editor.imageDialog;

/** At once, with what is missing now, and the way back. */
export async function removeImage({ id, alt, name }: MediaJson): Promise<void> {
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['media'] });
  const called = alt || name;
  try {
    const { shownOn } = await api.removeMedia(id);
    const pages = shownOn.pages.slice(0, 3).map((page) => page.name);
    showUndo(words.removed(called, pages, shownOn.total), () => {
      api
        .restoreMedia(id)
        .then(() => showDone(words.restored(called)))
        .then(refresh)
        .catch(showError);
    });
  } catch (error) {
    showError(error);
  }
  await refresh();
}
