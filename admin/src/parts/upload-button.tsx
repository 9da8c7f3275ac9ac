import { Button, FileButton } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { KINDS } from '../media.ts';
import { strings } from '../strings.ts';

interface UploadButtonProps {
  readonly variant?: 'light';
  readonly onFiles: (files: File[]) => void;
}

/** Chooses images of the device's. */
export function UploadButton({ variant, onFiles }: UploadButtonProps) {
  const reset = useRef<() => void>(null);
  const take = (files: File[]) => {
    if (files.length > 0) onFiles(files);
    // Browsers say nothing of a file that is chosen once more, as after it was cancelled or refused.
    reset.current?.();
  };
  return (
    <FileButton accept={KINDS} multiple onChange={take} resetRef={reset}>
      {(props) => (
        <Button {...props} {...(variant && { variant })} leftSection={<Upload size={variant ? 16 : 18} aria-hidden />}>
          {strings.editor.imageDialog.upload}
        </Button>
      )}
    </FileButton>
  );
}
