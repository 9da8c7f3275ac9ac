import { html } from '@codemirror/lang-html';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';
import { htmlImage } from '../images/image-signs.ts';
import { imagesInHtml } from '../images/written-images.ts';
import { EditorBar } from '../toolbar/editor-bar.tsx';
import { useCodeMirror } from './use-code-mirror.ts';
import { useCodeUploads } from './use-code-uploads.tsx';

interface SourceEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** HTML as it is, for what the visual editor would not keep. */
export default function SourceEditor({ text, onChange }: SourceEditorProps) {
  const uploads = useCodeUploads({ write: htmlImage, find: imagesInHtml });
  const { place, view } = useCodeMirror({
    label: strings.editor.source,
    prompt: strings.editor.sourcePlaceholder,
    text,
    language: () => html(),
    more: uploads.extension,
    onChange,
  });
  const told = view && uploads.noticesOf(view);
  return (
    <div className={classes.editor}>
      <EditorBar>{told?.asked}</EditorBar>
      {told?.notices}
      <div ref={place} className={classes.code} />
    </div>
  );
}
