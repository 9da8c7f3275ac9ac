import type { StateCore, Token } from 'markdown-it';

/**
 * Adds a checkbox to items that begin with `[ ]` or `[x]`. No package is used, since the existing one looks for the list of
 * each item from the item upwards, which takes seconds in a list of ten thousand tasks.
 */
export function markTasks(state: StateCore): void {
  const lists: Token[] = [];
  state.tokens.forEach((token, index) => {
    if (/^(?:bullet|ordered)_list_open$/.test(token.type)) lists.push(token);
    else if (/^(?:bullet|ordered)_list_close$/.test(token.type)) lists.pop();
    else if (token.type === 'list_item_open') markTask(state, token, index, lists.at(-1)!);
  });
}

function markTask(state: StateCore, item: Token, index: number, list: Token): void {
  const paragraph = state.tokens[index + 1];
  const line = state.tokens[index + 2];
  const text = line?.children?.[0];
  if (paragraph?.type !== 'paragraph_open' || text?.type !== 'text') return;
  const mark = /^\[([ xX])\] /.exec(text.content);
  if (!mark) return;
  const box = new state.Token('html_inline', '', 0);
  box.content = `<input class="task-list-item-checkbox" type="checkbox"${mark[1] === ' ' ? '' : ' checked'}>`;
  text.content = text.content.slice(3);
  line!.children!.unshift(box);
  item.attrSet('class', 'task-list-item');
  list.attrSet('class', 'contains-task-list');
}
