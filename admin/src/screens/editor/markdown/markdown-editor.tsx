import { redo, undo } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import type { StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';
import { useState } from 'react';
import { useFocusOnNew } from '../../../parts/use-focus-on-new.ts';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';
import { frameHtml } from '../embeds/embed-code.ts';
import { EmbedDialog } from '../embeds/embed-dialog.tsx';
import { ImageDialog } from '../images/image-dialog.tsx';
import { changeImage } from '../images/image-in-source.ts';
import { figureHtml, markdownImage } from '../images/image-markup.ts';
import { imagesInMarkdown } from '../images/written-images.ts';
import { EditorBar } from '../toolbar/editor-bar.tsx';
import { LinkDialog } from '../toolbar/link-dialog.tsx';
import { tool } from '../toolbar/tool.tsx';
import { Toolbar, type ToolItem } from '../toolbar/toolbar.tsx';
import { useOpenDialog } from '../toolbar/use-open-dialog.ts';
import { insertBlock, toggleAround, toggleCodeBlock, toggleLines } from './commands.ts';
import { insertInMarkdown, placeForFiles } from './image-place.ts';
import { linkAt, removeLink, setLink } from './links.ts';
import { useCodeMirror } from './use-code-mirror.ts';
import { useCodeUploads } from './use-code-uploads.tsx';

const words = strings.editor;
const TABLE = `| ${words.tableHeaders.join(' | ')} |\n| --- | --- |\n| | |`;

interface MarkdownEditorProps {
  readonly text: string;
  readonly isNew: boolean;
  readonly onType: (read: () => string) => void;
}

/** Edits Markdown source, with buttons and shortcuts for users who do not know its syntax. */
export default function MarkdownEditor({ text, isNew, onType }: MarkdownEditorProps) {
  const { asking, ask, close, answer } = useOpenDialog();
  const [keys] = useState<KeyBinding[]>(() => [
    { key: 'Mod-b', run: toggleAround('**') },
    { key: 'Mod-i', run: toggleAround('*') },
    { key: 'Mod-e', run: toggleAround('`') },
    { key: 'Mod-Alt-2', run: toggleLines('## ') },
    { key: 'Mod-Alt-3', run: toggleLines('### ') },
    {
      key: 'Mod-k',
      run: () => {
        ask('link');
        return true;
      },
    },
  ]);
  const uploads = useCodeUploads({
    write: markdownImage,
    find: imagesInMarkdown,
    insert: insertInMarkdown,
    placeForFiles,
  });
  const { place, view } = useCodeMirror({
    label: words.body,
    prompt: words.placeholder,
    text,
    language: () => markdown({ base: markdownLanguage }),
    keys,
    extension: uploads.extension,
    onType,
  });
  useFocusOnNew(isNew && view !== undefined, view, () => view?.focus());
  const run = (command: StateCommand) => {
    if (!view) return;
    command(view);
    view.focus();
  };
  const items: (ToolItem | 'gap')[] = [
    tool('bold', () => run(toggleAround('**'))),
    tool('italic', () => run(toggleAround('*'))),
    tool('strike', () => run(toggleAround('~~'))),
    tool('code', () => run(toggleAround('`'))),
    'gap',
    tool('heading2', () => run(toggleLines('## '))),
    tool('heading3', () => run(toggleLines('### '))),
    tool('list', () => run(toggleLines('- '))),
    tool('numbers', () => run(toggleLines('1. '))),
    tool('tasks', () => run(toggleLines('- [ ] '))),
    tool('quote', () => run(toggleLines('> '))),
    tool('codeBlock', () => run(toggleCodeBlock)),
    'gap',
    tool('link', () => ask('link')),
    tool('image', () => ask('image')),
    tool('embed', () => ask('embed')),
    tool('table', () => run(insertBlock(TABLE))),
    tool('rule', () => run(insertBlock('---'))),
    'gap',
    tool('undo', () => view && undo(view)),
    tool('redo', () => view && redo(view)),
  ];
  const link = view && asking === 'link' ? linkAt(view.state) : undefined;
  const image = view && asking === 'image' ? uploads.imageAt(view) : undefined;
  const told = view && uploads.noticesOf(view);
  return (
    <div className={classes.editor}>
      <EditorBar>
        <Toolbar label={words.toolbar} items={items} />
        {told?.asked}
      </EditorBar>
      {told?.notices}
      <div ref={place} className={classes.code} />
      <LinkDialog
        opened={asking === 'link'}
        {...(link && { address: link.address })}
        onClose={close}
        {...(link?.label && { onRemove: answer(() => run(removeLink)) })}
        onLink={answer((address, label) => run(setLink(address, label)))}
      />
      <ImageDialog
        opened={asking === 'image'}
        hasFigure
        given={image?.image}
        onClose={close}
        onFiles={answer((files) => view && uploads.upload(view, files, image))}
        onImage={answer((now) => {
          run(image ? changeImage(image, now) : insertBlock(figureHtml(now) ?? markdownImage(now)));
          if (!now.width && now.src !== image?.image.src) uploads.arrive([now.src]);
        })}
      />
      <EmbedDialog
        opened={asking === 'embed'}
        onClose={close}
        onEmbed={answer((attributes) => run(insertBlock(frameHtml(attributes))))}
      />
    </div>
  );
}
