import { useEffect } from 'react';
import { takeLatestChange, undoOnService } from '../data/latest-changes.ts';
import { refreshTrash } from '../data/trash.ts';
import { refreshPages } from '../data/tree-data.ts';
import { showError } from '../explain.ts';
import { queryClient } from '../queries.ts';
import { strings } from '../strings.ts';
import { isCommand } from './is-command.ts';
import { hasOffers, isElsewhere, showDone } from './undo.tsx';

/** The screens of lists. In an editor the key is for the text, even where that has not the focus. */
const LISTS = /^\/(?:pages|images|trash(?:\/images)?)$/;

/** Undoes the latest change of this tab by Ctrl + Z when its message is gone, or the page has been loaded again. */
export function useLaterUndo(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event, 'z') || event.defaultPrevented || event.repeat || hasOffers()) return;
      if (!LISTS.test(location.pathname) || isElsewhere(event.target)) return;
      const latest = takeLatestChange();
      if (!latest) return;
      event.preventDefault();
      void undoOnService(latest).then(
        () => {
          void refreshPages();
          void refreshTrash();
          void queryClient.invalidateQueries({ queryKey: ['media'] });
          showDone(strings.undoneLater(latest.message));
        },
        (error) => showError(error),
      );
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
