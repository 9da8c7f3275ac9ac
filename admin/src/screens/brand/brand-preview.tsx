import { SegmentedControl, Text, useComputedColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { BrandPreviewInput } from '../../contract.ts';
import { explain } from '../../explain.ts';
import preview from '../../parts/preview.module.css';
import { PreviewFrame } from '../../parts/preview-frame.tsx';
import { strings } from '../../strings.ts';
import classes from './brand.module.css';
import type { BrandTexts } from './brand-texts.ts';
import { words } from './words.ts';

type Of = BrandPreviewInput['of'];
type Scheme = BrandPreviewInput['scheme'];

/** The sign-in page or a message with the brand as it is typed, in light or dark. */
export function BrandPreview({ texts }: { texts: BrandTexts }) {
  const [of, setOf] = useState<Of>('sign-in');
  const [scheme, setScheme] = useState<Scheme>(useComputedColorScheme('light'));
  const [error, setError] = useState<unknown>();
  const [isThere, setThere] = useState(false);
  const [settled] = useDebouncedValue(texts, 300);
  const onShown = () => {
    setError(undefined);
    setThere(true);
  };
  return (
    <section className={`${preview.pane} ${classes.preview}`} aria-label={words.preview}>
      <div className={`${preview.bar} ${classes.bar}`}>
        <SegmentedControl
          size="xs"
          aria-label={words.previewWhat}
          value={of}
          onChange={(value) => setOf(value as Of)}
          data={(['sign-in', 'mail'] as const).map((value) => ({ value, label: words.previewOf[value] }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={words.scheme}
          value={scheme}
          onChange={(value) => setScheme(value as Scheme)}
          data={(['light', 'dark'] as const).map((value) => ({ value, label: words.schemes[value] }))}
        />
      </div>
      <Text size="sm" c="dimmed" role="status" px="sm">
        {error ? explain(error) : isThere ? '' : strings.preview.loading}
      </Text>
      <div className={preview.stage}>
        <PreviewFrame
          title={words.previewOf[of]}
          previewed={{ call: 'brand/preview', input: { ...settled, of, scheme } }}
          onShown={onShown}
          onError={setError}
        />
      </div>
    </section>
  );
}
