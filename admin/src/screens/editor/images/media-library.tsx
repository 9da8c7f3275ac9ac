import { ActionIcon, Group, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { MediaJson } from '../../../contract.ts';
import { removeImage } from '../../../data/image-actions.ts';
import { appImageUrl } from '../../../own-images.ts';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { UploadButton } from '../../../parts/upload-button.tsx';
import { strings } from '../../../strings.ts';
import { useFileDrop } from '../../../use-file-drop.ts';
import { useMediaList } from '../../../use-media-list.ts';
import classes from './uploads.module.css';

const words = strings.editor.imageDialog;

interface MediaLibraryProps {
  readonly chosen: Pick<MediaJson, 'src'> | undefined;
  readonly onChoose: (media: MediaJson | undefined) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Lists the account's images, to choose, upload or delete them. */
export function MediaLibrary({ chosen, onChoose, onFiles }: MediaLibraryProps) {
  const { list, media, room } = useMediaList();
  if (list.error) return <ErrorNotice error={list.error} onRetry={list.refetch} />;
  const remove = (image: MediaJson) => {
    if (chosen?.src === image.src) onChoose(undefined);
    removeImage(image);
  };
  return (
    <>
      <DropZone onFiles={onFiles} />
      {media?.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      {media && media.length > 0 && (
        <ul className={classes.grid} aria-label={words.list}>
          {media.map((image) => (
            <Tile
              key={image.id}
              image={image}
              isChosen={image.src === chosen?.src}
              onChoose={() => onChoose(image)}
              onRemove={() => remove(image)}
            />
          ))}
        </ul>
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {room && words.room(strings.fileSize(room.used), strings.fileSize(room.quota))}
        </Text>
        {list.hasNextPage && (
          <SmallButton loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.more}
          </SmallButton>
        )}
      </Group>
    </>
  );
}

function DropZone({ onFiles }: Pick<MediaLibraryProps, 'onFiles'>) {
  return (
    <fieldset className={classes.drop} aria-label={words.upload} {...useFileDrop(onFiles)}>
      <UploadButton variant="light" onFiles={onFiles} />
      <Text size="sm" c="dimmed">
        {words.drop}
      </Text>
    </fieldset>
  );
}

interface TileProps {
  readonly image: MediaJson;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onRemove: () => void;
}

function Tile({ image, isChosen, onChoose, onRemove }: TileProps) {
  const { name, alt, thumbnail } = image;
  return (
    <li className={classes.tile}>
      <button
        type="button"
        className={classes.choose}
        aria-pressed={isChosen}
        aria-label={words.choose(alt || name)}
        title={name}
        onClick={onChoose}
      >
        <img src={appImageUrl(thumbnail)} alt="" loading="lazy" />
      </button>
      <ActionIcon
        className={classes.remove}
        size={28}
        variant="default"
        aria-label={words.remove(alt || name)}
        onClick={onRemove}
      >
        <Trash2 size={15} aria-hidden />
      </ActionIcon>
    </li>
  );
}
