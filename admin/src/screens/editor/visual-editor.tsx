import { NodeSelection } from '@tiptap/pm/state';
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { useEffect, useRef } from 'react';
import { imagesAmong } from '../../media.ts';
import { nonce } from '../../nonce.ts';
import { showDone } from '../../parts/undo.tsx';
import { strings } from '../../strings.ts';
import { AltQuestion } from './alt-question.tsx';
import classes from './editor.module.css';
import { useAltQuestions } from './use-alt-questions.ts';
import { visualExtensions, visualNodeViews } from './visual-extensions.ts';
import { htmlOf } from './visual-html.ts';
import { cleanPasted } from './visual-paste.ts';
import { VisualToolbar } from './visual-toolbar.tsx';
import { pastedImages, placeOf, setAltOf, uploadInto } from './visual-uploads.ts';

const words = strings.editor;

interface VisualEditorProps {
  readonly html: string;
  readonly onChange: (html: string) => void;
}

/** What you see is what visitors get, but for the site's own look. Only what is edited is written anew. */
export default function VisualEditor({ html, onChange }: VisualEditorProps) {
  const report = useRef(onChange);
  report.current = onChange;
  /** What was opened, as it was and as the editor would write it: until they differ, nothing has changed. */
  const opened = useRef<{ html: string; written: string }>(undefined);
  const shown = useRef(html);
  const upload = useRef<(files: readonly File[], at: number) => boolean>(() => false);
  const editor = useEditor({
    extensions: visualExtensions,
    content: html,
    injectNonce: nonce,
    editorProps: {
      attributes: { 'aria-label': words.body, 'aria-multiline': 'true', role: 'textbox', class: classes.visual! },
      nodeViews: visualNodeViews,
      transformPastedHTML: (pasted) => {
        const { html: clean, lostImages } = cleanPasted(pasted);
        if (lostImages > 0) showDone(words.lostImages(lostImages));
        return clean;
      },
      handlePaste: (view, event) => upload.current(pastedImages(event), view.state.selection.to),
      handleDrop: (view, event) => upload.current(imagesAmong(event.dataTransfer?.files), placeOf(view, event)),
    },
    onUpdate: ({ editor: changed }) => {
      const written = htmlOf(changed);
      const { html: original, written: untouched } = opened.current!;
      shown.current = written === untouched ? original : written;
      report.current(shown.current);
    },
  });
  // At once, and not when the editor says that it is there: somebody may have written something by then.
  opened.current ??= { html, written: htmlOf(editor) };
  useEffect(() => {
    if (html === shown.current) return;
    shown.current = html;
    editor.commands.setContent(html, { emitUpdate: false });
    opened.current = { html, written: htmlOf(editor) };
  }, [editor, html]);
  const questions = useAltQuestions(({ src }, alt) => setAltOf(editor, src, alt));
  upload.current = (files, at) => {
    uploadInto(editor, files, at, questions.ask);
    return files.length > 0;
  };
  return (
    <div className={classes.editor}>
      <VisualToolbar editor={editor} onFiles={(files) => upload.current(files, editor.state.selection.to)} />
      {questions.first ? (
        <AltQuestion
          src={questions.first.src}
          alt=""
          isNew
          onAnswer={(alt) => {
            questions.answer(alt);
            editor.commands.focus();
          }}
          onLater={questions.later}
        />
      ) : (
        <SelectedImage editor={editor} />
      )}
      <EditorContent editor={editor} className={classes.visualPlace} />
    </div>
  );
}

/** What the image shows that somebody has clicked on. */
function SelectedImage({ editor }: { editor: Editor }) {
  const image = useEditorState({
    editor,
    selector: ({ editor: { state } }) => {
      const { selection } = state;
      if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return null;
      return { src: String(selection.node.attrs.src ?? ''), alt: String(selection.node.attrs.alt ?? '') };
    },
  });
  if (!image) return null;
  const answer = (alt: string) => editor.chain().updateAttributes('image', { alt }).focus().run();
  return <AltQuestion {...image} isNew={false} onAnswer={answer} onLater={() => {}} />;
}
