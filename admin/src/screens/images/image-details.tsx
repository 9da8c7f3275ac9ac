import { Anchor, Button, Checkbox, CopyButton, Drawer, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { describeImage, removeImage } from '../../data/image-actions.ts';
import { appImageUrl } from '../../own-images.ts';
import { Form } from '../../parts/form.tsx';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { useAlt } from '../../use-alt.ts';
import classes from './images.module.css';

const words = strings.images;
const dialog = strings.editor.imageDialog;

interface ImageDetailsProps {
  readonly image: MediaJson | undefined;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

/** A dialog with an image, its description, its data and the pages that show it. */
export function ImageDetails({ image, mayChange, onClose }: ImageDetailsProps) {
  // The closing dialog still shows the image during its animation.
  const [last, setLast] = useState(image);
  useEffect(() => {
    if (image) setLast(image);
  }, [image]);
  const shown = image ?? last;
  return (
    <Drawer
      opened={image !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title={dialog.title}
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      {shown && <Details key={shown.id} image={shown} mayChange={mayChange} onClose={onClose} />}
    </Drawer>
  );
}

function Details({ image, mayChange, onClose }: ImageDetailsProps & { image: MediaJson }) {
  const { account } = useSession();
  const { id, name, alt, src, width, height, bytes, createdAt, createdBy } = image;
  const uses = useQuery({ queryKey: ['media-uses', id], queryFn: () => api.mediaUses(id), staleTime: 0 });
  return (
    <Stack gap="lg">
      <img className={classes.large} src={appImageUrl(src)} alt={alt ?? ''} width={width} height={height} />
      {mayChange ? <AltForm image={image} onDone={onClose} /> : alt && <Text>{alt}</Text>}
      <div>
        <Text size="sm" fw={500} mb={4}>
          {words.shownOn}
        </Text>
        {uses.data?.total === 0 && (
          <Text size="sm" c="dimmed">
            {words.unused}
          </Text>
        )}
        {uses.data && uses.data.total > 0 && (
          <ul className={classes.uses}>
            {uses.data.pages.map((page) => (
              <li key={page.id}>
                <Anchor component={Link} href={`/pages/${page.id}`} size="sm">
                  {page.name}
                </Anchor>
              </li>
            ))}
            {uses.data.total > uses.data.pages.length && (
              <li>{words.moreUses(uses.data.total - uses.data.pages.length, uses.data.hasMore)}</li>
            )}
          </ul>
        )}
      </div>
      <dl className={classes.facts}>
        <dt>{words.file}</dt>
        <dd>{name}</dd>
        <dt>{words.size}</dt>
        <dd>{words.pixels(width, height, strings.fileSize(bytes))}</dd>
        <dt>{words.uploaded}</dt>
        <dd>{words.uploadedBy(formatTime(createdAt), createdBy)}</dd>
      </dl>
      <Group>
        <CopyAddress address={`${account.address}${src}`} />
        {mayChange && (
          <Button
            variant="default"
            leftSection={<Trash2 size={16} aria-hidden />}
            onClick={() => {
              onClose();
              removeImage(image);
            }}
          >
            {words.remove}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function CopyAddress({ address }: { address: string }) {
  return (
    <CopyButton value={address}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          onClick={copy}
        >
          {copied ? strings.copied : words.copyAddress}
        </Button>
      )}
    </CopyButton>
  );
}

/** Unsaved descriptions, kept until the tab is closed: a stray click can close their dialog. */
const unsavedAlts = new Map<number, string>();

/** Edits the description of the image, which is proposed wherever the image is inserted from now on. */
function AltForm({ image, onDone }: { image: MediaJson; onDone: () => void }) {
  const { said, isNew, field, checkbox } = useAlt(image, unsavedAlts.get(image.id));
  const submit = () => {
    if (!isNew) return;
    unsavedAlts.delete(image.id);
    onDone();
    describeImage(image, said);
  };
  return (
    <Form onSubmit={submit} gap="sm">
      <Textarea
        label={dialog.alt}
        description={words.altHelp}
        autosize
        minRows={2}
        maxRows={6}
        {...field}
        onChange={(event) => {
          field.onChange(event);
          unsavedAlts.set(image.id, event.currentTarget.value);
        }}
      />
      <Checkbox {...checkbox} />
      <Group>
        <Button type="submit" disabled={!isNew}>
          {strings.save}
        </Button>
      </Group>
    </Form>
  );
}
