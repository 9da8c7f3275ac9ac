import { api } from '../../api.ts';
import type { TreePageJson } from '../../contract.ts';
import {
  areAllKnown,
  changeChildren,
  changePage,
  childrenOf,
  noteNoChildren,
  PAGES,
  type ParentId,
  ROOT,
} from '../../data/tree-data.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';

const words = strings.pages;

/** What comes of making a page, for whoever asked for it. */
interface Creation {
  readonly onCreated: (id: number) => void;
  readonly onUndo: (id: number) => void;
  readonly onRefused: (error: unknown) => void;
}

/** Everything one can do to a page of the tree. Each shows its result at once, and offers to undo it. */
export const treeActions = {
  create: (parent: ParentId, name: string, { onCreated, onUndo, onRefused }: Creation) => {
    const coming = { ...empty, id: temporaryId(), parentId: parent, name };
    runOptimistic({
      about: PAGES,
      show: () => {
        putLast(coming, parent);
        return () => takeOut(coming.id, parent);
      },
      send: () => api.createPage({ name, parentId: parent, isHidden: true }),
      onError: onRefused,
      onDone: ({ id, name, urlname, version }) => {
        changePage(parent, coming.id, { id, name, urlname, version });
        onCreated(id);
        showUndo(words.created(name), () => {
          onUndo(id);
          runOptimistic({
            about: PAGES,
            show: () => {
              takeOut(id, parent);
              return () => putLast({ ...coming, id, name, urlname, version }, parent);
            },
            send: () => takeBack(id),
          });
        });
      },
    });
  },

  rename: (row: PageRow, name: string, onRefused: (error: unknown) => void) =>
    change(row, { name }, words.renamed(name), onRefused),
  setHidden: (row: PageRow, isHidden: boolean) =>
    change(
      row,
      { isHidden },
      isHidden ? words.hid(row.page.name, row.page.childCount > 0) : words.shown(row.page.name, row.isBelowHidden),
    ),

  move: ({ page, parent }: PageRow, place: Place) => {
    const there = () => transfer(page, parent, place);
    const back = () => transfer(page, place.parent, { parent, position: page.position });
    runOptimistic({
      about: PAGES,
      show: () => {
        there();
        return back;
      },
      send: () => api.movePage(page.id, toPlace(place)),
      onDone: ({ undo, changedAddresses, home, page: { version } }) => {
        told.set(page.id, version);
        changePage(place.parent, page.id, { version });
        undoable(undo, words.moved(page.name, changedAddresses) + words.home(home), () => {
          back();
          return there;
        });
      },
    });
  },

  remove: ({ page, parent }: PageRow) => {
    const place: Gone = { parent, position: page.position };
    const away = () => {
      gone.push(place);
      takeOut(page.id, parent);
    };
    const back = () => putIn(page, parent, positionBack(place));
    runOptimistic({
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
    const coming = { ...page, id: temporaryId(), isHidden: true, hasDraft: false, childCount: 0 };
    runOptimistic({
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
          runOptimistic({
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

/** Where something stood that was deleted here. */
interface Gone {
  readonly parent: ParentId;
  position: number;
}

/** What is not back, in the order in which it went. */
const gone: Gone[] = [];

/** As the service has it, see restore-deleted-pages.ts: without the siblings that went after it. What of them stood behind it will again. */
function positionBack(place: Gone): number {
  const index = gone.indexOf(place);
  const later = gone.slice(index + 1).filter(({ parent }) => parent === place.parent);
  gone.splice(index, 1);
  for (const other of later) {
    if (other.position < place.position) place.position -= 1;
    else other.position += 1;
  }
  return place.position;
}

/** Of a page that is made: hidden, since visitors should see no empty one. */
const empty = { urlname: '', position: 0, isHidden: true, childCount: 0, hasDraft: false, version: 0 };

/** Undoes that a page was made. */
async function takeBack(id: number): Promise<void> {
  await api.deletePage(id);
  showDone(strings.undone);
}

type Change = Partial<Pick<TreePageJson, 'name' | 'isHidden'>>;

function change({ page, parent }: PageRow, fields: Change, message: string, onError = showError): void {
  const { name, isHidden } = page;
  const there = () => changePage(parent, page.id, fields);
  const back = () => changePage(parent, page.id, { name, isHidden });
  runOptimistic({
    about: PAGES,
    show: () => {
      there();
      return back;
    },
    send: () => api.updatePage(page.id, fields, versionOf(page)),
    onError,
    onDone: ({ undo, home, page: { version } }) => {
      told.set(page.id, version);
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
    runOptimistic({
      about: PAGES,
      show,
      send: () => api.undo(undo),
      onDone: ({ page: { id, version } }) => {
        told.set(id, version);
        showDone(strings.undone);
      },
    }),
  );
}

/** Of pages that something was done to here, wherever the tree has them by now, or has them no more. */
const told = new Map<number, number>();

/** As it was shown, or as it is by what was done to it here since: that is no change of somebody else's. */
function versionOf({ id, version }: TreePageJson): number {
  return Math.max(version, told.get(id) ?? 0);
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
  noteWhereNone(parent);
  changeChildren(parent, (pages) => pages.toSpliced(position - 1, 0, page));
  bumpChildCount(parent, 1);
}

/** Behind all there are: where those are not all known yet, it comes with them. */
function putLast(page: TreePageJson, parent: number): void {
  noteWhereNone(parent);
  if (areAllKnown(parent)) changeChildren(parent, (pages) => [...pages, page]);
  bumpChildCount(parent, 1);
}

/** Where there is nothing to be loaded, what comes there shows at once. */
function noteWhereNone(parent: number): void {
  if (find(parent)?.page.childCount === 0) noteNoChildren(parent);
}

function bumpChildCount(id: number, by: number): void {
  const found = find(id);
  if (found) changePage(found.parent, id, { childCount: found.page.childCount + by });
}

/** A page as far as the tree has it, and below which other one. */
function find(id: number, parent = ROOT): { page: TreePageJson; parent: ParentId } | undefined {
  for (const page of childrenOf(parent)) {
    const found = page.id === id ? { page, parent } : find(id, page.id);
    if (found) return found;
  }
  return undefined;
}
