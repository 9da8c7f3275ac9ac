import { Button, Checkbox, Group, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import { isOwnImage } from '../../../own-images.ts';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { Form, fieldProps, useFields } from '../../../parts/form.tsx';
import { strings } from '../../../strings.ts';
import { useAlt } from '../../../use-alt.ts';
import { useFigure } from './figure-fields.tsx';
import type { NewImage } from './image-markup.ts';
import { MediaLibrary } from './media-library.tsx';
import { describe } from './use-descriptions.tsx';

const words = strings.editor.imageDialog;

interface ImageDialogProps {
  readonly opened: boolean;
  /** The label of the button that submits the dialog. */
  readonly submit?: string;
  /** True to ask for size, side, caption and link, too, in editors that have no tools for an image in the text. */
  readonly hasFigure?: boolean;
  /** The image in the text to change. */
  readonly given?: NewImage | undefined;
  readonly onClose: () => void;
  readonly onImage: (image: NewImage) => void;
  /** Called with image files to upload to the cursor's position. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** Asks for an image, from the site's own or another website, and for its alternative text. */
export function ImageDialog({ opened, given, ...form }: ImageDialogProps) {
  const { submit = given ? words.change : words.submit, hasFigure = false, onClose, onImage, onFiles } = form;
  const shared = { submit, hasFigure, given, onImage };
  return (
    <Dialog opened={opened} onClose={onClose} title={words.title} size="lg" centered>
      <Tabs defaultValue={given && !isOwnImage(given.src) ? 'web' : 'own'} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="own">{words.own}</Tabs.Tab>
          <Tabs.Tab value="web">{words.web}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="own">
          <OwnImage {...shared} onFiles={onFiles} />
        </Tabs.Panel>
        <Tabs.Panel value="web">
          <WebImage {...shared} onClose={onClose} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

type FormProps<Name extends 'onFiles' | 'onClose'> = Required<
  Pick<ImageDialogProps, 'submit' | 'hasFigure' | 'onImage' | Name>
> &
  Pick<ImageDialogProps, 'given'>;

/** The id of the given image, whose real id is unknown. */
const GIVEN = 0;

type ChosenImage = Pick<MediaJson, 'id' | 'src' | 'alt'> & Pick<NewImage, 'width' | 'height'>;

function OwnImage({ submit: submitLabel, hasFigure, given, onImage, onFiles }: FormProps<'onFiles'>) {
  const [chosen, setChosen] = useState<ChosenImage | undefined>(
    given && isOwnImage(given.src) ? { ...given, id: GIVEN } : undefined,
  );
  const { said, isDecorative, isNew, field, checkbox } = useAlt(chosen);
  const { figure, fields } = useFigure(hasFigure, given);
  const submit = () => {
    if (!chosen) return;
    if (isNew && chosen.id !== GIVEN) describe(chosen.id, said);
    const { src, width, height } = chosen;
    onImage({ src, alt: said || isDecorative ? said : null, ...(width && height && { width, height }), ...figure });
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

function WebImage({ submit: submitLabel, hasFigure, given, onImage, onClose }: FormProps<'onClose'>) {
  const form = useFields({ src: given && !isOwnImage(given.src) ? given.src : '', alt: given?.alt ?? '' });
  const { src, alt } = form.values;
  const field = fieldProps(form);
  const { figure, fields } = useFigure(hasFigure, given);
  const submit = () => {
    // An empty field means "no alternative text", not "decorative", unless the image was decorative before.
    const said = alt.trim() || (given?.alt === '' ? '' : null);
    const size = given?.src === src.trim() ? { width: given.width, height: given.height } : {};
    onImage({ src: src.trim(), alt: said, ...size, ...figure });
  };
  return (
    <DialogForm submit={submitLabel} onSubmit={submit} onClose={onClose}>
      <TextInput label={words.address} placeholder="https://" required data-autofocus {...field('src')} />
      <TextInput label={words.alt} description={words.altHelp} {...field('alt')} />
      {fields}
    </DialogForm>
  );
}
