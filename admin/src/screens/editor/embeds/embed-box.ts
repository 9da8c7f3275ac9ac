/** Creates the box that stands for an embed in the editor. It loads nothing from other websites. */
export function embedBox({ attrs }: { attrs: Record<string, unknown> }) {
  const dom = document.createElement('div');
  dom.className = 'embed-box';
  const title = document.createElement('span');
  title.textContent = String(attrs.title ?? '');
  const address = document.createElement('small');
  address.textContent = String(attrs.src ?? '').replace(/^(?:https?:)?\/\/(?:www\.)?/, '');
  dom.append(title, address);
  return { dom };
}
