import { redo, undo } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';
import { ImageDialog } from '../images/image-dialog.tsx';
import { changeImage } from '../images/image-in-source.ts';
import { figureHtml, htmlImage } from '../images/image-markup.ts';
import { imagesInHtml } from '../images/written-images.ts';
import { EditorBar } from '../toolbar/editor-bar.tsx';
import { tool } from '../toolbar/tool.tsx';
import { Toolbar } from '../toolbar/toolbar.tsx';
import { useOpenDialog } from '../toolbar/use-open-dialog.ts';
import { insertBlock } from './commands.ts';
import { insertInLine } from './image-place.ts';
import { useCodeMirror } from './use-code-mirror.ts';
import { useCodeUploads } from './use-code-uploads.tsx';

interface SourceEditorProps {
  readonly text: string;
  readonly onType: (read: () => string) => void;
}

/** Edits HTML source, for content that the visual editor would not keep. */
export default function SourceEditor({ text, onType }: SourceEditorProps) {
  const { asking, ask, close, answer } = useOpenDialog();
  const uploads = useCodeUploads({ write: htmlImage, find: imagesInHtml, insert: insertInLine });
  const { place, view } = useCodeMirror({
    label: strings.editor.source,
    prompt: strings.editor.sourcePlaceholder,
    text,
    language: () => html(),
    extension: uploads.extension,
    onType,
  });
  const items = [
    tool('image', () => ask('image')),
    tool('undo', () => view && undo(view)),
    tool('redo', () => view && redo(view)),
  ];
  const image = view && asking === 'image' ? uploads.imageAt(view) : undefined;
  const told = view && uploads.noticesOf(view);
  return (
    <div className={classes.editor}>
      <EditorBar>
        <Toolbar label={strings.editor.toolbar} items={items} />
        {told?.asked}
      </EditorBar>
      {told?.notices}
      <div ref={place} className={classes.code} />
      <ImageDialog
        opened={asking === 'image'}
        hasFigure
        given={image?.image}
        onClose={close}
        onFiles={answer((files) => view && uploads.upload(view, files, image))}
        onImage={answer((now) => {
          if (!view) return;
          (image ? changeImage(image, now) : insertBlock(figureHtml(now) ?? htmlImage(now)))(view);
          view.focus();
          if (!now.width && now.src !== image?.image.src) uploads.arrive([now.src]);
        })}
      />
    </div>
  );
}
