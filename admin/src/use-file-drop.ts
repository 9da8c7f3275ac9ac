import { type DragEvent, useState } from 'react';
import { imagesAmong } from './media.ts';

/** What makes an element take images that are dropped on it: for its attributes. Without `onFiles` it takes none. */
export function useFileDrop(onFiles: ((files: File[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!onFiles || !event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!onFiles) return;
      event.preventDefault();
      const files = imagesAmong(event.dataTransfer.files);
      if (files.length > 0) onFiles(files);
    },
  };
}
