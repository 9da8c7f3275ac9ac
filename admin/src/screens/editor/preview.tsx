import { useDebouncedValue } from '@mantine/hooks';
import { useRef } from 'react';
import type { PageFieldsJson } from '../../contract.ts';
import { PreviewPane } from '../../parts/preview-pane.tsx';
import { strings } from '../../strings.ts';

interface PreviewProps {
  readonly pageId: number;
  readonly fields: PageFieldsJson;
}

/** Shows the page as visitors would see it, in the site's theme, shortly after the user stops typing. */
export function Preview({ pageId, fields }: PreviewProps) {
  const [settled] = useDebouncedValue(fields, 400);
  const at = useLastChange(settled.body);
  const { name, isHidden, description, customDate, body, bodyFormat } = settled;
  const input = {
    fields: { name, isHidden, description, customDate, body, bodyFormat },
    ...(at !== undefined && { at }),
  };
  return <PreviewPane title={strings.preview.of(name)} previewed={{ page: pageId, input }} />;
}

/** Returns where the text last changed, in thousandths of its length, or undefined before the first change. */
function useLastChange(text: string): number | undefined {
  const last = useRef<{ text: string; at: number | undefined }>({ text, at: undefined });
  const { text: before, at } = last.current;
  if (before === text) return at;
  let same = 0;
  while (same < text.length && text[same] === before[same]) same += 1;
  last.current = { text, at: Math.round((same / Math.max(1, text.length)) * 1000) };
  return last.current.at;
}
