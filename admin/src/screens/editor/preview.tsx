import { SegmentedControl, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../api.ts';
import type { BodyFormat } from '../../contract.ts';
import { explain } from '../../explain.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';
import { previewDocument } from './preview-document.ts';

const words = strings.editor;

interface PreviewProps {
  readonly name: string;
  readonly body: string;
  readonly format: BodyFormat | '';
}

/** The page as the site makes it, in a frame in which no script runs and which is no part of this app. */
export function Preview({ name, body, format }: PreviewProps) {
  const [width, setWidth] = useState('desktop');
  const [settled] = useDebouncedValue(body, 300);
  const preview = useQuery({
    queryKey: ['preview', format, settled],
    queryFn: ({ signal }) => api.preview(settled, format, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const made = preview.data?.html;
  const source = useMemo(() => (made === undefined ? undefined : previewDocument(name, made)), [name, made]);
  return (
    <section className={classes.preview} aria-label={words.preview}>
      <div className={classes.previewBar}>
        <Text size="sm" c="dimmed" role="status">
          {preview.error ? explain(preview.error) : ''}
        </Text>
        <SegmentedControl
          size="xs"
          value={width}
          onChange={setWidth}
          data={[
            { value: 'desktop', label: words.desktop },
            { value: 'phone', label: words.phone },
          ]}
        />
      </div>
      <div className={classes.previewStage}>
        {source !== undefined && (
          <iframe
            title={words.previewOf(name)}
            sandbox=""
            srcDoc={source}
            className={classes.frame}
            data-width={width}
            referrerPolicy="no-referrer"
          />
        )}
      </div>
    </section>
  );
}
