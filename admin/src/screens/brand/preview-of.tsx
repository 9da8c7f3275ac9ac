import { SegmentedControl, Text, useComputedColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { explain } from '../../explain.ts';
import preview from '../../parts/preview.module.css';
import { PreviewFrame } from '../../parts/preview-frame.tsx';
import { strings } from '../../strings.ts';
import classes from './brand.module.css';
import { words } from './words.ts';

type Scheme = 'light' | 'dark';

interface PreviewOfProps<K extends string> {
  /** The API call that renders the preview. */
  readonly call: string;
  readonly title: string;
  /** The possible previews with their labels. The first one is shown at first. */
  readonly choices: Readonly<Record<K, string>>;
  /** The label of the choice. */
  readonly what: string;
  readonly inputOf: (choice: K, scheme: Scheme) => object;
}

/** Shows the service's preview of the unsaved input, in light or dark. */
export function PreviewOf<K extends string>({ call, title, choices, what, inputOf }: PreviewOfProps<K>) {
  const [choice, setChoice] = useState(Object.keys(choices)[0] as K);
  const [scheme, setScheme] = useState<Scheme>(useComputedColorScheme('light'));
  const [error, setError] = useState<unknown>();
  const [isThere, setThere] = useState(false);
  const [input] = useDebouncedValue(JSON.stringify(inputOf(choice, scheme)), 300);
  const onShown = () => {
    setError(undefined);
    setThere(true);
  };
  const data = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <section className={`${preview.pane} ${classes.preview}`} aria-label={words.preview}>
      <div className={`${preview.bar} ${classes.bar}`}>
        <SegmentedControl
          size="xs"
          aria-label={what}
          value={choice}
          onChange={(value) => setChoice(value as K)}
          data={data(choices)}
        />
        <SegmentedControl
          size="xs"
          aria-label={words.scheme}
          value={scheme}
          onChange={(value) => setScheme(value as Scheme)}
          data={data(words.schemes)}
        />
      </div>
      <Text size="sm" c="dimmed" role="status" px="sm">
        {error ? explain(error) : isThere ? '' : strings.preview.loading}
      </Text>
      <div className={preview.stage}>
        <PreviewFrame
          title={title}
          previewed={{ call, input: JSON.parse(input) as object }}
          onShown={onShown}
          onError={setError}
        />
      </div>
    </section>
  );
}
