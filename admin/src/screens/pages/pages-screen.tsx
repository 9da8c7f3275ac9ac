import { ActionIcon, Button, Group, Kbd, Paper, Popover, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Keyboard, Plus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { ROOT, useChildren } from '../../data/tree-data.ts';
import { showError } from '../../explain.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { NEW_PAGE } from '../../parts/use-focus-on-new.ts';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { focusOn } from '../../parts/use-restored-focus.ts';
import { useIsKnown, useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSearch } from '../../use-search.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EmptyTree } from './empty-tree.tsx';
import { ImportPagesButton } from './import-pages-button.tsx';
import { MoveDialog, type PlannedMove } from './move-dialog.tsx';
import { type NewPage, NewPageDialog } from './new-page-dialog.tsx';
import { PageTree } from './page-tree.tsx';
import classes from './pages-screen.module.css';
import type { Renaming, TreeHandlers } from './rows.ts';
import { type Direction, type PageRow, type Place, type Row, rowsOf, stepFrom } from './rows.ts';
import { SearchResults } from './search-results.tsx';
import { ToDoList } from './to-do-list.tsx';
import { countChangedAddresses, treeActions } from './tree-actions.ts';
import { TreeToolbar } from './tree-toolbar.tsx';
import { useOpenPages } from './use-open-pages.ts';
import { useSelectedPage } from './use-selected-page.ts';

const words = strings.pages;

/** Shows the pages of the site, to find, create and arrange them. */
export function PagesScreen() {
  const [, navigate] = useLocation();
  const mayChange = useMay('administer_pages');
  const isKnown = useIsKnown();
  const [open, setOpen] = useOpenPages();
  const parents = useMemo(() => [ROOT, ...open], [open]);
  const { children, loadMore, error, retry } = useChildren(parents);
  const rows = useMemo(() => rowsOf(children, open), [children, open]);
  const [selected, select] = useSelectedPage();
  const [renaming, setRenaming] = useState<Renaming>();
  const [planned, setPlanned] = useState<PlannedMove>();
  const [removing, setRemoving] = useState<PageRow>();
  const [newPage, setNewPage] = useState<NewPage>();
  const { field, search, setSearch, wanted } = useSearch('/pages');

  const move = async (row: PageRow, place: Place) => {
    if (place.parent === row.parent) {
      if (place.position !== row.page.position) treeActions.move(row, place);
      return;
    }
    // A single changed address is reported afterwards, with an undo. Several need confirmation first.
    if (row.page.childCount === 0) return finishMove(row, place);
    const plan: PlannedMove = { row, place, count: undefined };
    setPlanned(plan);
    try {
      const count = await countChangedAddresses(row.page.id, place);
      setPlanned((now) => (now === plan ? { ...plan, count } : now));
    } catch (failure) {
      setPlanned((now) => (now === plan ? undefined : now));
      showError(failure);
    }
  };
  const finishMove = (row: PageRow, place: Place) => {
    setPlanned(undefined);
    treeActions.move(row, place);
    if (place.parent !== ROOT) setOpen(place.parent, true);
    select(row.page.id);
  };
  const addInside = (parent: NewPage['parent']) => setNewPage({ parent, name: '' });
  const addAtRoot = () => addInside({ id: ROOT, name: '' });
  const isHere = useIsMounted();
  const heading = useRef<HTMLHeadingElement>(null);
  const isBusy = useRef(false);
  isBusy.current = [newPage, renaming, planned, removing].some((one) => one !== undefined);
  const latest = useRef(selected);
  latest.current = selected;
  // False if the user has left the screen, or is busy with a dialog.
  const isWaiting = () => isHere.current && !isBusy.current;
  const create = (page: NewPage) => {
    const { parent, name } = page;
    flushSync(() => setNewPage(undefined));
    // The focus leaves the button: a second Enter would open the dialog again.
    if (heading.current) focusOn(heading.current);
    if (parent.id !== ROOT) setOpen(parent.id, true);
    treeActions.create(parent.id, name, {
      onCreated: (id) => isWaiting() && navigate(`/pages/${id}`, { state: NEW_PAGE }),
      // The page no longer exists, so its editor is closed.
      onUndo: (id) => location.pathname.split('/')[2] === String(id) && navigate('/pages'),
      onRefused: (error) => (isWaiting() ? setNewPage({ ...page, error }) : showError(error, words.notCreated(name))),
    });
  };
  const remove = (row: PageRow) => {
    const index = rows.findIndex((other) => other.kind === 'page' && other.page.id === row.page.id);
    const isPage = (other: Row): other is PageRow => other.kind === 'page';
    const above = rows.slice(0, index).findLast(isPage);
    // Rows of a deeper level are below the page, and are deleted with it.
    const next = rows.slice(index + 1).find((other): other is PageRow => isPage(other) && other.level <= row.level);
    select((above ?? next)?.page.id);
    treeActions.remove(row);
  };
  const removeAsked = (row: PageRow) => {
    flushSync(() => setRemoving(undefined));
    // Focuses the row, from which the deletion moves the focus to the page beside it.
    document.querySelector<HTMLElement>(`[role=treeitem][data-page="${row.page.id}"]`)?.focus();
    remove(row);
  };
  const handlers: TreeHandlers = {
    select,
    setOpen,
    startRename: (id) => setRenaming(id === undefined ? undefined : { id }),
    loadMore,
    step: (row: PageRow, direction: Direction) => {
      const place = stepFrom(rows, row, direction);
      if (place) void move(row, place);
    },
    drop: (row, place) => void move(row, place),
    rename: (row, name) => {
      const { id } = row.page;
      treeActions.rename(row, name, (error) => {
        showError(error, words.notRenamed(row.page.name));
        if (isWaiting() && latest.current === id) setRenaming({ id, name });
      });
    },
    edit: (row) => navigate(`/pages/${row.page.id}`),
    remove: (row) => (row.page.childCount === 0 ? remove(row) : setRemoving(row)),
  };
  const row = rows.find((other): other is PageRow => other.kind === 'page' && other.page.id === selected);
  const isEmpty = children.get(ROOT)?.total === 0;

  return (
    <div className={classes.screen}>
      <ScreenHead ref={heading} title={words.title}>
        {!isEmpty && (!isKnown || mayChange) && (
          <Group gap="sm" mih={36}>
            {mayChange && (
              <>
                <ImportPagesButton />
                <Button leftSection={<Plus size={18} aria-hidden />} onClick={addAtRoot}>
                  {words.add}
                </Button>
              </>
            )}
          </Group>
        )}
      </ScreenHead>
      {error && <ErrorNotice error={error} onRetry={retry} />}
      {isEmpty ? (
        <EmptyTree onCreate={mayChange ? addAtRoot : undefined} />
      ) : (
        <>
          <Group gap="xs" wrap="nowrap" mb="sm">
            <SearchField label={words.search} field={field} search={search} setSearch={setSearch} />
            {wanted === '' && <KeyboardHelp keys={mayChange ? words.keys : words.viewerKeys} />}
          </Group>
          {wanted !== '' ? (
            <SearchResults text={wanted} />
          ) : (
            <>
              <TreeToolbar
                row={row}
                rows={rows}
                mayChange={mayChange}
                handlers={handlers}
                onAddInside={({ page }) => addInside(page)}
              />
              <Paper p="xs">
                {/* Not before the permissions are known: until then, the tree would ignore keys. */}
                {isKnown && children.has(ROOT) ? (
                  <PageTree
                    rows={rows}
                    selected={selected}
                    renaming={renaming}
                    mayChange={mayChange}
                    handlers={handlers}
                  />
                ) : (
                  <Skeleton h={132} radius="md" opacity={0.4} />
                )}
              </Paper>
            </>
          )}
        </>
      )}
      <ToDoList />
      <MoveDialog planned={planned} onCancel={() => setPlanned(undefined)} onMove={finishMove} />
      <DeleteDialog row={removing} onCancel={() => setRemoving(undefined)} onDelete={removeAsked} />
      <NewPageDialog newPage={newPage} onClose={() => setNewPage(undefined)} onCreate={create} />
    </div>
  );
}

function KeyboardHelp({ keys }: { keys: typeof words.keys | typeof words.viewerKeys }) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <Popover width={300} position="bottom-end" opened={opened} onChange={close}>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={words.helpTitle}
          onClick={toggle}
          // The popover has nothing to focus, so the focus stays here.
          onKeyDown={({ key }) => key === 'Escape' && close()}
        >
          <Keyboard size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <dl className={classes.keys}>
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <Kbd size="xs">{key}</Kbd>
              </dt>
              <dd>
                <Text size="sm">{meaning}</Text>
              </dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
