import { type EditorState, NodeSelection } from '@tiptap/pm/state';
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react';
import { memo, type RefObject, useEffect } from 'react';
import { isCommand } from '../../../parts/is-command.ts';
import { strings } from '../../../strings.ts';
import { EmbedDialog } from '../embeds/embed-dialog.tsx';
import { ImageDialog } from '../images/image-dialog.tsx';
import { LinkDialog } from '../toolbar/link-dialog.tsx';
import { type ToolName, tool } from '../toolbar/tool.tsx';
import { Toolbar, type ToolItem } from '../toolbar/toolbar.tsx';
import { useOpenDialog } from '../toolbar/use-open-dialog.ts';
import { selectedEmbed, setEmbed } from './embeds.ts';
import { linkImage, linkOf, selectedImage } from './figure-commands.ts';
import { focusText } from './focus-text.ts';
import { putImage } from './insert-image.ts';
import { headTable } from './tables.ts';
import { isTask, toggleTasks, withoutTasks } from './tasks.ts';
import { imageOf } from './uploads.ts';

const words = strings.editor;
const TABLE = { rows: 3, cols: 2, withHeaderRow: true };

interface VisualToolbarProps {
  readonly editor: Editor;
  /** A ref, so that the toolbar is rendered only when its buttons change, and not with every save. */
  readonly images: RefObject<ImageInserter>;
}

/** Accepts images for the text. */
interface ImageInserter {
  /** Uploads images to the cursor's position. */
  readonly upload: (files: readonly File[]) => void;
  /** Reports images that were inserted by address. */
  readonly arrive: (sources: readonly string[]) => void;
}

export const VisualToolbar = memo(function VisualToolbar({ editor, images }: VisualToolbarProps) {
  const { asking, ask, close, answer } = useOpenDialog();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!editor.isFocused || !isCommand(event, 'k')) return;
      event.preventDefault();
      ask('link');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [editor]);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      pressed: {
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
        link: selectedLink(now.state) !== '' && (selectedLink(now.state) !== undefined || now.isActive('link')),
        removeTable: now.isActive('table'),
        embed: selectedEmbed(now.state) !== undefined,
      } as Partial<Record<ToolName, boolean>>,
      given: selectedEmbed(now.state),
      address: selectedLink(now.state) ?? String(now.getAttributes('link').href ?? ''),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  const chain = () => focusText(editor);
  // Restores the selection: otherwise the next keystroke would overwrite the link.
  const changeLink = (href: string | null) => {
    const { selection } = editor.state;
    const image = selection instanceof NodeSelection ? selectedImage(editor.state) : undefined;
    if (image) return linkImage(editor.view, image, href);
    const change = (links: ChainedCommands) => (href === null ? links.unsetLink() : links.setLink({ href }));
    change(chain().extendMarkRange('link'))
      .command(({ tr }) => Boolean(tr.setSelection(selection.map(tr.doc, tr.mapping))))
      .run();
  };
  const item = (name: ToolName, run: () => void, isDisabled = false) =>
    tool(name, run, { isDisabled, ...(name in state.pressed && { isOn: state.pressed[name] }) });
  const command = (name: ToolName, act: (text: ChainedCommands) => ChainedCommands, isDisabled?: boolean) =>
    item(name, () => void act(chain()).run(), isDisabled);
  const items: (ToolItem | 'gap')[] = [
    command('bold', (text) => text.toggleBold()),
    command('italic', (text) => text.toggleItalic()),
    command('strike', (text) => text.toggleStrike()),
    command('code', (text) => text.toggleCode()),
    'gap',
    command('heading2', (text) => text.toggleHeading({ level: 2 })),
    command('heading3', (text) => text.toggleHeading({ level: 3 })),
    // Tasks become a plain list, not text.
    command('list', (text) => (state.pressed.tasks ? text.command(withoutTasks) : text.toggleBulletList())),
    command('numbers', (text) => text.toggleOrderedList()),
    item('tasks', () => toggleTasks(editor)),
    command('quote', (text) => text.toggleBlockquote()),
    command('codeBlock', (text) => text.toggleCodeBlock()),
    'gap',
    item('link', () => ask('link')),
    item('image', () => ask('image')),
    item('embed', () => ask('embed')),
    command('rule', (text) => text.setHorizontalRule()),
    ...(state.pressed.removeTable
      ? [
          command('addRow', (text) => text.addRowAfter()),
          command('addColumn', (text) => text.addColumnAfter().command(headTable(false))),
          command('removeRow', (text) => text.deleteRow()),
          command('removeColumn', (text) => text.deleteColumn()),
          command('removeTable', (text) => text.deleteTable()),
        ]
      : [command('table', (text) => text.insertTable(TABLE).command(headTable(true)))]),
    'gap',
    command('undo', (text) => text.undo(), !state.canUndo),
    command('redo', (text) => text.redo(), !state.canRedo),
  ];
  return (
    <>
      <Toolbar label={words.toolbar} items={items} />
      <LinkDialog
        opened={asking === 'link'}
        address={state.address}
        onClose={close}
        onRemove={answer(() => changeLink(null))}
        onLink={answer((href, label) => {
          const { empty } = editor.state.selection;
          const content = { type: 'text', text: label, marks: [{ type: 'link', attrs: { href } }] };
          if (empty && !state.pressed.link) chain().insertContent(content).run();
          else changeLink(href);
        })}
      />
      <ImageDialog
        opened={asking === 'image'}
        onClose={close}
        onFiles={answer((files) => images.current.upload(files))}
        onImage={answer((image) => {
          putImage(editor, imageOf(image));
          if (!image.width) images.current.arrive([image.src]);
        })}
      />
      <EmbedDialog
        opened={asking === 'embed'}
        given={state.given}
        onClose={close}
        onRemove={answer(() => chain().deleteSelection().run())}
        onEmbed={answer((attributes) => setEmbed(editor, attributes))}
        onTitle={answer((title) => setEmbed(editor, { title }))}
      />
    </>
  );
});

/** Returns the address that the selected image links to: empty for no link, undefined if no image is selected. */
function selectedLink(state: EditorState): string | undefined {
  const image = state.selection instanceof NodeSelection ? selectedImage(state) : undefined;
  return image && linkOf(image);
}
