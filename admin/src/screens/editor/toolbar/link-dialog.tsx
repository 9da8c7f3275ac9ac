import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { showError } from '../../../explain.ts';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { useIsMounted } from '../../../parts/use-is-mounted.ts';
import { queryClient } from '../../../queries.ts';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';

const words = strings.editor.linkDialog;

interface LinkFormProps {
  /** The address of the link to change; undefined for a new link. */
  readonly address?: string;
  readonly onClose: () => void;
  /** The label is inserted if no text is selected. */
  readonly onLink: (address: string, label: string) => void;
  readonly onRemove?: () => void;
}

/** Asks for an address, or finds one of the site's own pages by name. */
export function LinkDialog({ opened, ...form }: LinkFormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={words.title} centered>
      <LinkForm {...form} />
    </Dialog>
  );
}

function LinkForm({ address = '', onClose, onLink, onRemove }: LinkFormProps) {
  const [text, setText] = useState(address);
  const [wanted] = useDebouncedValue(text.trim(), 150);
  const isSearch = wanted !== '' && !looksLikeAddress(wanted);
  const found = useQuery({ ...search(wanted), enabled: isSearch });
  const isHere = useIsMounted();
  const latest = useRef(text);
  latest.current = text;
  const submit = async () => {
    const typed = text.trim();
    if (looksLikeAddress(typed)) return onLink(withScheme(typed), typed);
    // The list on the screen may still belong to an earlier text.
    const answer = await queryClient.fetchQuery(search(typed)).catch(showError);
    const first = answer?.pages[0];
    // Ignores the answer if the user has typed on or closed the dialog.
    if (first && isHere.current && latest.current === text) onLink(first.path, first.name);
  };
  return (
    <DialogForm
      submit={words.submit}
      isIncomplete={text.trim() === ''}
      onSubmit={() => void submit()}
      onClose={onClose}
      remove={onRemove && address !== '' && [words.remove, onRemove]}
    >
      <TextInput
        label={words.address}
        description={words.help}
        data-autofocus
        value={text}
        // Typing replaces the old address.
        onFocus={(event) => event.currentTarget.select()}
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
    </DialogForm>
  );
}

/** Finds pages by name. Results are cached for five seconds. */
function search(name: string) {
  return queryOptions({
    queryKey: ['pages', 'search', name],
    queryFn: ({ signal }) => api.searchPages(name, signal),
    staleTime: 5000,
  });
}

function looksLikeAddress(text: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(text) || /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(text) || looksLikeMail(text)
  );
}

/** True for text, an at sign, and a name with a dot in it, without white space. */
function looksLikeMail(text: string): boolean {
  const at = text.indexOf('@', 1);
  const dot = text.lastIndexOf('.', text.length - 2);
  return at !== -1 && dot > at + 1 && !/\s/.test(text);
}

/** Adds the scheme that users leave out, https: or mailto:. */
export function withScheme(address: string): string {
  if (looksLikeMail(address) && !address.includes(':') && !address.startsWith('/')) return `mailto:${address}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(address) ? `https://${address}` : address;
}
