import { SegmentedControl } from '@mantine/core';
import { NodeSelection } from '@tiptap/pm/state';
import { type Editor, useEditorState } from '@tiptap/react';
import {
  AlignHorizontalJustifyCenter,
  AlignHorizontalJustifyEnd,
  AlignHorizontalJustifyStart,
  Captions,
  Link,
  Replace,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import { isCommand } from '../../../parts/is-command.ts';
import { strings } from '../../../strings.ts';
import { AltTextForm } from '../images/alt-text-form.tsx';
import { ImageDialog } from '../images/image-dialog.tsx';
import { hasSides, type ImageLayout, imageSides, imageSizes, layoutOf } from '../images/image-layout.ts';
import type { UploadBatch } from '../images/upload-batch.ts';
import classes from '../images/uploads.module.css';
import { LinkDialog } from '../toolbar/link-dialog.tsx';
import { Toolbar, type ToolItem } from '../toolbar/toolbar.tsx';
import { useOpenDialog } from '../toolbar/use-open-dialog.ts';
import {
  linkImage,
  linkOf,
  type PlacedImage,
  replaceWith,
  selectedImage,
  setLayout,
  writeCaption,
} from './figure-commands.ts';
import { focusText } from './focus-text.ts';

const words = strings.editor.imageTools;
const icons = {
  left: <AlignHorizontalJustifyStart size={17} />,
  center: <AlignHorizontalJustifyCenter size={17} />,
  right: <AlignHorizontalJustifyEnd size={17} />,
};

interface SelectedImageProps {
  readonly editor: Editor;
  readonly batch: UploadBatch;
  /** Called when an image is inserted: with the uploaded one, or with the address of one on another website. */
  readonly onArrive: (image: readonly string[] | MediaJson) => void;
}

/** Edits the image that is selected, or whose caption contains the cursor: its size, side, link and description. */
export function SelectedImage({ editor, batch, onArrive }: SelectedImageProps) {
  const { asking, ask, close, answer } = useOpenDialog();
  const image = useEditorState({ editor, selector: ({ editor: { state } }) => stateOf(state) });
  const [text, setText] = useState('');
  useEffect(() => setText(image?.alt ?? ''), [image?.src, image?.alt]);
  if (!image) return null;
  const act = (change: (chosen: PlacedImage) => void) => {
    const chosen = selectedImage(editor.state);
    if (chosen) change(chosen);
  };
  const lay = (layout: Partial<ImageLayout>) =>
    act((chosen) => setLayout(editor.view, chosen, { size: image.size, side: image.side, ...layout }));
  const items: (ToolItem | 'gap')[] = [
    ...imageSides.map((side) => ({
      label: words[side],
      icon: icons[side],
      isOn: image.side === side,
      isDisabled: !hasSides(image.size),
      run: () => lay({ side: image.side === side ? undefined : side }),
    })),
    'gap',
    { label: words.link, icon: <Link size={17} />, isOn: image.link !== '', run: () => ask('link') },
    { label: words.caption, icon: <Captions size={17} />, run: () => act((one) => writeCaption(editor.view, one)) },
    { label: words.replace, icon: <Replace size={17} />, run: () => ask('image') },
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isCommand(event.nativeEvent, 'z')) return;
    event.preventDefault();
    editor.commands.undo();
  };
  return (
    <>
      <fieldset className={classes.imageTools} aria-label={words.label} onKeyDown={onKeyDown}>
        <SegmentedControl
          size="xs"
          aria-label={words.size}
          value={image.size}
          onChange={(size) => lay({ size: size as ImageLayout['size'] })}
          data={imageSizes.map((value) => ({ value, label: words.sizes[value] }))}
        />
        <Toolbar label={words.label} items={items} />
      </fieldset>
      {image.isSelected && (
        <AltTextForm
          src={image.src}
          alt={image.alt}
          label={strings.editor.uploads.changeQuestion}
          text={text}
          onText={setText}
          onAnswer={(alt) =>
            act(({ at }) => {
              focusText(editor)
                .command(({ tr }) => Boolean(tr.setNodeAttribute(at, 'alt', alt)))
                .run();
            })
          }
        />
      )}
      <LinkDialog
        opened={asking === 'link'}
        address={image.link}
        onClose={close}
        onRemove={answer(() => act((one) => linkImage(editor.view, one, null)))}
        onLink={answer((href) => act((one) => linkImage(editor.view, one, href)))}
      />
      <ImageDialog
        opened={asking === 'image'}
        submit={words.replace}
        onClose={close}
        onFiles={answer(([file]) =>
          act((one) => {
            const insert = (media: MediaJson) => {
              if (editor.isDestroyed || !replaceWith(editor.view, one, media)) return false;
              onArrive(media);
              return true;
            };
            if (file) batch.add(file, { insert });
          }),
        )}
        onImage={answer((other) =>
          act((one) => {
            replaceWith(editor.view, one, other);
            if (!other.width) onArrive([other.src]);
          }),
        )}
      />
    </>
  );
}

function stateOf(state: Editor['state']) {
  const image = selectedImage(state);
  if (!image) return null;
  const { src, alt, class: className } = image.node.attrs;
  const isSelected = state.selection instanceof NodeSelection;
  return { src: String(src ?? ''), alt: alt as string | null, isSelected, link: linkOf(image), ...layoutOf(className) };
}
