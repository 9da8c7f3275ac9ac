import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { BodyFormat, PageFieldsJson } from '../../../contract.ts';
import { loadPart } from '../../../load-part.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { strings } from '../../../strings.ts';
import { convertBody } from './convert.ts';

const Compare = lazy(() => loadPart(() => import('../history/compare.tsx')));

const words = strings.editor.convert;

interface ConvertDialogProps {
  readonly fields: PageFieldsJson;
  readonly to: BodyFormat | undefined;
  readonly onClose: () => void;
  readonly onConvert: (body: string, bodyFormat: BodyFormat) => void;
}

/** Shows what a conversion would make of the text before the user accepts it. */
export function ConvertDialog(props: ConvertDialogProps) {
  return (
    <Dialog opened={props.to !== undefined} onClose={props.onClose} title={words.title} size="80rem">
      <Conversion {...props} />
    </Dialog>
  );
}

/** Mounted only while the dialog is open: the query's key contains the whole text and would be hashed on every keystroke. */
function Conversion({ fields, to, onClose, onConvert }: ConvertDialogProps) {
  const converted = useQuery({
    queryKey: ['converted', fields.bodyFormat, to, fields.body],
    queryFn: () => convertBody(fields.body, fields.bodyFormat, to!),
    enabled: to !== undefined,
    gcTime: 0,
  });
  const body = converted.data;
  return (
    <>
      <Text mb="md">{words.text}</Text>
      {converted.error && <ErrorNotice error={converted.error} onRetry={converted.refetch} />}
      {body === undefined && !converted.error && <Skeleton height={200} aria-hidden />}
      {body !== undefined && to && (
        <Suspense fallback={<Skeleton height={200} aria-hidden />}>
          <Compare left={{ label: words.before, text: fields.body }} right={{ label: words.after, text: body }} />
        </Suspense>
      )}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {strings.cancel}
        </Button>
        <Button disabled={body === undefined} onClick={() => to && onConvert(body!, to)}>
          {words.submit}
        </Button>
      </Group>
    </>
  );
}
