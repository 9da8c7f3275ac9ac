import { Group } from '@mantine/core';
import { Image } from 'lucide-react';
import {
  discardImage,
  emptyImageTrash,
  restoreImage,
  severalImages,
  useFoundMedia,
  useRemovedMedia,
} from '../../data/trash.ts';
import { trashImageUrl } from '../../own-images.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSearch } from '../../use-search.ts';
import { TrashItem } from './trash-item.tsx';
import { TrashList } from './trash-list.tsx';

const words = strings.trash;

/** Lists the images in the trash. */
export function ImagesTrash() {
  const { wanted, ...search } = useSearch('/trash/images');
  const isSearch = wanted !== '';
  const query = useRemovedMedia();
  const found = useFoundMedia(wanted);
  const mayChange = useMay('edit_pages');
  const items = isSearch ? found.data?.images : query.data?.pages.flatMap(({ images }) => images);
  const latest = items?.[0];
  return (
    <>
      <Group mb="md">
        <SearchField label={words.search.images} {...search} />
      </Group>
      <TrashList
        query={isSearch ? found : query}
        more={isSearch ? undefined : query}
        items={items}
        order={isSearch ? words.found(items?.length ?? 0, found.data?.hasMore ?? false) : words.order}
        icon={Image}
        empty={
          isSearch
            ? { title: words.nothingFound, text: words.noImageFound(wanted) }
            : { title: words.emptyImages, text: words.emptyText }
        }
        mayChange={mayChange}
        emptying={
          isSearch ? undefined : latest && { text: words.emptyImagesText, run: () => emptyImageTrash(latest.deletedAt) }
        }
        several={{
          text: (chosen) => words.discardImages(chosen.length),
          all: severalImages,
        }}
        discarding={{ text: ({ alt, name }) => words.discardImage(alt || name), run: discardImage }}
      >
        {(image, { discard, selection }) => (
          <TrashItem
            key={image.id}
            name={image.alt || image.name}
            thumbnail={trashImageUrl(image.thumbnail)}
            notes={[...(image.alt ? [image.name] : []), strings.fileSize(image.bytes)]}
            deletedAt={image.deletedAt}
            deletedBy={image.deletedBy}
            expiresAt={image.expiresAt}
            mayChange={mayChange}
            selection={selection}
            onRestore={() => restoreImage(image)}
            onDiscard={discard}
          />
        )}
      </TrashList>
    </>
  );
}
