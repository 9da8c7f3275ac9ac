import { Button, FileButton } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { IMAGE_TYPES } from '../own-images.ts';
import { strings } from '../strings.ts';

interface UploadButtonProps {
  readonly variant?: 'light';
  readonly onFiles: (files: File[]) => void;
}

/** A button that chooses images from the device. */
export function UploadButton({ variant, onFiles }: UploadButtonProps) {
  const reset = useRef<() => void>(null);
  const take = (files: File[]) => {
    if (files.length > 0) onFiles(files);
    // Lets the user choose the same file again, after it was cancelled or refused: otherwise the browser reports no change.
    reset.current?.();
  };
  return (
    <FileButton accept={IMAGE_TYPES} multiple onChange={take} resetRef={reset}>
      {(props) => (
        <Button {...props} {...(variant && { variant })} leftSection={<Upload size={variant ? 16 : 18} aria-hidden />}>
          {strings.editor.imageDialog.upload}
        </Button>
      )}
    </FileButton>
  );
}
