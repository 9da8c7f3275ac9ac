import { Button, SegmentedControl, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useIsMutating } from '@tanstack/react-query';
import { FileX } from 'lucide-react';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '../../api.ts';
import { isOutdated } from '../../api-error.ts';
import type { AccountJson, BodyFormat, PageFieldsJson, PageJson } from '../../contract.ts';
import { valuesOf } from '../../data/changes.ts';
import { LocalCopies, type StoredCopy } from '../../data/local-copy.ts';
import { refreshPages, updateCachedPage } from '../../data/tree-data.ts';
import { showError } from '../../explain.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { NEW_PAGE } from '../../parts/use-focus-on-new.ts';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { useTitle } from '../../parts/use-title.ts';
import { queryClient } from '../../queries.ts';
import { runOptimistic } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useMay, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { BodyEditor } from './body-editor.tsx';
import { ConvertDialog } from './convert/convert-dialog.tsx';
import { Choice } from './drafts/choice.tsx';
import { DraftStatusText } from './drafts/draft-status.tsx';
import { openDraftStore } from './drafts/draft-stores.ts';
import { hiddenAbove, Notices, PinnedNotices } from './drafts/notices.tsx';
import { useDraftSaving } from './drafts/use-draft-saving.ts';
import { useOtherTabs } from './drafts/use-other-tabs.ts';
import classes from './editor.module.css';
import { EditorFrame } from './editor-frame.tsx';
import { EditorTools } from './editor-tools.tsx';
import { Conflict } from './history/conflict.tsx';
import { versionsOf } from './history/restore-version.ts';
import { NameField } from './name-field.tsx';
import { Preview } from './preview.tsx';
import { SettingsPanel } from './settings-panel.tsx';

const words = strings.editor;

/** The editor of one page: its name, text and settings are saved as a draft while the user writes, until they are published. */
export function PageEditor({ page }: { page: PageJson }) {
  const { account, user } = useSession();
  const mayEdit = useMay('edit_pages');
  const [store] = useState(() => openDraftStore(page, new LocalCopies(user.id, page.id), mayEdit));
  const state = useSyncExternalStore(store.subscribe, store.state);
  const { published, fields, changed } = state;
  const [conflict, setConflict] = useState<PageJson>();
  const [converting, setConverting] = useState<BodyFormat>();
  const [settingsOpen, setSettingsOpen] = useState(false);
  const isWide = useMediaQuery('(min-width: 75em)') ?? true;
  const [chosen, setView] = useState<'write' | 'both' | 'preview'>(mayEdit ? 'write' : 'preview');
  const view = chosen === 'both' && !isWide ? 'write' : chosen;
  useDraftSaving(store);
  const isInOtherTab = useOtherTabs(store, state, user.id);
  const [choice, setChoice] = useState<StoredCopy>();
  const isHere = useIsMounted();
  const text = useRef<HTMLDivElement>(null);
  const onType = useCallback((read: () => string) => store.typeBody(read), [store]);
  const [isNew] = useState(() => history.state === NEW_PAGE && page.body === '' && page.draft === null);
  useTitle(fields.name);

  const afterChange = (now: PageJson) => {
    updateCachedPage(now);
    void refreshPages();
  };
  // A key of its own: publishing must not wait for actions in the page tree.
  const about = [`publish-${page.id}`];
  const aboutUndoing = [...about, 'undo'];
  const isUndoing = useIsMutating({ mutationKey: aboutUndoing }) > 0;
  const isPublishing = useIsMutating({ mutationKey: about }) > 0;
  // The undo button of a restored version can appear on this screen and changes the text.
  const isRestoring = useIsMutating({ mutationKey: versionsOf(page.id) }) > 0;
  const underWay = isUndoing
    ? words.status.undoing
    : isPublishing
      ? words.status.publishing
      : isRestoring
        ? strings.revisions.restoring
        : undefined;
  const undoPublishing = (undo: number, before: Partial<PageFieldsJson>) =>
    runOptimistic({
      about: aboutUndoing,
      // Nothing to show early: the store restores the text, and the status changes, as soon as this action is sent.
      show: () => () => {},
      send: () => store.undoPublish(before, () => api.undo(undo)),
      onDone: (now) => {
        afterChange(now);
        showDone(strings.undone);
      },
    });
  const publish = (over?: PageJson) => {
    // Undoing a page's first publication only unpublishes it: the text stays as it is.
    const before = published.isPublished ? valuesOf(over ?? published, store.now().changed) : {};
    runOptimistic({
      about,
      // Nothing is published yet, so only the status changes. What the user types meanwhile becomes a new draft.
      show: () => {
        setConflict(undefined);
        return () => setConflict(over);
      },
      send: () => store.publish(over?.version),
      onError: (error) => {
        if (isOutdated(error) && isHere.current) setConflict(error.answer.current);
        // On another screen, the user would believe that the page is published.
        else showError(error, words.notPublished(page.name));
      },
      onDone: ({ undo, changedAddresses, home, page: now }) => {
        afterChange(now);
        if (undo === null) return;
        const isHidden = now.isHidden || hiddenAbove(now) !== undefined;
        showUndo(words.published(changedAddresses, isHidden) + strings.pages.home(home), () =>
          undoPublishing(undo, before),
        );
      },
    });
  };
  const isChanged = Object.keys(changed).length > 0;
  const isPublishable = mayEdit && (isChanged || !published.isPublished);
  const publishNow = () => {
    if (isPublishable && queryClient.isMutating({ mutationKey: about }) === 0) publish();
  };
  useHotkeys([['mod+Enter', ({ target }) => confirmDialog(target) || publishNow()]], [], true);
  const unpublish = () => {
    setSettingsOpen(false);
    runOptimisticWithUndo({
      about: [`unpublish-${page.id}`],
      show: () => {
        store.setPublished(false);
        return () => store.setPublished(true);
      },
      send: () => api.unpublish(page.id),
      onDone: (answer) => afterChange(answer.page),
      done: ({ undo, home }) =>
        undo === null ? undefined : words.unpublished(published.name) + strings.pages.home(home),
      sendBack: ({ undo }) => api.undo(undo!),
      onUndone: (answer) => afterChange(answer.page),
      later: ({ undo }) => ({ call: 'undo', id: undo! }),
    });
  };
  const discard = (to?: PageJson) => {
    const discarded = store.now().changed;
    setConflict(undefined);
    const discarding = store.discard(to);
    const after = store.state().fields;
    discarding.then(() => showUndo(words.discarded, () => store.revert(discarded, after)), showError);
  };
  const convert = (body: string, bodyFormat: BodyFormat) => {
    const { body: bodyBefore, bodyFormat: formatBefore } = store.now().fields;
    const before = { body: bodyBefore, bodyFormat: formatBefore };
    setConverting(undefined);
    setSettingsOpen(false);
    store.change({ body, bodyFormat });
    const after = store.state().fields;
    showUndo(words.convert.done, () => store.revert(before, after));
  };

  return (
    <EditorFrame
      ancestors={page.ancestors}
      name={<NameField name={fields.name} isReadOnly={!mayEdit} onChange={(name) => store.change({ name })} />}
      tools={
        <EditorTools
          pageId={page.id}
          address={addressOf(published, account)}
          onSettings={() => setSettingsOpen(true)}
        />
      }
      bar={
        <>
          {mayEdit && (
            <SegmentedControl
              size="sm"
              aria-label={words.view}
              value={view}
              onChange={(value) => setView(value as typeof chosen)}
              data={[
                { value: 'write', label: words.write },
                ...(isWide ? [{ value: 'both', label: words.both }] : []),
                { value: 'preview', label: words.preview },
              ]}
            />
          )}
          <DraftStatusText state={state} underWay={underWay} />
          <div className={classes.draftActions}>
            {isChanged && mayEdit && !underWay && (
              <IconButton
                label={words.discard}
                // The button disappears with the draft. A click leaves the focus where it is; the keyboard moves it to the
                // text.
                onMouseDown={(event) => event.preventDefault()}
                onClick={({ currentTarget }) => {
                  const isLeft = currentTarget === document.activeElement;
                  discard();
                  if (isLeft) text.current?.querySelector<HTMLElement>('[role=textbox]')?.focus();
                }}
              >
                <FileX size={18} aria-hidden />
              </IconButton>
            )}
            {mayEdit && (
              <Button onClick={publishNow} disabled={!isPublishable || underWay !== undefined}>
                {words.publish}
              </Button>
            )}
          </div>
        </>
      }
      pinned={<PinnedNotices page={page} state={state} isInOtherTab={isInOtherTab} onShowBoth={setChoice} />}
    >
      <Notices
        page={page}
        state={state}
        onShowBoth={setChoice}
        onDiscard={(copy) => showUndo(words.offered.refused, store.dismissOffered(copy))}
      />
      {!mayEdit && (
        <Text size="sm" c="dimmed" mb="sm">
          {words.viewOnly}
        </Text>
      )}
      <div className={classes.panes} data-view={view}>
        {/* Hidden, not unmounted: the editor's undo history and cursor would be lost. */}
        <div ref={text} hidden={view === 'preview'} className={classes.pane}>
          {mayEdit && <BodyEditor body={fields.body} format={fields.bodyFormat} isNew={isNew} onType={onType} />}
        </div>
        {view !== 'write' && (
          <div className={classes.pane}>
            <Preview pageId={page.id} fields={fields} />
          </div>
        )}
      </div>
      <SettingsPanel
        opened={settingsOpen}
        isCovered={converting !== undefined}
        isReadOnly={!mayEdit}
        onClose={() => setSettingsOpen(false)}
        page={published}
        fields={fields}
        onChange={(change) => store.change(change)}
        onUnpublish={unpublish}
        onConvert={(format) => {
          if (format === fields.bodyFormat) return;
          // An empty text needs no comparison.
          if (fields.body.trim() === '') convert('', format);
          else setConverting(format);
        }}
      />
      <ConvertDialog fields={fields} to={converting} onClose={() => setConverting(undefined)} onConvert={convert} />
      <Choice
        copy={choice}
        state={state}
        onClose={() => setChoice(undefined)}
        onTake={(copy) => {
          setChoice(undefined);
          showUndo(words.choice.taken, store.acceptOffered(copy));
        }}
        onKeep={(copy) => {
          setChoice(undefined);
          if (copy.isElsewhere) showUndo(words.choice.kept, store.setAsideOffered(copy));
        }}
      />
      <Conflict
        current={conflict}
        changed={changed}
        onClose={() => setConflict(undefined)}
        onTakeTheirs={discard}
        onMerge={(current) => {
          store.rebase(current);
          setConflict(undefined);
        }}
        onKeepMine={publish}
      />
    </EditorFrame>
  );
}

/** Returns the page's URL on the site, or undefined if it is not published. */
function addressOf({ isPublished, isHome, path }: PageJson, { address }: AccountJson): string | undefined {
  return isPublished ? address + (isHome ? '/' : path) : undefined;
}

/** Submits the open dialog that a key was pressed in. Returns false if there is none. */
function confirmDialog(target: EventTarget | null): boolean {
  const dialog = target instanceof Element ? target.closest('[role=dialog], dialog') : null;
  dialog?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
  return dialog !== null;
}
