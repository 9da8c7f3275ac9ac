import { useEffect } from 'react';
import { takeLatestChange, undoOnService } from '../data/latest-changes.ts';
import { refreshTrash } from '../data/trash.ts';
import { refreshPages } from '../data/tree-data.ts';
import { showError } from '../explain.ts';
import { queryClient } from '../queries.ts';
import { strings } from '../strings.ts';
import { isCommand } from './is-command.ts';
import { hasOffers, isForTextOrDialog, showDone } from './undo.tsx';

/** The addresses of list screens. In an editor, the shortcut applies to the text even if that is not focused. */
const LISTS = /^\/(?:pages|images|trash(?:\/images)?)$/;

/** Lets Ctrl or ⌘ + Z undo this tab's latest change after its message has closed, or after a reload. */
export function useLaterUndo(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event, 'z') || event.defaultPrevented || event.repeat || hasOffers()) return;
      if (!LISTS.test(location.pathname) || isForTextOrDialog(event.target)) return;
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
