import { Button, Checkbox, Group, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { Form, fieldProps, useFields } from '../../../parts/form.tsx';
import { strings } from '../../../strings.ts';
import { useAlt } from '../../../use-alt.ts';
import { MediaLibrary } from './media-library.tsx';
import { describe } from './use-descriptions.tsx';

const words = strings.editor.imageDialog;

interface ImageDialogProps {
  readonly opened: boolean;
  /** The label of the button that submits the dialog. */
  readonly submit?: string;
  readonly onClose: () => void;
  /** The size is told of own images alone. `alt` is null where nothing was said. */
  readonly onImage: (image: { src: string; alt: string | null; width?: number; height?: number }) => void;
  /** Images that are to be uploaded to where the cursor is. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** An image of one's own, uploaded now or before, or one from elsewhere; and what it shows. */
export function ImageDialog({ opened, submit = words.submit, onClose, onImage, onFiles }: ImageDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.title} size="lg" centered>
      <Tabs defaultValue="own" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="own">{words.own}</Tabs.Tab>
          <Tabs.Tab value="web">{words.web}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="own">
          <OwnImage submit={submit} onImage={onImage} onFiles={onFiles} />
        </Tabs.Panel>
        <Tabs.Panel value="web">
          <WebImage submit={submit} onImage={onImage} onClose={onClose} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

function OwnImage({ submit: submitLabel, onImage, onFiles }: Pick<ImageDialogProps, 'submit' | 'onImage' | 'onFiles'>) {
  const [chosen, setChosen] = useState<MediaJson>();
  const { said, isDecorative, isNew, field, checkbox } = useAlt(chosen);
  const submit = () => {
    if (!chosen) return;
    if (isNew) describe(chosen.id, said);
    onImage({ src: chosen.src, alt: said || isDecorative ? said : null, width: chosen.width, height: chosen.height });
  };
  return (
    <Form onSubmit={submit}>
      <MediaLibrary chosen={chosen} onChoose={setChosen} onFiles={onFiles} />
      {chosen && (
        <>
          <TextInput label={words.alt} description={words.altHelp} {...field} />
          <Checkbox {...checkbox} />
        </>
      )}
      <Group justify="flex-end">
        <Button type="submit" disabled={!chosen}>
          {submitLabel}
        </Button>
      </Group>
    </Form>
  );
}

function WebImage({ submit: submitLabel, onImage, onClose }: Pick<ImageDialogProps, 'submit' | 'onImage' | 'onClose'>) {
  const form = useFields({ src: '', alt: '' });
  const { src, alt } = form.values;
  const field = fieldProps(form);
  const submit = () => onImage({ src: src.trim(), alt: alt.trim() || null });
  return (
    <DialogForm submit={submitLabel!} onSubmit={submit} onClose={onClose}>
      <TextInput label={words.address} placeholder="https://" required data-autofocus {...field('src')} />
      <TextInput label={words.alt} description={words.altHelp} {...field('alt')} />
    </DialogForm>
  );
}
