/** Escapes a text for HTML, where it may stand between tags or in an attribute with double quotation marks. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
