import { Button, FileButton, Group, Input } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { explain } from '../../explain.ts';
import { IMAGE_TYPES } from '../../own-images.ts';
import { uploadBrandImage } from '../../upload.ts';
import classes from './brand.module.css';
import { words } from './words.ts';

interface ImageFieldProps {
  readonly label: string;
  readonly description: string;
  readonly kind: 'logo' | 'icon';
  /** The colour scheme in which the image is shown. */
  readonly scheme?: 'light' | 'dark';
  /** The name of the image; empty for none. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}

/** Uploads or removes a logo or an icon. */
export function ImageField({ label, description, kind, scheme, value, error, onChange }: ImageFieldProps) {
  const id = useId();
  const reset = useRef<() => void>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) =>
      uploadBrandImage(kind, file, { onProgress: setProgress, signal: new AbortController().signal }),
    onSuccess: ({ name }) => onChange(name),
    // Without a reset, choosing the same file again fires no event.
    onSettled: () => reset.current?.(),
  });
  const remove = () => {
    onChange('');
    upload.reset();
    // The button disappears, and would take the focus with it.
    button.current?.focus();
  };
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={upload.error ? explain(upload.error) : error}
    >
      <Group role="group" aria-labelledby={id} gap="sm" mt={6}>
        {value && (
          <span className={classes.image} data-scheme={scheme}>
            <img src={`/-/brand/${value}.png`} alt={words.imageNow} />
          </span>
        )}
        <FileButton accept={IMAGE_TYPES} onChange={(file) => file && upload.mutate(file)} resetRef={reset}>
          {(props) => (
            <Button
              {...props}
              ref={button}
              variant="default"
              size="xs"
              loading={upload.isPending}
              leftSection={<Upload size={14} aria-hidden />}
            >
              {value ? words.replaceImage : words.uploadImage}
            </Button>
          )}
        </FileButton>
        {upload.isPending && <span role="status">{words.progress(progress)}</span>}
        {value && (
          <Button variant="default" size="xs" onClick={remove}>
            {words.noImage}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
