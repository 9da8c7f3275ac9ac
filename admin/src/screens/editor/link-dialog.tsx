import { Button, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';

const words = strings.editor.linkDialog;

interface LinkDialogProps {
  readonly opened: boolean;
  readonly address?: string;
  readonly onClose: () => void;
  /** The label is for where nothing is selected. */
  readonly onLink: (address: string, label: string) => void;
  readonly onRemove?: () => void;
}

/** Asks for an address, or finds one of the site's own pages by its name. */
export function LinkDialog({ opened, address = '', onClose, onLink, onRemove }: LinkDialogProps) {
  const [text, setText] = useState(address);
  const [wanted] = useDebouncedValue(text.trim(), 150);
  useEffect(() => {
    if (opened) setText(address);
  }, [opened, address]);
  const isSearch = wanted !== '' && !looksLikeAddress(wanted);
  const found = useQuery({
    queryKey: ['pages', 'search', wanted],
    queryFn: ({ signal }) => api.searchPages(wanted, signal),
    enabled: opened && isSearch,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog is rendered inside the editor's screen: this form alone is meant.
    event.stopPropagation();
    const typed = text.trim();
    const first = found.data?.pages[0];
    if (looksLikeAddress(typed)) onLink(completed(typed), typed);
    else if (first) onLink(first.path, first.name);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.title}
      centered
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.address}
            description={words.help}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {isSearch && (
            <div className={classes.found}>
              {found.data?.pages.length === 0 && <Text size="sm">{words.nothing}</Text>}
              {found.data?.pages.slice(0, 8).map(({ id, name, path }) => (
                <UnstyledButton key={id} className={classes.foundPage} onClick={() => onLink(path, name)}>
                  <Text size="sm" fw={500}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" truncate>
                    {path}
                  </Text>
                </UnstyledButton>
              ))}
            </div>
          )}
          <Group justify="flex-end">
            {onRemove && address !== '' && (
              <Button variant="subtle" mr="auto" onClick={onRemove}>
                {words.remove}
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              {strings.cancel}
            </Button>
            <Button type="submit" disabled={text.trim() === ''}>
              {words.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function looksLikeAddress(text: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(text) ||
    /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(text) ||
    /^\S+@\S+\.\S+$/.test(text)
  );
}

function completed(address: string): string {
  if (/^\S+@\S+\.\S+$/.test(address) && !address.includes(':') && !address.startsWith('/')) return `mailto:${address}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(address) ? `https://${address}` : address;
}
