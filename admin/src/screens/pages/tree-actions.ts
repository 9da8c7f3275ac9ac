import { api } from '../../api.ts';
import type { PageChangeJson, PageJson, TreePageJson, UndoneJson } from '../../contract.ts';
import type { UndoCall } from '../../data/latest-changes.ts';
import { refreshTrash } from '../../data/trash.ts';
import {
  areAllLoaded,
  changeChildren,
  changePage,
  childrenOf,
  PAGES,
  type ParentId,
  ROOT,
  recordNoChildren,
} from '../../data/tree-data.ts';
import { showError } from '../../explain.ts';
import { temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';

const words = strings.pages;

/** The screen's callbacks for a page that is being created. */
interface Creation {
  readonly onCreated: (id: number) => void;
  readonly onUndo: (id: number) => void;
  readonly onRefused: (error: unknown) => void;
}

/** The actions on pages of the tree. Each shows its result at once, and offers to undo it. */
export const treeActions = {
  create: (parent: ParentId, name: string, { onCreated, onUndo, onRefused }: Creation) =>
    make(parent, { ...emptyPage, id: temporaryId(), parentId: parent, name }, (page) => putLast(page, parent), {
      send: () => api.createPage({ name, parentId: parent }),
      onError: onRefused,
      onCreated,
      onUndo: ({ id }) => onUndo(id),
      done: (page) => words.created(page.name),
    }),

  duplicate: ({ page, parent }: PageRow) => {
    const copy = { ...page, id: temporaryId(), isPublished: false, hasDraft: false, childCount: 0 };
    make(parent, copy, (coming) => putIn(coming, parent, page.position + 1), {
      send: async () => (await api.duplicatePage(page.id)).page,
      done: () => words.duplicated(page.name),
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

  move: ({ page, parent }: PageRow, place: Place) =>
    runOptimisticWithUndo({
      about: PAGES,
      show: () => {
        transfer(page, parent, place);
        return () => transfer(page, place.parent, { parent, position: page.position });
      },
      send: () => api.movePage(page.id, toPlace(place)),
      onDone: (answer) => noteVersion(answer, place.parent),
      done: (answer) => offer(answer, words.moved(page.name, answer.changedAddresses)),
      ...undoing,
    }),

  remove: ({ page, parent }: PageRow) => {
    const place: RemovedPlace = { parent, position: page.position };
    runOptimisticWithUndo({
      about: PAGES,
      show: () => {
        removed.push(place);
        takeOut(page.id, parent);
        return () => putIn(page, parent, positionBack(place));
      },
      send: () => api.deletePage(page.id),
      onDone: () => void refreshTrash(),
      done: (answer) => offer(answer, words.removed(page.name, answer.deleted)),
      ...undoing,
      onUndone: (answer) => {
        undoing.onUndone(answer);
        void refreshTrash();
      },
    });
  },
};

/** The place of a page that was deleted in this tab. */
interface RemovedPlace {
  readonly parent: ParentId;
  position: number;
}

/** The places of deleted pages that were not restored, in the order of deletion. */
const removed: RemovedPlace[] = [];

/**
 * Returns the position at which a page is restored. Siblings that were deleted after it do not count: they find their place
 * around it when they are restored. Mirrors restore-deleted-pages.ts of the service, whose response would arrive too late.
 */
function positionBack(place: RemovedPlace): number {
  const [, ...since] = removed.splice(removed.indexOf(place));
  removed.push(...since);
  for (const other of since.filter(({ parent }) => parent === place.parent)) {
    if (other.position < place.position) place.position -= 1;
    else other.position += 1;
  }
  return place.position;
}

/** The fields of a new page. It is not published: visitors should not see an empty page. */
const emptyPage = {
  urlname: '',
  position: 0,
  isHidden: false,
  isPublished: false,
  childCount: 0,
  hasDraft: false,
  version: 0,
};

interface MakeOptions {
  readonly send: () => Promise<PageJson>;
  readonly done: (page: PageJson) => string;
  readonly onCreated?: (id: number) => void;
  readonly onUndo?: (page: PageJson) => void;
  readonly onError?: (error: unknown) => void;
}

/** Creates a page, which `put` shows in the tree. */
function make(
  parent: ParentId,
  coming: TreePageJson,
  put: (page: TreePageJson) => void,
  { onCreated, ...options }: MakeOptions,
): void {
  let page = coming;
  runOptimisticWithUndo({
    ...options,
    about: PAGES,
    show: () => {
      put(page);
      return () => takeOut(page.id, parent);
    },
    onDone: ({ id, name, urlname, version }) => {
      changePage(parent, page.id, { id, name, urlname, version });
      page = { ...page, id, name, urlname, version };
      onCreated?.(id);
    },
    sendBack: ({ id }) => api.deletePage(id),
    later: ({ id }) => ({ call: 'deletePage', id }),
  });
}

type Change = Partial<Pick<TreePageJson, 'name' | 'isHidden'>>;

function change({ page, parent }: PageRow, fields: Change, message: string, onError = showError): void {
  const { name, isHidden } = page;
  runOptimisticWithUndo({
    about: PAGES,
    show: () => {
      changePage(parent, page.id, fields);
      return () => changePage(parent, page.id, { name, isHidden });
    },
    send: () => api.updatePage(page.id, fields, versionOf(page)),
    onError,
    onDone: (answer) => noteVersion(answer, parent),
    done: (answer) => offer(answer, message),
    ...undoing,
  });
}

type Answer = Pick<PageChangeJson, 'undo' | 'home'>;

/** Returns the message with the undo, which also names a new home page. Undefined if there is nothing to undo. */
function offer({ undo, home }: Answer, message: string): string | undefined {
  return undo === null ? undefined : message + words.home(home);
}

const undoing = {
  sendBack: ({ undo }: Answer) => api.undo(undo!),
  later: ({ undo }: Answer): UndoCall => ({ call: 'undo', id: undo! }),
  onUndone: ({ page: { id, version } }: UndoneJson) => latestVersions.set(id, version),
};

function noteVersion({ page: { id, version } }: PageChangeJson, parent: ParentId): void {
  latestVersions.set(id, version);
  changePage(parent, id, { version });
}

/** The latest known versions of pages that were changed in this tab. */
const latestVersions = new Map<number, number>();

/** Returns the version on which a change is based: the shown one, or that of an earlier change in this tab. */
function versionOf({ id, version }: TreePageJson): number {
  return Math.max(version, latestVersions.get(id) ?? 0);
}

/** Returns how many addresses a move would change. */
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

/** Shows the page last. If not all of its siblings are loaded, it shows when they are. */
function putLast(page: TreePageJson, parent: number): void {
  noteWhereNone(parent);
  if (areAllLoaded(parent)) changeChildren(parent, (pages) => [...pages, page]);
  bumpChildCount(parent, 1);
}

/** Marks the children of a childless page as loaded, so that a first child shows at once. */
function noteWhereNone(parent: number): void {
  if (find(parent)?.page.childCount === 0) recordNoChildren(parent);
}

function bumpChildCount(id: number, by: number): void {
  const found = find(id);
  if (found) changePage(found.parent, id, { childCount: found.page.childCount + by });
}

/** Finds a page in the loaded part of the tree, with its parent. */
function find(id: number, parent = ROOT): { page: TreePageJson; parent: ParentId } | undefined {
  for (const page of childrenOf(parent)) {
    const found = page.id === id ? { page, parent } : find(id, page.id);
    if (found) return found;
  }
  return undefined;
}
