import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { TreePageJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';
import { changeChildren, changePage, childrenOf, refreshPages } from './tree-data.ts';

const words = strings.pages;

/** What is done to the tree goes one after the other, in the order in which it was asked for. */
const scope = { id: 'tree' };

/**
 * Everything one can do to a page of the tree. Each shows its result at once, offers to undo it, and puts the tree back
 * to what the server says when that refuses.
 */
export function useTreeActions() {
  const run = useMutation({
    scope,
    mutationFn: (work: () => Promise<void>) => work(),
    onError: showError,
    // What is asked while more is waiting to be done would take back what is shown of that.
    onSettled: () => (queryClient.isMutating() > 1 ? undefined : refreshPages()),
  });
  const undoable = (undo: number | null, message: string) => {
    if (undo === null) return;
    showUndo(message, () =>
      run.mutate(async () => {
        await api.undo(undo);
        showDone(strings.undone);
      }),
    );
  };

  return {
    rename: ({ page, parent }: PageRow, name: string) => {
      changePage(parent, page.id, { name });
      run.mutate(async () => {
        const { undo } = await api.updatePage(page.id, { name }, versionOf(page, parent));
        undoable(undo, words.renamed(name));
      });
    },
    setHidden: ({ page, parent }: PageRow, isHidden: boolean) => {
      changePage(parent, page.id, { isHidden });
      run.mutate(async () => {
        const { undo } = await api.updatePage(page.id, { isHidden }, versionOf(page, parent));
        undoable(undo, isHidden ? words.hid(page.name) : words.shown(page.name));
      });
    },
    move: ({ page, parent }: PageRow, place: Place) => {
      moveInCache(page, parent, place);
      run.mutate(async () => {
        const { undo, changedAddresses } = await api.movePage(page.id, toPlace(place));
        undoable(undo, words.moved(page.name, changedAddresses));
      });
    },
    remove: ({ page, parent }: PageRow) => {
      changeChildren(parent, (pages) => pages.filter(({ id }) => id !== page.id));
      run.mutate(async () => {
        const { undo, deleted } = await api.deletePage(page.id);
        undoable(undo, words.removed(page.name, deleted));
      });
    },
    duplicate: ({ page }: PageRow) =>
      run.mutate(async () => {
        const copy = await api.duplicatePage(page.id);
        showUndo(words.duplicated(page.name), () => run.mutate(() => takeBack(copy.page.id)));
      }),
  };
}

/** Undoes that a page was made. */
export async function takeBack(id: number): Promise<void> {
  await api.deletePage(id);
  showDone(strings.undone);
}

/** As the tree shows it by now: what was done to the page just before has given it another. */
function versionOf({ id, version }: TreePageJson, parent: number): number {
  return childrenOf(parent).find((page) => page.id === id)?.version ?? version;
}

export type TreeActions = ReturnType<typeof useTreeActions>;

/** How many addresses a move changes. */
export async function countChangedAddresses(id: number, place: Place): Promise<number> {
  return (await api.previewMove(id, toPlace(place))).changedAddresses;
}

function toPlace({ parent, position, isLast }: Place) {
  return { parentId: parent, ...(!isLast && { position }) };
}

function moveInCache(page: TreePageJson, from: number, { parent, position }: Place): void {
  changeChildren(from, (pages) => pages.filter(({ id }) => id !== page.id));
  changeChildren(parent, (pages) => pages.toSpliced(position - 1, 0, page));
  if (from === parent) return;
  bumpChildCount(from, -1);
  bumpChildCount(parent, 1);
}

function bumpChildCount(id: number, by: number): void {
  const seek = (parent: number): boolean => {
    for (const page of childrenOf(parent)) {
      if (page.id === id) {
        changePage(parent, id, { childCount: page.childCount + by });
        return true;
      }
      if (seek(page.id)) return true;
    }
    return false;
  };
  seek(0);
}
