import { Button, Checkbox, Group, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { Form, fieldProps, useFields } from '../../../parts/form.tsx';
import { strings } from '../../../strings.ts';
import { useAlt } from '../../../use-alt.ts';
import { useFigure } from './figure-fields.tsx';
import type { NewImage } from './image-signs.ts';
import { MediaLibrary } from './media-library.tsx';
import { describe } from './use-descriptions.tsx';

const words = strings.editor.imageDialog;

interface ImageDialogProps {
  readonly opened: boolean;
  /** The label of the button that submits the dialog. */
  readonly submit?: string;
  /** Whether it asks for a size and a caption, too: for editors in which neither can be given to an image in the text. */
  readonly hasFigure?: boolean;
  readonly onClose: () => void;
  readonly onImage: (image: NewImage) => void;
  /** Images that are to be uploaded to where the cursor is. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** An image of one's own, uploaded now or before, or one from elsewhere; and what it shows. */
export function ImageDialog({ opened, submit = words.submit, hasFigure = false, ...form }: ImageDialogProps) {
  const { onClose, onImage, onFiles } = form;
  return (
    <Dialog opened={opened} onClose={onClose} title={words.title} size="lg" centered>
      <Tabs defaultValue="own" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="own">{words.own}</Tabs.Tab>
          <Tabs.Tab value="web">{words.web}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="own">
          <OwnImage submit={submit} hasFigure={hasFigure} onImage={onImage} onFiles={onFiles} />
        </Tabs.Panel>
        <Tabs.Panel value="web">
          <WebImage submit={submit} hasFigure={hasFigure} onImage={onImage} onClose={onClose} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

type FormProps<Name extends keyof ImageDialogProps> = Required<Pick<ImageDialogProps, 'submit' | 'hasFigure' | Name>>;

function OwnImage({ submit: submitLabel, hasFigure, onImage, onFiles }: FormProps<'onImage' | 'onFiles'>) {
  const [chosen, setChosen] = useState<MediaJson>();
  const { said, isDecorative, isNew, field, checkbox } = useAlt(chosen);
  const { figure, fields } = useFigure(hasFigure);
  const submit = () => {
    if (!chosen) return;
    if (isNew) describe(chosen.id, said);
    const { src, width, height } = chosen;
    onImage({ src, alt: said || isDecorative ? said : null, width, height, ...figure });
  };
  return (
    <Form onSubmit={submit}>
      <MediaLibrary chosen={chosen} onChoose={setChosen} onFiles={onFiles} />
      {chosen && (
        <>
          <TextInput label={words.alt} description={words.altHelp} {...field} />
          <Checkbox {...checkbox} />
          {fields}
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

function WebImage({ submit: submitLabel, hasFigure, onImage, onClose }: FormProps<'onImage' | 'onClose'>) {
  const form = useFields({ src: '', alt: '' });
  const { src, alt } = form.values;
  const field = fieldProps(form);
  const { figure, fields } = useFigure(hasFigure);
  const submit = () => onImage({ src: src.trim(), alt: alt.trim() || null, ...figure });
  return (
    <DialogForm submit={submitLabel} onSubmit={submit} onClose={onClose}>
      <TextInput label={words.address} placeholder="https://" required data-autofocus {...field('src')} />
      <TextInput label={words.alt} description={words.altHelp} {...field('alt')} />
      {fields}
    </DialogForm>
  );
}
