import type { InfiniteData } from '@tanstack/react-query';
import { api } from '../../../api.ts';
import type { PageChangeJson, PageJson, RevisionsJson, UndoneJson, WholeRevisionJson } from '../../../contract.ts';
import { fieldsOf } from '../../../data/changes.ts';
import { refreshPages, updateCachedPage } from '../../../data/tree-data.ts';
import { queryClient } from '../../../queries.ts';
import { temporaryId } from '../../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../../run-optimistic-with-undo.ts';
import { strings } from '../../../strings.ts';

const words = strings.revisions;

/* The screen of earlier versions caches its own copy of a page: the editor must not see a version that is not published yet. */

export const versionsOf = (id: number) => ['revisions', id] as const;
export const listOf = (id: number) => [...versionsOf(id), 'list'] as const;
export const wholeOf = (id: number | undefined) => ['revision', id] as const;
export const pageOf = (id: number) => [...versionsOf(id), 'page'] as const;

/** Publishes an earlier version again. Shows the result at once and can be undone. */
export function restoreVersion(page: PageJson, version: WholeRevisionJson, by: string): void {
  const { name, description, body, bodyFormat } = version;
  const restored = { ...page, name, description, body, bodyFormat, updatedBy: by, updatedAt: Date.now() };
  const onDone = ({ page: now }: PageChangeJson | UndoneJson) => {
    queryClient.setQueryData<PageJson>(pageOf(now.id), now);
    void queryClient.invalidateQueries({ queryKey: ['page', now.id] });
    updateCachedPage(now);
    void refreshPages();
  };
  runOptimisticWithUndo({
    about: versionsOf(page.id),
    show: () => replace(page, restored),
    send: () => api.restoreRevision(version.id, page.version),
    onDone,
    done: ({ undo, page: now }) => (undo === null ? undefined : words.restored(now.isPublished)),
    // Undoing publishes once more, so the restored version becomes an earlier version, too.
    showBack: (done) => replace(done.page, page),
    sendBack: ({ undo }) => api.undo(undo!),
    onUndone: onDone,
  });
}

/** Shows `after` as published, and `before` as the latest of the earlier versions. Returns a function that reverts this. */
function replace(before: PageJson, after: PageJson): () => void {
  const { id, version, name, updatedAt: at, updatedBy: by } = before;
  const replaced = { id: temporaryId(), version, name, at, by };
  const change = (revisions: (list: RevisionsJson['revisions']) => RevisionsJson['revisions']) =>
    queryClient.setQueryData<InfiniteData<RevisionsJson>>(listOf(id), (data) => {
      const [first, ...rest] = data?.pages ?? [];
      return data && first && { ...data, pages: [{ ...first, revisions: revisions(first.revisions) }, ...rest] };
    });
  const set = (page: PageJson) => queryClient.setQueryData<PageJson>(pageOf(id), (now) => now && page);
  // The replaced version exists only in the app until the list is loaded again.
  queryClient.setQueryData<WholeRevisionJson>(wholeOf(replaced.id), { ...replaced, ...fieldsOf(before), pageId: id });
  set(after);
  change((list) => [replaced, ...list]);
  return () => {
    set(before);
    change((list) => list.filter((one) => one.id !== replaced.id));
  };
}
