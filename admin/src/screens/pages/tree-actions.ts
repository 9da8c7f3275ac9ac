import { act } from '../../act.ts';
import { api } from '../../api.ts';
import type { TreePageJson } from '../../contract.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';
import { changeChildren, changePage, childrenOf, nextComing, PAGES, ROOT } from './tree-data.ts';

const words = strings.pages;

/** Everything one can do to a page of the tree. Each shows its result at once, and offers to undo it. */
export const treeActions = {
  rename: (row: PageRow, name: string) => change(row, { name }, words.renamed(name)),
  setHidden: (row: PageRow, isHidden: boolean) =>
    change(
      row,
      { isHidden },
      isHidden ? words.hid(row.page.name, row.page.childCount > 0) : words.shown(row.page.name, row.isBelowHidden),
    ),

  move: ({ page, parent }: PageRow, place: Place) => {
    const there = () => transfer(page, parent, place);
    const back = () => transfer(page, place.parent, { parent, position: page.position });
    act({
      about: PAGES,
      show: () => {
        there();
        return back;
      },
      send: () => api.movePage(page.id, toPlace(place)),
      onDone: ({ undo, changedAddresses, home, page: { version } }) => {
        changePage(place.parent, page.id, { version });
        undoable(undo, words.moved(page.name, changedAddresses) + words.home(home), () => {
          back();
          return there;
        });
      },
    });
  },

  remove: ({ page, parent }: PageRow) => {
    const away = () => takeOut(page.id, parent);
    const back = () => putIn(page, parent, page.position);
    act({
      about: PAGES,
      show: () => {
        away();
        return back;
      },
      send: () => api.deletePage(page.id),
      onDone: ({ undo, deleted, home }) =>
        undoable(undo, words.removed(page.name, deleted) + words.home(home), () => {
          back();
          return away;
        }),
    });
  },

  duplicate: ({ page, parent }: PageRow) => {
    const coming = { ...page, id: nextComing(), isHidden: true, hasDraft: false, childCount: 0 };
    act({
      about: PAGES,
      show: () => {
        putIn(coming, parent, page.position + 1);
        return () => takeOut(coming.id, parent);
      },
      send: () => api.duplicatePage(page.id),
      onDone: ({ page: { id, name, urlname, version } }) => {
        changePage(parent, coming.id, { id, name, urlname, version });
        const copy = { ...coming, id, name, urlname, version };
        showUndo(words.duplicated(page.name), () =>
          act({
            about: PAGES,
            show: () => {
              takeOut(id, parent);
              return () => putIn(copy, parent, page.position + 1);
            },
            send: () => takeBack(id),
          }),
        );
      },
    });
  },
};

/** Undoes that a page was made. */
export async function takeBack(id: number): Promise<void> {
  await api.deletePage(id);
  showDone(strings.undone);
}

type Change = Partial<Pick<TreePageJson, 'name' | 'isHidden'>>;

function change({ page, parent }: PageRow, fields: Change, message: string): void {
  const { name, isHidden } = page;
  const there = () => changePage(parent, page.id, fields);
  const back = () => changePage(parent, page.id, { name, isHidden });
  act({
    about: PAGES,
    show: () => {
      there();
      return back;
    },
    send: () => api.updatePage(page.id, fields, versionOf(page, parent)),
    onDone: ({ undo, home, page: { version } }) => {
      changePage(parent, page.id, { version });
      undoable(undo, message + words.home(home), () => {
        back();
        return there;
      });
    },
  });
}

function undoable(undo: number | null, message: string, show: () => () => void): void {
  if (undo === null) return;
  showUndo(message, () =>
    act({ about: PAGES, show, send: () => api.undo(undo), onDone: () => showDone(strings.undone) }),
  );
}

/** As the tree shows it by now: what was done to the page just before has given it another. */
function versionOf({ id, version }: TreePageJson, parent: number): number {
  return childrenOf(parent).find((page) => page.id === id)?.version ?? version;
}

/** How many addresses a move changes. */
export async function countChangedAddresses(id: number, place: Place): Promise<number> {
  return (await api.previewMove(id, toPlace(place))).changedAddresses;
}

function toPlace({ parent, position, isLast }: Place) {
  return { parentId: parent, ...(!isLast && { position }) };
}

function transfer(page: TreePageJson, from: number, { parent, position }: Pick<Place, 'parent' | 'position'>): void {
  const now = childrenOf(from).find(({ id }) => id === page.id) ?? page;
  takeOut(page.id, from);
  putIn(now, parent, position);
}

function takeOut(id: number, parent: number): void {
  changeChildren(parent, (pages) => pages.filter((page) => page.id !== id));
  bumpChildCount(parent, -1);
}

function putIn(page: TreePageJson, parent: number, position: number): void {
  changeChildren(parent, (pages) => pages.toSpliced(position - 1, 0, page));
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
  if (id !== ROOT) seek(ROOT);
}
