import { SegmentedControl, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { explain } from '../explain.ts';
import { strings } from '../strings.ts';
import classes from './preview.module.css';
import { type Previewed, PreviewFrame } from './preview-frame.tsx';
import { useFreezeOnHover } from './use-freeze-on-hover.ts';

const words = strings.preview;

/** The widths of the devices in CSS pixels. */
const WIDTHS = { desktop: 1280, phone: 390 } as const;

interface PreviewPaneProps {
  readonly title: string;
  readonly previewed: Previewed;
}

/** Shows a page of the site as on a computer or a phone, scaled down if it is too wide. */
export function PreviewPane({ title, previewed }: PreviewPaneProps) {
  // Starts with the phone's width on a phone, where the text is then large enough to read.
  const [kind, setKind] = useState<keyof typeof WIDTHS>(() => (innerWidth < 600 ? 'phone' : 'desktop'));
  const [error, setError] = useState<unknown>();
  const [hasLoaded, setLoaded] = useState(false);
  const { shown, isHeld, isWaiting, handlers } = useFreezeOnHover(previewed);
  const { ref, width, height } = useElementSize();
  const onShown = () => {
    setError(undefined);
    setLoaded(true);
  };
  const pageWidth = WIDTHS[kind];
  const scale = width === 0 ? 1 : Math.min(1, width / pageWidth);
  return (
    <section className={classes.pane} aria-label={words.title}>
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" role="status">
          {error ? explain(error) : isWaiting ? words.waiting : hasLoaded ? '' : words.loading}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={words.width}
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
          data={[
            { value: 'desktop', label: words.desktop },
            { value: 'phone', label: words.phone },
          ]}
        />
      </div>
      <div ref={ref} className={classes.stage} data-held={isHeld || undefined} {...handlers}>
        <div
          className={classes.sheet}
          style={{
            width: pageWidth,
            height: height / scale,
            marginLeft: (width - pageWidth * scale) / 2,
            transform: `scale(${scale})`,
          }}
        >
          <PreviewFrame title={title} previewed={shown} onShown={onShown} onError={setError} />
        </div>
      </div>
    </section>
  );
}
