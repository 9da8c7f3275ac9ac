import { ActionIcon, Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, History, Settings2 } from 'lucide-react';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import { filledLater } from '../../before-app/filled-later.ts';
import { ErrorScreen } from '../../parts/error-notice.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { useIsKnown } from '../../session.ts';
import { strings } from '../../strings.ts';
import { savePendingDraft } from './drafts/draft-stores.ts';
import classes from './editor.module.css';
import { EditorFrame } from './editor-frame.tsx';
import { NameField } from './name-field.tsx';
import { PageEditor } from './page-editor.tsx';
import { TextPlaceholder } from './text-placeholder.tsx';

const words = strings.editor;

/** Loads the page once: later data from the service must not replace what the user is writing. */
export default function EditorScreen({ id }: { id: number }) {
  const isKnown = useIsKnown();
  const page = useQuery({
    queryKey: ['page', id],
    queryFn: () => savePendingDraft(id).then(() => api.page(id)),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // Reloads only a page that has never loaded, not one that is being edited.
    refetchOnReconnect: ({ state }) => state.data === undefined,
  });
  if (isKnown && page.data && (page.isFetchedAfterMount || !page.isFetching)) {
    return <PageEditor key={page.data.version} page={page.data} />;
  }
  if (page.error instanceof ApiError && page.error.status === 404) return <NotFound />;
  if (page.error) return <ErrorScreen error={page.error} onRetry={page.refetch} />;
  return <Outline />;
}

/** The editor's outline while the page loads: the controls that every page has, in their places. */
function Outline() {
  const tools = (
    <>
      <ActionIcon aria-label={words.history} disabled>
        <History size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={words.onSite} disabled>
        <ExternalLink size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" leftSection={<Settings2 size={16} aria-hidden />} disabled>
        {words.settings.button}
      </Button>
    </>
  );
  const bar = (
    <>
      <SegmentedControl size="sm" aria-label={words.view} data={[words.write, words.preview]} disabled />
      {/* Invisible: reserves the space of the usual status. */}
      <Text className={classes.status} style={{ visibility: 'hidden' }}>
        {words.status.clean}
      </Text>
      <div className={classes.draftActions}>
        <Button disabled>{words.publish}</Button>
      </div>
    </>
  );
  return (
    <EditorFrame
      ancestors={[]}
      name={<NameField name={undefined} isReadOnly onChange={() => {}} />}
      tools={tools}
      bar={bar}
    >
      <Text
        size="sm"
        c="dimmed"
        mb="sm"
        className={classes.note}
        data-note={words.hiddenNote}
        data-note-above={words.hiddenAboveNote('…')}
        data-note-unpublished={words.unpublishedNote}
        {...filledLater}
      />
      <div className={classes.bodyEditor}>
        <TextPlaceholder>
          <div className={`${classes.visual} ${classes.waiting}`}>
            {[88, 96, 72].map((width) => (
              <Skeleton key={width} h={14} w={`${width}%`} mb="md" />
            ))}
          </div>
        </TextPlaceholder>
      </div>
    </EditorFrame>
  );
}
