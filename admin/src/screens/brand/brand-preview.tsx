import type { BrandTexts } from './brand-texts.ts';
import { PreviewOf } from './preview-of.tsx';
import { words } from './words.ts';

/** The sign-in page or a message with the brand as it is typed. */
export function BrandPreview({ texts }: { texts: BrandTexts }) {
  return (
    <PreviewOf
      call="brand/preview"
      title={words.preview}
      choices={words.previewOf}
      what={words.previewWhat}
      inputOf={(of, scheme) => ({ ...texts, of, scheme })}
    />
  );
}
