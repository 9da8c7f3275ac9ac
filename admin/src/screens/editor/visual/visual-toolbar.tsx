import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react';
import { useEffect } from 'react';
import { isCommand } from '../../../parts/is-command.ts';
import { strings } from '../../../strings.ts';
import { EmbedDialog } from '../embeds/embed-dialog.tsx';
import { ImageDialog } from '../images/image-dialog.tsx';
import { LinkDialog } from '../toolbar/link-dialog.tsx';
import { tool } from '../toolbar/tool.tsx';
import { Toolbar, type ToolItem } from '../toolbar/toolbar.tsx';
import { useQuestion } from '../toolbar/use-question.ts';
import { selectedEmbed, setEmbed } from './embeds.ts';
import { inText } from './focus.ts';
import { headTable } from './tables.ts';
import { isTask, toggleTasks, withoutTasks } from './tasks.ts';
import { imageOf } from './uploads.ts';

const words = strings.editor;
const TABLE = { rows: 3, cols: 2, withHeaderRow: true };

interface VisualToolbarProps {
  readonly editor: Editor;
  /** Images that are to go where the cursor is. */
  readonly onFiles: (files: readonly File[]) => void;
  /** An image was put in by its address. */
  readonly onForeign: (src: string) => void;
}

/** The buttons of the visual editor, and what they ask. */
export function VisualToolbar({ editor, onFiles, onForeign }: VisualToolbarProps) {
  const { asking, ask, close, answer } = useQuestion();
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
      heading2: now.isActive('heading', { level: 2 }),
      heading3: now.isActive('heading', { level: 3 }),
      list: now.isActive('bulletList') && !isTask(now.state),
      tasks: isTask(now.state),
      numbers: now.isActive('orderedList'),
      quote: now.isActive('blockquote'),
      codeBlock: now.isActive('codeBlock'),
      link: now.isActive('link'),
      table: now.isActive('table'),
      embed: selectedEmbed(now.state) !== undefined,
      given: selectedEmbed(now.state),
      address: String(now.getAttributes('link').href ?? ''),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  const chain = () => inText(editor);
  // The selection goes back to where it was: the next key would overwrite the link.
  const onLinkHere = (change: (links: ChainedCommands) => ChainedCommands) => {
    const { selection } = editor.state;
    change(chain().extendMarkRange('link'))
      .command(({ tr }) => Boolean(tr.setSelection(selection.map(tr.doc, tr.mapping))))
      .run();
  };
  type Toggle = Exclude<keyof typeof on, 'table' | 'given' | 'address' | 'canUndo' | 'canRedo'>;
  const toggle = (name: Toggle, act: () => void) => tool(name, act, { isOn: on[name] });
  const command = (act: (commands: ChainedCommands) => ChainedCommands) => () => void act(chain()).run();
  const items: (ToolItem | 'gap')[] = [
    toggle(
      'bold',
      command((text) => text.toggleBold()),
    ),
    toggle(
      'italic',
      command((text) => text.toggleItalic()),
    ),
    toggle(
      'strike',
      command((text) => text.toggleStrike()),
    ),
    toggle(
      'code',
      command((text) => text.toggleCode()),
    ),
    'gap',
    toggle(
      'heading2',
      command((text) => text.toggleHeading({ level: 2 })),
    ),
    toggle(
      'heading3',
      command((text) => text.toggleHeading({ level: 3 })),
    ),
    // Tasks become a plain list, not text.
    toggle(
      'list',
      command((text) => (on.tasks ? text.command(withoutTasks) : text.toggleBulletList())),
    ),
    toggle(
      'numbers',
      command((text) => text.toggleOrderedList()),
    ),
    toggle('tasks', () => toggleTasks(editor)),
    toggle(
      'quote',
      command((text) => text.toggleBlockquote()),
    ),
    toggle(
      'codeBlock',
      command((text) => text.toggleCodeBlock()),
    ),
    'gap',
    toggle('link', () => ask('link')),
    tool('image', () => ask('image')),
    toggle('embed', () => ask('embed')),
    tool(
      'rule',
      command((text) => text.setHorizontalRule()),
    ),
    ...(on.table
      ? [
          tool(
            'addRow',
            command((text) => text.addRowAfter()),
          ),
          tool(
            'addColumn',
            command((text) => text.addColumnAfter().command(headTable(false))),
          ),
          tool(
            'removeRow',
            command((text) => text.deleteRow()),
          ),
          tool(
            'removeColumn',
            command((text) => text.deleteColumn()),
          ),
          tool(
            'removeTable',
            command((text) => text.deleteTable()),
            { isOn: true },
          ),
        ]
      : [
          tool(
            'table',
            command((text) => text.insertTable(TABLE).command(headTable(true))),
          ),
        ]),
    'gap',
    tool(
      'undo',
      command((text) => text.undo()),
      { isDisabled: !on.canUndo },
    ),
    tool(
      'redo',
      command((text) => text.redo()),
      { isDisabled: !on.canRedo },
    ),
  ];
  return (
    <>
      <Toolbar label={words.toolbar} items={items} />
      <LinkDialog
        opened={asking === 'link'}
        address={on.address}
        onClose={close}
        onRemove={answer(() => onLinkHere((links) => links.unsetLink()))}
        onLink={answer((href, label) => {
          const { empty } = editor.state.selection;
          const content = { type: 'text', text: label, marks: [{ type: 'link', attrs: { href } }] };
          if (empty && !on.link) chain().insertContent(content).run();
          else onLinkHere((links) => links.setLink({ href }));
        })}
      />
      <ImageDialog
        opened={asking === 'image'}
        onClose={close}
        onFiles={answer(onFiles)}
        onImage={answer((image) => {
          const content = { type: 'image', attrs: imageOf(image) };
          chain().insertContent(content).run();
          if (!image.width) onForeign(image.src);
        })}
      />
      <EmbedDialog
        opened={asking === 'embed'}
        given={on.given}
        onClose={close}
        onRemove={answer(() => chain().deleteSelection().run())}
        onEmbed={answer((attributes) => setEmbed(editor, attributes))}
        onTitle={answer((title) => setEmbed(editor, { title }))}
      />
    </>
  );
}
