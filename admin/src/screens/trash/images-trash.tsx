import { Image } from 'lucide-react';
import {
  discardImage,
  discardImages,
  emptyImageTrash,
  restoreImage,
  restoreImages,
  useRemovedMedia,
} from '../../data/trash.ts';
import { inTrash } from '../../media.ts';
import { useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { TrashItem } from './trash-item.tsx';
import { TrashList } from './trash-list.tsx';

const words = strings.trash;

/** The images in the trash. */
export function ImagesTrash() {
  const query = useRemovedMedia();
  const mayChange = useMay('edit_pages');
  const items = query.data?.pages.flatMap(({ images }) => images);
  const latest = items?.[0];
  return (
    <TrashList
      query={query}
      items={items}
      icon={Image}
      empty={words.emptyImages}
      mayChange={mayChange}
      emptying={latest && { text: words.emptyImagesText, run: () => emptyImageTrash(latest.deletedAt) }}
      several={{
        text: (chosen) => words.discardImages(chosen.length),
        restore: restoreImages,
        discard: discardImages,
      }}
      discarding={{ text: ({ alt, name }) => words.discardImage(alt || name), run: discardImage }}
    >
      {(image, { discard, selection }) => (
        <TrashItem
          key={image.id}
          name={image.alt || image.name}
          thumbnail={inTrash(image.thumbnail)}
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
  );
}
