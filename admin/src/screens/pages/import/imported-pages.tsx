import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../../api.ts';
import { ApiError } from '../../../api-error.ts';
import type { PageImportJson } from '../../../contract.ts';
import { refreshPages } from '../../../data/tree-data.ts';
import { ErrorAlert } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { Notes } from './notes.tsx';
import { words } from './words.ts';

/** Shows what an import has created, and offers to undo it. */
export function ImportedPages({ imported: { pageCount, roots, site } }: { imported: PageImportJson }) {
  const undo = useMutation({
    mutationFn: async () => {
      // Deleting a page deletes the pages below it.
      for (const id of roots) {
        await api.deletePage(id).catch((error: unknown) => {
          // Another user has deleted this page already.
          if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
        });
      }
    },
    onSettled: refreshPages,
  });
  return (
    <Stack gap="lg" mt="lg">
      <Section title={undo.isSuccess ? words.undoneTitle : words.done(pageCount)}>
        <div role="status">
          {undo.isSuccess && <Text>{words.undone}</Text>}
          {undo.isPending && <Text>{words.undoing}</Text>}
          {undo.isIdle && site && (
            <>
              {site.unpublishedCount > 0 && <Text>{words.unpublished(site.unpublishedCount)}</Text>}
              {site.redirectCount > 0 && <Text>{words.redirects(site.redirectCount)}</Text>}
              {site.imagesCopied > 0 && <Text>{words.copied(site.imagesCopied)}</Text>}
              {site.imagesLeft > 0 && <Text>{words.left(site.imagesLeft)}</Text>}
            </>
          )}
        </div>
        <ErrorAlert error={undo.error} mt="md" />
        <Group mt="md">
          <Button component={Link} href="/pages">
            {words.toPages}
          </Button>
          {!undo.isSuccess && (
            <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
              {words.undo}
            </Button>
          )}
        </Group>
      </Section>
      {site && !undo.isSuccess && <Notes title={words.notesDone} notes={site.notes} count={site.noteCount} />}
    </Stack>
  );
}
