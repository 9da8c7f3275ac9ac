import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { showUndo } from '../../parts/undo.tsx';
import { strings } from '../../strings.ts';
import { takeBack } from './tree-actions.ts';
import { refreshPages } from './tree-data.ts';

const words = strings.pages;

interface NewPageDialogProps {
  /** Id 0 is the root; undefined while there is nothing to ask. */
  readonly parent: { id: number; name: string } | undefined;
  readonly onClose: () => void;
}

/** Asks for nothing but a name, then opens the page. It starts hidden: visitors see no empty page. */
export function NewPageDialog({ parent, onClose }: NewPageDialogProps) {
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => api.createPage({ name, parentId: parent?.id ?? 0, isHidden: true }),
    onSuccess: (page) => {
      void refreshPages();
      navigate(`/pages/${page.id}`);
      showUndo(words.created(page.name), () => {
        // First away from it: what is gone cannot be edited. Whoever is quick has not left this dialog yet.
        onClose();
        navigate('/pages');
        return takeBack(page.id).finally(refreshPages);
      });
    },
  });
  const { reset } = create;
  useEffect(() => {
    if (!parent) return;
    setName('');
    reset();
  }, [parent, reset]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const wrong = fieldErrors(create.error);
  return (
    <Modal
      opened={parent !== undefined}
      onClose={onClose}
      title={parent?.name ? words.addInside(parent.name) : words.add}
      centered
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {create.error && Object.keys(wrong).length === 0 && (
            <Alert color="red" variant="light" role="alert">
              {explain(create.error)}
            </Alert>
          )}
          <TextInput
            label={words.nameLabel}
            description={words.nameHelp}
            required
            maxLength={255}
            data-autofocus
            error={wrong.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {strings.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
