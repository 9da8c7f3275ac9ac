import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { PAGES } from '../../data/tree-data.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { strings } from '../../strings.ts';
import type { PageRow } from './rows.ts';

const words = strings.pages;

interface DeleteDialogProps {
  /** The page to delete; undefined while the dialog is closed. */
  readonly row: PageRow | undefined;
  readonly onCancel: () => void;
  readonly onDelete: (row: PageRow) => void;
}

/** Shows how many pages are deleted with a page, and asks for confirmation. A page without children needs none. */
export function DeleteDialog({ row, onCancel, onDelete }: DeleteDialogProps) {
  return (
    <Dialog opened={row !== undefined} onClose={onCancel} title={words.removeTitle} centered>
      {row && <Question row={row} onCancel={onCancel} onDelete={onDelete} />}
    </Dialog>
  );
}

function Question({ row, onCancel, onDelete }: DeleteDialogProps & { row: PageRow }) {
  const { id, name } = row.page;
  const count = useQuery({
    queryKey: [...PAGES, 'subtree', id],
    queryFn: () => api.subtree(id),
    staleTime: 0,
    gcTime: 0,
  });
  const pages = count.data?.pages;
  return (
    <>
      <Text aria-live="polite">{pages === undefined ? words.removeCounting(name) : words.removeText(name, pages)}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {strings.cancel}
        </Button>
        {/* Enabled before the number is known: the page can be restored. */}
        <Button data-autofocus onClick={() => onDelete(row)}>
          {words.removeConfirm(pages)}
        </Button>
      </Group>
    </>
  );
}
