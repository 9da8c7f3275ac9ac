import { Alert, Group, Skeleton, Text } from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { MediaJson, MediaListJson } from '../../contract.ts';
import { appImageUrl } from '../../own-images.ts';
import { Empty } from '../../parts/empty.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import bars from '../../parts/progress.module.css';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { UploadButton } from '../../parts/upload-button.tsx';
import { useIsKnown, useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useFileDrop } from '../../use-file-drop.ts';
import { useMediaList } from '../../use-media-list.ts';
import { ImageDetails } from './image-details.tsx';
import classes from './images.module.css';
import { type UnderWay, useUploads } from './use-uploads.ts';

const words = strings.images;

/** Shows all images of the site, with their descriptions, and the storage that they use. */
export default function ImagesScreen() {
  const mayChange = useMay('edit_pages');
  const isKnown = useIsKnown();
  const [shown, show] = useState<MediaJson>();
  const isShowing = useRef(false);
  isShowing.current = shown !== undefined;
  // A single new image opens at once, to be described. Several would replace each other, and the image that is being described
  // by then.
  const [uploaded, setUploaded] = useState<readonly number[]>([]);
  const { uploads, upload, cancel, cancelAll } = useUploads((images) => {
    if (images.length === 1 && !isShowing.current) show(images[0]);
    else setUploaded((before) => [...before, ...images.map(({ id }) => id)]);
  });
  const { list, media, room } = useMediaList();
  const undescribed = media?.filter(({ id, alt }) => alt === null && uploaded.includes(id)) ?? [];
  const grid = useRef<HTMLUListElement>(null);
  const isEmpty = media?.length === 0 && uploads.length === 0;
  return (
    <DropPlace onFiles={mayChange ? upload : undefined}>
      <Group justify="space-between" mb="md">
        <ScreenTitle>{words.title}</ScreenTitle>
        {mayChange && media && !isEmpty && <UploadButton onFiles={upload} />}
      </Group>
      <Text className={classes.text} mb="lg">
        {words.text}
      </Text>
      {list.error && <ErrorNotice error={list.error} onRetry={list.refetch} />}
      {!media && !list.error && <Skeleton h={220} radius="md" opacity={0.4} />}
      {isEmpty && (
        <Empty icon={ImagePlus} title={words.emptyTitle} text={mayChange ? words.emptyText : words.viewOnly}>
          {mayChange && <UploadButton onFiles={upload} />}
        </Empty>
      )}
      {media && !isEmpty && (
        <>
          {room && <Room list={room} />}
          {isKnown && !mayChange && <Text mb="md">{words.viewOnly}</Text>}
          {undescribed.length > 0 && (
            <Alert variant="light" color="ink" mb="lg" title={words.uploadedUndescribed(undescribed.length)}>
              <SmallButton onClick={() => show(undescribed[0])}>{words.describeNext(undescribed.length)}</SmallButton>
            </Alert>
          )}
          {uploads.length > 1 && (
            <Group gap="sm" mb="md">
              <Text size="sm">{strings.editor.uploads.begun(uploads.length)}</Text>
              <SmallButton onClick={cancelAll}>{strings.editor.uploads.cancelAll}</SmallButton>
            </Group>
          )}
          <ul ref={grid} className={classes.grid} aria-label={strings.editor.imageDialog.list}>
            {uploads.map((one) => (
              <UploadTile key={one.id} upload={one} onCancel={() => cancel(one.id)} />
            ))}
            {media.map((image, index) => (
              <Tile key={image.id} image={image} isFirst={index < 8} onOpen={() => show(image)} />
            ))}
          </ul>
          <MoreButton label={strings.editor.imageDialog.more} list={grid} count={media.length} query={list} />
        </>
      )}
      <ImageDetails
        image={media?.find(({ id }) => id === shown?.id) ?? shown}
        mayChange={mayChange}
        onClose={() => show(undefined)}
      />
    </DropPlace>
  );
}

/** Makes the whole screen a drop zone. */
function DropPlace({ onFiles, children }: { onFiles: ((files: File[]) => void) | undefined; children: ReactNode }) {
  return (
    <section className={classes.screen} aria-label={words.title} {...useFileDrop(onFiles)}>
      {children}
    </section>
  );
}

function Room({ list: { used, quota } }: { list: MediaListJson }) {
  return (
    <div className={classes.room}>
      <Text size="sm" c="dimmed" id="room">
        {strings.editor.imageDialog.room(strings.fileSize(used), strings.fileSize(quota))}
      </Text>
      <progress className={bars.bar} value={used} max={quota} aria-labelledby="room" />
    </div>
  );
}

interface TileProps {
  readonly image: MediaJson;
  /** True if the tile is in the first view. */
  readonly isFirst: boolean;
  readonly onOpen: () => void;
}

function Tile({ image: { name, alt, thumbnail }, isFirst, onOpen }: TileProps) {
  return (
    <li>
      <button type="button" className={classes.tile} onClick={onOpen}>
        <img src={appImageUrl(thumbnail)} alt="" loading={isFirst ? 'eager' : 'lazy'} />
        <span className={classes.name}>{name}</span>
        <span className={classes.alt} data-missing={alt === null || undefined}>
          {alt === null ? words.undescribed : alt || words.decoration}
        </span>
      </button>
    </li>
  );
}

function UploadTile({ upload: { name, done }, onCancel }: { upload: UnderWay; onCancel: () => void }) {
  const label = done < 1 ? strings.editor.uploads.label(name) : strings.editor.uploads.processing(name);
  return (
    <li className={classes.upload}>
      <span>{label}</span>
      <progress className={bars.bar} aria-label={label} max={1} {...(done < 1 && { value: done })} />
      <SmallButton onClick={onCancel} aria-label={strings.editor.uploads.cancel(name)}>
        {strings.cancel}
      </SmallButton>
    </li>
  );
}
