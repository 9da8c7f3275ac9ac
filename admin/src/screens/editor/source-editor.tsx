import { html } from '@codemirror/lang-html';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';
import { useCodeMirror } from './use-code-mirror.ts';

interface SourceEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** HTML as it is, for what the visual editor would not keep. */
export default function SourceEditor({ text, onChange }: SourceEditorProps) {
  const { place } = useCodeMirror({ label: strings.editor.source, text, language: () => html(), onChange });
  return (
    <div className={classes.editor}>
      <div ref={place} className={classes.code} />
    </div>
  );
}
