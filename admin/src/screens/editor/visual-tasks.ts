import { Node } from '@tiptap/core';
import type { Node as Content } from '@tiptap/pm/model';
import type { EditorView } from '@tiptap/pm/view';
import { strings } from '../../strings.ts';

const flag = (name: 'checked' | 'disabled') => ({
  default: false,
  parseHTML: (element: HTMLElement) => element.hasAttribute(name),
  renderHTML: (values: Record<string, unknown>) => (values[name] ? { [name]: '' } : {}),
});

/** The box before a task. Here it is ticked by clicking on it; on the site it is only looked at. */
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
    // The box stays the same one, with the keyboard at it.
    update: (now: Content) => {
      if (now.type !== type) return false;
      dom.checked = Boolean(now.attrs.checked);
      return true;
    },
    stopEvent: () => true,
  };
}
