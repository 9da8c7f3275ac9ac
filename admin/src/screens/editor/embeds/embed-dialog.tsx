import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { strings } from '../../../strings.ts';
import { attributesOf, type EmbedAttributes, readEmbed } from './embed-code.ts';

const words = strings.editor.embedDialog;

interface EmbedFormProps {
  /** The embed to change or delete, or undefined for a new one. */
  readonly given?: { readonly src: string; readonly title: string };
  readonly onClose: () => void;
  readonly onEmbed: (attributes: EmbedAttributes) => void;
  /** Called instead of onEmbed if only the title of the existing embed changed. */
  readonly onTitle?: (title: string) => void;
  readonly onRemove?: () => void;
}

/** Asks for the address or code of a video or map, and for its title. */
export function EmbedDialog({ opened, ...form }: EmbedFormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={words.title} centered>
      <EmbedForm {...form} />
    </Dialog>
  );
}

function EmbedForm({ given, onClose, onEmbed, onTitle, onRemove }: EmbedFormProps) {
  const [address, setAddress] = useState(given?.src ?? '');
  const [typed, setTyped] = useState(given?.title || undefined);
  const [wrong, setWrong] = useState<'address' | 'title'>();
  const fields = { address: useRef<HTMLInputElement>(null), title: useRef<HTMLInputElement>(null) };
  const embed = readEmbed(address);
  // The provider's title is the default until the user types one.
  const title = typed ?? embed?.title ?? '';
  const submit = () => {
    const name = title.trim();
    if (!embed || name === '') {
      const field = embed ? 'title' : 'address';
      setWrong(field);
      fields[field].current?.focus();
    } else if (given?.src === address) onTitle?.(name);
    else onEmbed(attributesOf(embed, name));
  };
  return (
    <DialogForm
      noValidate
      submit={given ? strings.save : words.submit}
      onSubmit={submit}
      onClose={onClose}
      remove={given && onRemove && [words.remove, onRemove]}
    >
      <TextInput
        ref={fields.address}
        label={words.address}
        description={words.help}
        error={wrong === 'address' && words.cannot}
        required
        data-autofocus
        value={address}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setWrong(undefined);
        }}
      />
      <TextInput
        ref={fields.title}
        label={words.name}
        description={words.nameHelp}
        error={wrong === 'title' && words.nameMissing}
        required
        maxLength={200}
        value={title}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
