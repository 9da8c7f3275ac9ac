import { type Command, type Editor, Extension, Node } from '@tiptap/core';
import type { Node as Content } from '@tiptap/pm/model';
import type { EditorState, Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { strings } from '../../../strings.ts';
import { focusText } from './focus-text.ts';

const flag = (name: 'checked' | 'disabled') => ({
  default: false,
  parseHTML: (element: HTMLElement) => element.hasAttribute(name),
  renderHTML: (values: Record<string, unknown>) => (values[name] ? { [name]: '' } : {}),
});

/** The checkbox before a task. It can be ticked in the editor, but is read-only on the site. */
export const TaskBox = Node.create({
  name: 'taskBox',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ checked: flag('checked'), disabled: flag('disabled') }),
  parseHTML: () => [{ tag: 'input[type="checkbox"]' }],
  renderHTML: ({ HTMLAttributes }) => ['input', { ...HTMLAttributes, type: 'checkbox' }],
  addNodeView:
    () =>
    ({ node, view, getPos }) =>
      taskBox(node, view, getPos),
});

/** Enter adds a task, or ends the list in an empty task. Backspace next to a checkbox deletes the checkbox. */
export const TaskKeys = Extension.create({
  name: 'taskKeys',
  // Handles keys before the list extensions do.
  priority: 200,
  addKeyboardShortcuts() {
    const atTask = (which: 'empty' | 'begin') => isTask(this.editor.state) && isAt(this.editor.state, which);
    return {
      Enter: () => {
        if (!isTask(this.editor.state)) return false;
        const chain = this.editor.chain();
        if (atTask('empty')) return chain.command(withoutTasks).liftListItem('listItem').run();
        return chain.splitListItem('listItem').command(asTasks).scrollIntoView().run();
      },
      Backspace: () => atTask('begin') && this.editor.commands.command(withoutTasks),
    };
  },
});

/* The class names that the sites' renderer gives to the parts of a task, and that the themes style. */
const LIST = 'contains-task-list';
const ITEM = 'task-list-item';
const BOX = 'task-list-item-checkbox';

interface Item {
  readonly node: Content;
  readonly at: number;
  readonly list: Content;
}

/** Returns the items of bulleted lists whose own line the selection touches. */
function itemsIn(state: Pick<Transaction, 'doc' | 'selection'>): Item[] {
  return allItemsIn(state).filter(({ list }) => list.type.name === 'bulletList');
}

function allItemsIn({ doc, selection: { from, to } }: Pick<Transaction, 'doc' | 'selection'>): Item[] {
  const items: Item[] = [];
  doc.nodesBetween(from, to, (node, at, list) => {
    if (node.type.name !== 'listItem' || !list) return;
    const end = at + 1 + node.firstChild!.nodeSize;
    if (end > from && at < to) items.push({ node, at, list });
  });
  return items;
}

function boxOf({ node }: Item): Content | undefined {
  const first = node.firstChild?.firstChild;
  return first?.type.name === 'taskBox' ? first : undefined;
}

/** True if all selected list items are tasks. */
export function isTask(state: Pick<EditorState, 'doc' | 'selection'>): boolean {
  const items = itemsIn(state);
  return items.length > 0 && items.every((item) => boxOf(item) !== undefined);
}

/** Turns the selection into tasks, or tasks into text. */
export function toggleTasks(editor: Editor): void {
  const chain = focusText(editor);
  if (isTask(editor.state)) chain.command(withoutTasks).toggleBulletList().run();
  else if (allItemsIn(editor.state).length > 0) chain.command(asItems).command(asTasks).run();
  else chain.toggleBulletList().command(asTasks).run();
}

/** Turns everything selected into one bulleted list: paragraphs, headings and numbered lists, too. */
const asItems: Command = ({ tr, state: { schema } }) => {
  const { paragraph, heading, bulletList, listItem, table } = schema.nodes;
  for (const { at, list } of allItemsIn(tr)) {
    if (list.type !== bulletList) tr.setNodeMarkup(tr.doc.resolve(at).before(), bulletList!);
  }
  const { from, to } = tr.selection;
  const blocks: number[] = [];
  tr.doc.nodesBetween(from, to, (node, at, parent) => {
    // Leaves the cells of a wholly selected table alone.
    if (node.type === table) return at < from && to < at + node.nodeSize;
    const isText = node.type === paragraph || node.type === heading;
    // Blank lines do not become items.
    if (isText && node.childCount > 0 && parent?.type !== listItem && at + 1 < to) blocks.push(at);
    return true;
  });
  for (const at of blocks.toReversed()) {
    tr.setBlockType(at + 1, at + 1, paragraph!);
    const place = tr.doc.resolve(at + 1);
    tr.wrap(place.blockRange(place)!, [{ type: bulletList! }, { type: listItem! }]);
  }
  const seams: number[] = [];
  tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, at) => {
    const end = at + node.nodeSize;
    const next = tr.doc.resolve(end).nodeAfter;
    if (node.type === bulletList && next?.type === bulletList && end < tr.selection.to) seams.push(end);
  });
  for (const seam of seams.toSorted((one, other) => other - one)) tr.join(seam);
  return true;
};

const asTasks: Command = ({ tr, state: { schema } }) => {
  for (const item of itemsIn(tr).toReversed()) {
    if (boxOf(item)) continue;
    const { list } = item;
    const listAt = tr.doc.resolve(item.at).before();
    if (!list.attrs.class) tr.setNodeAttribute(listAt, 'class', LIST);
    if (!item.node.attrs.class) tr.setNodeAttribute(item.at, 'class', ITEM);
    tr.insert(item.at + 2, [schema.nodes.taskBox!.create({ class: BOX }), schema.text(' ')]);
  }
  return true;
};

/** Removes the checkboxes and keeps the list. */
export const withoutTasks: Command = ({ tr }) => {
  for (const item of itemsIn(tr).toReversed()) {
    if (!boxOf(item)) continue;
    const isSpaced = item.node.firstChild!.maybeChild(1)?.text?.startsWith(' ');
    tr.delete(item.at + 2, item.at + 3 + (isSpaced ? 1 : 0));
    if (item.node.attrs.class === ITEM) tr.setNodeAttribute(item.at, 'class', null);
    const $item = tr.doc.resolve(item.at);
    let isTaskList = false;
    $item.parent.forEach(({ attrs }) => {
      isTaskList ||= attrs.class === ITEM;
    });
    if (!isTaskList && $item.parent.attrs.class === LIST) tr.setNodeAttribute($item.before(), 'class', null);
  }
  return true;
};

/** True if the cursor is in an empty task, or next to a task's checkbox with no text before it. */
function isAt({ selection: { empty, $from } }: EditorState, which: 'empty' | 'begin'): boolean {
  if (!empty || $from.node(-1).type.name !== 'listItem' || $from.index(-1) !== 0) return false;
  if (which === 'empty') return $from.parent.textContent.trim() === '' && $from.parent.childCount <= 2;
  return $from.parentOffset <= 1 || ($from.parentOffset === 2 && $from.parent.textBetween(1, 2) === ' ');
}

export function taskBox({ type, attrs }: Content, view: EditorView, getPos: () => number | undefined) {
  const dom = document.createElement('input');
  dom.type = 'checkbox';
  dom.checked = Boolean(attrs.checked);
  dom.setAttribute('aria-label', strings.editor.taskDone);
  dom.addEventListener('change', () => {
    const at = getPos();
    if (at !== undefined) view.dispatch(view.state.tr.setNodeAttribute(at, 'checked', dom.checked));
  });
  return {
    dom,
    // Reuses the element, which keeps its focus.
    update: (now: Content) => {
      if (now.type !== type) return false;
      dom.checked = Boolean(now.attrs.checked);
      return true;
    },
    stopEvent: () => true,
  };
}
