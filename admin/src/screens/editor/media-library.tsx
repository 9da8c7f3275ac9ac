import { ActionIcon, Button, FileButton, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Trash2, Upload } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { fileSize, imagesAmong, inApp, KINDS } from '../../media.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { strings } from '../../strings.ts';
import { removeImage } from '../images/image-actions.ts';
import classes from './uploads.module.css';

const words = strings.editor.imageDialog;

interface MediaLibraryProps {
  readonly chosen: MediaJson | undefined;
  readonly onChoose: (media: MediaJson | undefined) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The account's images, to choose one of, to upload more, or to delete some. */
export function MediaLibrary({ chosen, onChoose, onFiles }: MediaLibraryProps) {
  const list = useInfiniteQuery({
    queryKey: ['media'],
    queryFn: ({ pageParam }) => api.media(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ media, hasMore }) => (hasMore ? media.at(-1)?.id : undefined),
    staleTime: 0,
  });
  if (list.error) return <ErrorNotice error={list.error} onRetry={list.refetch} />;
  const media = list.data?.pages.flatMap((page) => page.media);
  const [first] = list.data?.pages ?? [];
  const remove = (image: MediaJson) => {
    if (chosen?.id === image.id) onChoose(undefined);
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
              isChosen={image.id === chosen?.id}
              onChoose={() => onChoose(image)}
              onRemove={() => remove(image)}
            />
          ))}
        </ul>
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {first && words.room(fileSize(first.used), fileSize(first.quota))}
        </Text>
        {list.hasNextPage && (
          <Button
            size="xs"
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {words.more}
          </Button>
        )}
      </Group>
    </>
  );
}

function DropZone({ onFiles }: Pick<MediaLibraryProps, 'onFiles'>) {
  const [isOver, setOver] = useState(false);
  const take = (files: readonly File[]) => {
    if (files.length > 0) onFiles(files);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(imagesAmong(event.dataTransfer.files));
  };
  return (
    <fieldset
      className={classes.drop}
      aria-label={words.upload}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton accept={KINDS} multiple onChange={take}>
        {(props) => (
          <Button {...props} variant="light" leftSection={<Upload size={16} aria-hidden />}>
            {words.upload}
          </Button>
        )}
      </FileButton>
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
        <img src={inApp(thumbnail)} alt="" loading="lazy" />
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
