import type { BrandTexts } from './brand-texts.ts';
import { PreviewOf } from './preview-of.tsx';
import { words } from './words.ts';

interface BrandPreviewProps {
  readonly texts: BrandTexts;
  /** The names that replace an empty one, on the sign-in page and in messages. */
  readonly seenBefore: string;
  readonly sentBefore: string;
}

/** Shows the sign-in page or a message with the unsaved brand. */
export function BrandPreview({ texts, seenBefore, sentBefore }: BrandPreviewProps) {
  return (
    <PreviewOf
      call="brand/preview"
      title={words.preview}
      choices={words.previewOf}
      what={words.previewWhat}
      inputOf={(of, scheme) => {
        const name = texts.name.trim() || (of === 'mail' ? sentBefore : seenBefore);
        return { ...texts, name, of, scheme };
      }}
    />
  );
}
