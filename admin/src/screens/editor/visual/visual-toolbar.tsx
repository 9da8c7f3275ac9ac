import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react';
import {
  Bold,
  Code,
  CodeXml,
  FoldHorizontal,
  FoldVertical,
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
  TableColumnsSplit,
  TableRowsSplit,
  Undo2,
} from 'lucide-react';
import { useEffect } from 'react';
import { isCommand } from '../../../parts/is-command.ts';
import { strings } from '../../../strings.ts';
import { EmbedDialog } from '../embeds/embed-dialog.tsx';
import { ImageDialog } from '../images/image-dialog.tsx';
import { LinkDialog } from '../toolbar/link-dialog.tsx';
import { Toolbar, type ToolItem } from '../toolbar/toolbar.tsx';
import { useQuestion } from '../toolbar/use-question.ts';
import { selectedEmbed, setEmbed } from './embeds.ts';
import { inText } from './focus.ts';
import { headTable } from './tables.ts';
import { isTask, toggleTasks, withoutTasks } from './tasks.ts';
import { imageOf } from './uploads.ts';

const words = strings.editor;

interface VisualToolbarProps {
  readonly editor: Editor;
  /** Images that are to go where the cursor is. */
  readonly onFiles: (files: readonly File[]) => void;
  /** An image was put in by its address. */
  readonly onForeign: (src: string) => void;
}

/** The buttons of the visual editor, and what they ask. */
export function VisualToolbar({ editor, onFiles, onForeign }: VisualToolbarProps) {
  const { asking, ask, close } = useQuestion();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!editor.isFocused || !isCommand(event, 'k')) return;
      event.preventDefault();
      ask('link');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [editor]);
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      strike: now.isActive('strike'),
      code: now.isActive('code'),
      h2: now.isActive('heading', { level: 2 }),
      h3: now.isActive('heading', { level: 3 }),
      list: now.isActive('bulletList') && !isTask(now.state),
      tasks: isTask(now.state),
      numbers: now.isActive('orderedList'),
      quote: now.isActive('blockquote'),
      block: now.isActive('codeBlock'),
      link: now.isActive('link'),
      table: now.isActive('table'),
      embed: selectedEmbed(now.state),
      address: String(now.getAttributes('link').href ?? ''),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  const chain = () => inText(editor);
  // What is selected for that is selected no longer: whoever writes on would write over the link.
  const onLinkHere = (change: (links: ChainedCommands) => ChainedCommands) => {
    const { selection } = editor.state;
    change(chain().extendMarkRange('link'))
      .command(({ tr }) => Boolean(tr.setSelection(selection.map(tr.doc, tr.mapping))))
      .run();
  };
  const items: (ToolItem | 'gap')[] = [
    {
      label: words.bold,
      keys: words.ctrl('B'),
      icon: <Bold size={17} />,
      isOn: on.bold,
      run: () => chain().toggleBold().run(),
    },
    {
      label: words.italic,
      keys: words.ctrl('I'),
      icon: <Italic size={17} />,
      isOn: on.italic,
      run: () => chain().toggleItalic().run(),
    },
    {
      label: words.strike,
      icon: <Strikethrough size={17} />,
      isOn: on.strike,
      run: () => chain().toggleStrike().run(),
    },
    {
      label: words.code,
      keys: words.ctrl('E'),
      icon: <Code size={17} />,
      isOn: on.code,
      run: () => chain().toggleCode().run(),
    },
    'gap',
    {
      label: words.heading2,
      icon: <Heading2 size={17} />,
      isOn: on.h2,
      run: () => chain().toggleHeading({ level: 2 }).run(),
    },
    {
      label: words.heading3,
      icon: <Heading3 size={17} />,
      isOn: on.h3,
      run: () => chain().toggleHeading({ level: 3 }).run(),
    },
    {
      label: words.list,
      icon: <List size={17} />,
      isOn: on.list,
      // Tasks become what else a list has, and not text.
      run: () => (on.tasks ? chain().command(withoutTasks) : chain().toggleBulletList()).run(),
    },
    {
      label: words.numbers,
      icon: <ListOrdered size={17} />,
      isOn: on.numbers,
      run: () => chain().toggleOrderedList().run(),
    },
    { label: words.tasks, icon: <ListTodo size={17} />, isOn: on.tasks, run: () => toggleTasks(editor) },
    { label: words.quote, icon: <Quote size={17} />, isOn: on.quote, run: () => chain().toggleBlockquote().run() },
    { label: words.codeBlock, icon: <CodeXml size={17} />, isOn: on.block, run: () => chain().toggleCodeBlock().run() },
    'gap',
    {
      label: words.link,
      keys: words.ctrl('K'),
      icon: <LinkIcon size={17} />,
      isOn: on.link,
      run: () => ask('link'),
    },
    { label: words.image, icon: <Image size={17} />, run: () => ask('image') },
    {
      label: words.embed,
      icon: <SquarePlay size={17} />,
      isOn: on.embed !== undefined,
      run: () => ask('embed'),
    },
    { label: words.rule, icon: <Minus size={17} />, run: () => chain().setHorizontalRule().run() },
    ...(on.table
      ? ([
          { label: words.addRow, icon: <TableRowsSplit size={17} />, run: () => chain().addRowAfter().run() },
          {
            label: words.addColumn,
            icon: <TableColumnsSplit size={17} />,
            run: () => chain().addColumnAfter().command(headTable(false)).run(),
          },
          { label: words.removeRow, icon: <FoldVertical size={17} />, run: () => chain().deleteRow().run() },
          { label: words.removeColumn, icon: <FoldHorizontal size={17} />, run: () => chain().deleteColumn().run() },
          { label: words.removeTable, icon: <Table size={17} />, isOn: true, run: () => chain().deleteTable().run() },
        ] satisfies ToolItem[])
      : ([
          {
            label: words.table,
            icon: <Table size={17} />,
            run: () => chain().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).command(headTable(true)).run(),
          },
        ] satisfies ToolItem[])),
    'gap',
    {
      label: strings.undo,
      keys: words.ctrl('Z'),
      icon: <Undo2 size={17} />,
      isDisabled: !on.canUndo,
      run: () => chain().undo().run(),
    },
    { label: words.redo, icon: <Redo2 size={17} />, isDisabled: !on.canRedo, run: () => chain().redo().run() },
  ];
  return (
    <>
      <Toolbar label={words.toolbar} items={items} />
      <LinkDialog
        opened={asking === 'link'}
        address={on.address}
        onClose={close}
        onRemove={() => {
          close();
          onLinkHere((links) => links.unsetLink());
        }}
        onLink={(href, label) => {
          close();
          const { empty } = editor.state.selection;
          if (empty && !on.link) {
            chain()
              .insertContent({ type: 'text', text: label, marks: [{ type: 'link', attrs: { href } }] })
              .run();
          } else onLinkHere((links) => links.setLink({ href }));
        }}
      />
      <ImageDialog
        opened={asking === 'image'}
        onClose={close}
        onFiles={(files) => {
          close();
          onFiles(files);
        }}
        onImage={(image) => {
          close();
          chain()
            .insertContent({ type: 'image', attrs: imageOf(image) })
            .run();
          if (!image.width) onForeign(image.src);
        }}
      />
      <EmbedDialog
        opened={asking === 'embed'}
        given={on.embed}
        onClose={close}
        onRemove={() => {
          close();
          chain().deleteSelection().run();
        }}
        onEmbed={(attributes) => {
          close();
          setEmbed(editor, attributes);
        }}
        onTitle={(title) => {
          close();
          setEmbed(editor, { title });
        }}
      />
    </>
  );
}
