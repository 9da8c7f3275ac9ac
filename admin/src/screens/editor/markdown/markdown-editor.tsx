import { redo, undo } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import type { StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';
import {
  Bold,
  Code,
  CodeXml,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  ListTodo,
  Minus,
  Quote,
  Redo2,
  SquarePlay,
  Strikethrough,
  Table,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import { strings } from '../../../strings.ts';
import classes from '../editor.module.css';
import { frameHtml } from '../embeds/embed-code.ts';
import { EmbedDialog } from '../embeds/embed-dialog.tsx';
import { ImageDialog } from '../images/image-dialog.tsx';
import { markdownImage } from '../images/image-signs.ts';
import { imagesInMarkdown } from '../images/written-images.ts';
import { EditorBar } from '../toolbar/editor-bar.tsx';
import { LinkDialog } from '../toolbar/link-dialog.tsx';
import { Toolbar, type ToolItem } from '../toolbar/toolbar.tsx';
import { useQuestion } from '../toolbar/use-question.ts';
import { insertBlock, toggleAround, toggleCodeBlock, toggleLines } from './commands.ts';
import { linkAt, removeLink, setLink } from './links.ts';
import { useCodeMirror } from './use-code-mirror.ts';
import { useCodeUploads } from './use-code-uploads.tsx';

const words = strings.editor;
const TABLE = `| ${words.tableHeaders.join(' | ')} |\n| --- | --- |\n| | |`;

interface MarkdownEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Markdown as text, with buttons and keys for those who do not know its signs by heart. */
export default function MarkdownEditor({ text, onChange }: MarkdownEditorProps) {
  const { asking, ask, close } = useQuestion();
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
  const uploads = useCodeUploads({ write: markdownImage, find: imagesInMarkdown });
  const { place, view } = useCodeMirror({
    label: words.body,
    text,
    language: () => markdown({ base: markdownLanguage }),
    keys,
    more: uploads.extension,
    onChange,
  });
  const run = (command: StateCommand) => {
    if (!view) return;
    command(view);
    view.focus();
  };
  const items: (ToolItem | 'gap')[] = [
    { label: words.bold, keys: words.ctrl('B'), icon: <Bold size={17} />, run: () => run(toggleAround('**')) },
    { label: words.italic, keys: words.ctrl('I'), icon: <Italic size={17} />, run: () => run(toggleAround('*')) },
    { label: words.strike, icon: <Strikethrough size={17} />, run: () => run(toggleAround('~~')) },
    { label: words.code, keys: words.ctrl('E'), icon: <Code size={17} />, run: () => run(toggleAround('`')) },
    'gap',
    { label: words.heading2, icon: <Heading2 size={17} />, run: () => run(toggleLines('## ')) },
    { label: words.heading3, icon: <Heading3 size={17} />, run: () => run(toggleLines('### ')) },
    { label: words.list, icon: <List size={17} />, run: () => run(toggleLines('- ')) },
    { label: words.numbers, icon: <ListOrdered size={17} />, run: () => run(toggleLines('1. ')) },
    { label: words.tasks, icon: <ListTodo size={17} />, run: () => run(toggleLines('- [ ] ')) },
    { label: words.quote, icon: <Quote size={17} />, run: () => run(toggleLines('> ')) },
    { label: words.codeBlock, icon: <CodeXml size={17} />, run: () => run(toggleCodeBlock) },
    'gap',
    { label: words.link, keys: words.ctrl('K'), icon: <LinkIcon size={17} />, run: () => ask('link') },
    { label: words.image, icon: <Image size={17} />, run: () => ask('image') },
    { label: words.embed, icon: <SquarePlay size={17} />, run: () => ask('embed') },
    { label: words.table, icon: <Table size={17} />, run: () => run(insertBlock(TABLE)) },
    { label: words.rule, icon: <Minus size={17} />, run: () => run(insertBlock('---')) },
    'gap',
    { label: strings.undo, keys: words.ctrl('Z'), icon: <Undo2 size={17} />, run: () => view && undo(view) },
    { label: words.redo, icon: <Redo2 size={17} />, run: () => view && redo(view) },
  ];
  const link = view && asking === 'link' ? linkAt(view.state) : undefined;
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
        {...(link?.label && {
          onRemove: () => {
            close();
            run(removeLink);
          },
        })}
        onLink={(address, label) => {
          close();
          run(setLink(address, label));
        }}
      />
      <ImageDialog
        opened={asking === 'image'}
        onClose={close}
        onFiles={(files) => {
          close();
          if (view) uploads.upload(view, files);
        }}
        onImage={(image) => {
          close();
          run(insertBlock(markdownImage(image)));
          if (!image.width) uploads.arrive([image.src]);
        }}
      />
      <EmbedDialog
        opened={asking === 'embed'}
        onClose={close}
        onEmbed={(attributes) => {
          close();
          run(insertBlock(frameHtml(attributes)));
        }}
      />
    </div>
  );
}
