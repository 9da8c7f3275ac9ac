import type { Slice } from '@tiptap/pm/model';
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { nonce } from '../../../nonce.ts';
import { imagesAmong } from '../../../own-images.ts';
import { SmallButton } from '../../../parts/small-button.tsx';
import { showDone } from '../../../parts/undo.tsx';
import { useFocusOnNew } from '../../../parts/use-focus-on-new.ts';
import { useSession } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';
import { useImageNotices } from '../images/use-image-notices.tsx';
import { coveredMargins, EditorBar } from '../toolbar/editor-bar.tsx';
import { readBody } from './body/read-body.ts';
import { bodyWriter } from './body/write-body.ts';
import { visualExtensions, visualNodeViews } from './extensions.ts';
import { placeForFiles } from './file-drop.ts';
import { focusText } from './focus-text.ts';
import { hideFromReact } from './hide-from-react.ts';
import { EDIT_HTML } from './html-block.ts';
import { HtmlBlockDialog } from './html-block-dialog.tsx';
import { imagesAlone } from './insert-image.ts';
import { type CleanedPaste, cleanPasted } from './paste.ts';
import { replaceHtml } from './replace-html.ts';
import { SelectedImage } from './selected-image.tsx';
import {
  dropPosition,
  imagesIn,
  insertPasted,
  pastedImages,
  replaceImage,
  setAltOf,
  showImage,
  uploadInto,
} from './uploads.ts';
import { VisualToolbar } from './visual-toolbar.tsx';

const words = strings.editor;

interface VisualEditorProps {
  readonly html: string;
  readonly isNew: boolean;
  readonly onType: (read: () => string) => void;
  readonly onSource: () => void;
}

/** From this number of blocks, a keystroke takes noticeably long on a slow computer. */
const MANY_BLOCKS = 2000;

/** Edits a body nearly as visitors see it, without the site's theme. Only edited blocks are rewritten. */
export default function VisualEditor({ html, isNew, onType, onSource }: VisualEditorProps) {
  const report = useRef(onType);
  report.current = onType;
  const [opened] = useState(() => ({ html, ...readBody(html) }));
  /** Writes the document as HTML, based on the opened body. */
  const write = useRef<{ editor: Editor; body: ReturnType<typeof bodyWriter> }>(undefined);
  const shown = useRef(html);
  /** The position of the HTML block whose source is being edited. */
  const [block, setBlock] = useState<number>();
  const { address } = useSession().account;
  /** The cleaned clipboard, between reading and inserting it. */
  const pasted = useRef<CleanedPaste>(undefined);
  const insert = useRef<(slice: Slice, files: readonly File[], at?: number) => boolean>(() => false);
  const editor = useEditor({
    extensions: visualExtensions,
    content: opened.content,
    injectNonce: nonce,
    editorProps: {
      attributes: {
        'aria-label': words.body,
        'aria-multiline': 'true',
        'aria-placeholder': words.placeholder,
        role: 'textbox',
        class: classes.visual!,
      },
      nodeViews: visualNodeViews,
      scrollThreshold: coveredMargins,
      scrollMargin: coveredMargins,
      transformPastedHTML: (clipboard) => {
        pasted.current = cleanPasted(clipboard, address);
        return pasted.current.html;
      },
      handleDOMEvents: {
        keydown: readSelection,
        paste: readSelection,
        [EDIT_HTML]: (_view, event) => setBlock((event as CustomEvent<number>).detail),
      },
      handlePaste: (_view, event, slice) => insert.current(slice, pastedImages(event)),
      handleDrop: (view, event, slice) => {
        const [place, files] = [dropPosition(view, event), imagesAmong(event.dataTransfer?.files)];
        return insert.current(slice, files, files.length > 0 ? placeForFiles(view, place) : place);
      },
    },
    onUpdate: ({ editor: changed }) => {
      const { doc } = changed.state;
      const { body } = write.current!;
      report.current(() => {
        shown.current = body(doc);
        return shown.current;
      });
    },
  });
  // Set during rendering and not in a "created" callback: the user may have typed by then. If the screen is slow to appear,
  // Tiptap creates the editor again, with other block objects.
  if (write.current?.editor !== editor) {
    write.current = { editor, body: bodyWriter(opened.html, opened.sources, editor.state.doc) };
  }
  useLayoutEffect(() => {
    if (!editor.isDestroyed) hideFromReact(editor.view.dom);
  }, [editor]);
  // A layout effect, so that the user cannot type into the old text first.
  useLayoutEffect(() => {
    if (html === shown.current) return;
    shown.current = html;
    const { content, sources } = readBody(html);
    editor.commands.setContent(content, { emitUpdate: false });
    write.current = { editor, body: bodyWriter(html, sources, editor.state.doc) };
  }, [editor, html]);
  useFocusOnNew(isNew, editor, () => {
    if (!editor.isDestroyed) editor.view.focus();
  });
  const images = useEditorState({ editor, selector: ({ editor: now }) => imagesIn(now.state.doc) });
  const blocks = useEditorState({ editor, selector: ({ editor: now }) => roundedBlocks(now.state.doc.childCount) });
  const { arrive, batch, isAsking, pinned, notices } = useImageNotices({
    images,
    setAlt: (src, alt) => setAltOf(editor, src, alt),
    replace: (src, media) => {
      if (!editor.isDestroyed) replaceImage(editor, src, media);
    },
    show: (src) => showImage(editor, src),
    focus: () => focusText(editor).run(),
  });
  const upload = (files: readonly File[], at = editor.state.selection.to) => {
    uploadInto(editor, batch, files, at, arrive);
    return files.length > 0;
  };
  insert.current = (slice, files, at) => {
    const clipboard = pasted.current;
    pasted.current = undefined;
    if (upload(files, at)) return true;
    if (!clipboard) return false;
    if (clipboard.lostImages > 0) showDone(words.lostImages(clipboard.lostImages));
    arrive(clipboard.foreign.map(({ src }) => src));
    const isImageAlone = clipboard.foreign.length > 0 && imagesAlone(slice) !== undefined;
    if (clipboard.files.size === 0 && !isImageAlone) return false;
    insertPasted(editor, batch, slice, at, clipboard.files, arrive);
    return true;
  };
  const latest = useRef({ upload, arrive });
  latest.current = { upload, arrive };
  return (
    <div className={classes.editor}>
      <EditorBar>
        <VisualToolbar editor={editor} images={latest} />
        {pinned}
        {!isAsking && <SelectedImage editor={editor} batch={batch} onArrive={arrive} />}
      </EditorBar>
      {blocks > 0 && (
        <div className={classes.pinned}>
          <span>{words.longPage(blocks)}</span>
          <SmallButton onClick={onSource}>{words.asSource}</SmallButton>
        </div>
      )}
      {notices}
      <EditorContent editor={editor} className={classes.visualPlace} />
      <HtmlBlockDialog
        html={block === undefined ? undefined : editor.state.doc.nodeAt(block)?.attrs.html}
        onClose={() => setBlock(undefined)}
        onSave={(source) => {
          setBlock(undefined);
          replaceHtml(editor, block!, source);
        }}
      />
    </div>
  );
}

/** Returns the number of blocks, rounded down to hundreds so that the notice seldom changes, or 0 if there are few. */
function roundedBlocks(count: number): number {
  return count < MANY_BLOCKS ? 0 : Math.floor(count / 100) * 100;
}

/**
 * Makes the editor read the selection before it handles a key. Browsers may report a new selection only after the next key:
 * on a busy machine, Ctrl + B right after Shift + End would apply to the former selection.
 */
function readSelection(_view: unknown, event: KeyboardEvent | ClipboardEvent): boolean {
  if (!('isComposing' in event && event.isComposing)) document.dispatchEvent(new Event('selectionchange'));
  return false;
}
