import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { strings } from '../../strings.ts';

const words = strings.editor.imageDialog;

interface ImageDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onImage: (image: { address: string; alt: string }) => void;
}

/** Asks where an image is and what it shows. */
export function ImageDialog({ opened, onClose, onImage }: ImageDialogProps) {
  const [address, setAddress] = useState('');
  const [alt, setAlt] = useState('');
  useEffect(() => {
    if (!opened) return;
    setAddress('');
    setAlt('');
  }, [opened]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onImage({ address: address.trim(), alt: alt.trim() });
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
            placeholder="https://"
            required
            data-autofocus
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <TextInput
            label={words.alt}
            description={words.altHelp}
            value={alt}
            onChange={(event) => setAlt(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {strings.cancel}
            </Button>
            <Button type="submit">{words.submit}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
