import { type DragEvent, useState } from 'react';

/**
 * What makes an element take files that are dropped on it: for its attributes. Without `onFiles` it takes none. Those that
 * are no images are among them: why they are none the service says, and in silence nobody would hear of it.
 */
export function useFileDrop(onFiles: ((files: File[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!onFiles || !event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!onFiles) return;
      event.preventDefault();
      const files = [...event.dataTransfer.files];
      if (files.length > 0) onFiles(files);
    },
  };
}
